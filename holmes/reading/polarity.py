"""Whether a sentence asserts or denies: a small grammar of main clauses, negators and negative predicates.

Keywords alone misread "does not apply", "is overridden" or "is not defeated". Here the concluding clause is cut out
first; then every negator and every negative predicate in it turns the value once.
"""

from __future__ import annotations

import itertools
import re
import unicodedata

_WORD = re.compile(r"[A-Za-z]+(?:['’\-_][A-Za-z0-9]+)*|[,;:]")

# Clauses that give a ground or a condition say nothing about the value of the step itself.
_LEADING = {"since", "because", "as", "given", "although", "though", "while", "if", "when", "where", "whereas", "even"}
_LEADING |= {"provided", "assuming", "unless", "despite", "whenever", "under", "for"}
_TRAILING = {"because", "since", "as", "although", "though", "despite", "when", "whenever", "if", "unless", "where"}
_TRAILING |= {"provided", "by", "due", "given", "while", "which", "who", "whose", "under", "without", "even"}
# What follows one of these is the conclusion; what stands before it, the ground.
_CONCLUDING = {"therefore", "hence", "thus", "consequently", "accordingly", "so", "but", "however", "yet"}

_NEGATORS = {"not", "no", "never", "cannot", "neither", "nothing", "nobody", "none", "hardly", "nowhere"}
_BE = {"is", "are", "was", "were", "be", "been", "being", "becomes", "became", "remains", "remained", "stands", "stood"}
_BE |= {"isn't", "aren't", "wasn't", "weren't", "seems", "gets", "got"}
# After a form of "be" these deny: "is defeated", "is inapplicable".
_NEGATIVE_STATES = {
    "absent", "barred", "blocked", "breached", "defeated", "denied", "disapplied", "disqualified", "excluded",
    "failed", "false", "inapplicable", "incorrect", "ineffective", "insufficient", "invalid", "lacking", "missing",
    "negated", "neutralised", "neutralized", "overridden", "overruled", "precluded", "displaced", "rebutted",
    "rejected", "superseded", "trumped", "unable", "unavailable", "undermined", "unestablished", "unfulfilled",
    "unmet", "unproven", "unsatisfied", "untriggered", "untrue", "violated", "void", "wanting",
}  # fmt: skip
# These deny wherever they are the verb: "the test fails", "the ground lapses".
_NEGATIVE_VERBS = {"fails", "fail", "lacks", "lack", "lapses", "lapse", "ceases", "cease", "lacked", "lapsed", "ceased"}
_POSITIVE = {
    "applicable", "applied", "applies", "apply", "complete", "complied", "established", "fulfilled", "governs",
    "held", "holds", "hold", "met", "pass", "passed", "passes", "prevails", "present", "proven", "satisfied",
    "stands", "survives", "triggered", "triggers", "true", "valid",
}  # fmt: skip
_AUXILIARIES = {"does", "do", "did", "has", "have", "had", "can", "could", "will", "would", "may", "must", "shall"}

_VERBS = _BE | _POSITIVE | _NEGATIVE_VERBS | _NEGATIVE_STATES | _AUXILIARIES | {"not", "cannot"}
_MARKS = frozenset(",;:")
_LONGEST = 2000  # words: no sentence is longer, and hostile text must not cost more

# Idioms whose negative word denies nothing, and ones that deny in several words.
_IDIOMS = (
    (re.compile(r"\bthere (?:is|can be) no (?:doubt|question) (?:that|but that)\b", re.I), " "),
    (re.compile(r"\bnot only\b", re.I), " "),
    (re.compile(r"\bnothing (?:prevents|stops|bars|keeps)\b", re.I), " "),
    (re.compile(r"\bno later than\b|\bno (?:more|less|fewer) than\b|\bnot (?:more|less|fewer) than\b", re.I), " "),
    (re.compile(r"\bby (?:nothing|nobody|none|no one|no \w+)\b", re.I), " not "),
    (re.compile(r"\bno longer\b", re.I), " not "),
    (re.compile(r"\bset aside\b", re.I), " defeated "),
    (re.compile(r"\bby no means\b|\bin no way\b|\bunder no circumstances\b", re.I), " not "),
)
_CJK = re.compile(r"[一-鿿]")
_CJK_NEGATIVE = re.compile(r"不再|不能|不得|不予|不|未|没有|没|无法|无|非|被推翻|被排除|被阻却|失效|失败")


def polarity(sentence: str) -> bool:
    """Return whether a sentence asserts (True) or denies (False) its concluding clause.

    sentence: one sentence in English (or short Chinese), any length; citations should be cut off before.
    Returns True for a sentence without any negation, and for empty text.
    """
    text = unicodedata.normalize("NFKC", sentence)
    if _CJK.search(text):
        return len(_CJK_NEGATIVE.findall(text)) % 2 == 0
    return _parity(_conclusion(_tokens(text))) % 2 == 0


def states_something(sentence: str) -> bool:
    """Return whether a text has a predicate that `polarity` knows; a bare heading such as "Fund type" has none."""
    words = {w.lower() for w in _tokens(unicodedata.normalize("NFKC", sentence))}
    return bool(words & (_VERBS - {"not", "cannot"})) or any(w.endswith(("n't", "n’t")) for w in words)


def _tokens(text: str) -> list[str]:
    for pattern, replacement in _IDIOMS:
        text = pattern.sub(replacement, text)
    return [m.group() for m in itertools.islice(_WORD.finditer(text), _LONGEST)]


def _conclusion(words: list[str]) -> list[str]:
    """Cut the grounds away: a leading subordinate clause, everything before "therefore" or "but", a trailing ground."""
    last = max((place for place, word in enumerate(words) if word not in _MARKS), default=-1)
    if words and words[0].lower() in _LEADING:
        comma = next((place for place, word in enumerate(words[:last]) if word == ","), -1)
        words, last = words[comma + 1 :], last - comma - 1
    for place in range(last - 1, 0, -1):
        if words[place] == ";" or words[place].lower() in _CONCLUDING:
            words = words[place + 1 :]
            break
    verb = False
    for place, word in enumerate(words):
        # "defeated by", "present when": the verb must already have come, else the clause is not over.
        if verb and place > 1 and (word == ":" or word.lower() in _TRAILING):
            return words[:place]
        verb = verb or _is_verb(word.lower())
    return words


def _is_verb(word: str) -> bool:
    return word in _VERBS or word.endswith(("n't", "n’t", "ed"))


def _parity(words: list[str]) -> int:
    count, state = 0, False  # state: a form of "be" came before, so that an adjective or participle can follow
    for place, word in enumerate(words):
        state = (state or word.lower() in _BE) and word not in _MARKS
        count += _turns(words, place, state)
    return count


def _turns(words: list[str], place: int, state: bool) -> bool:
    """Whether the word at a place turns the value of its clause."""
    low = words[place].lower()
    if low in _NEGATORS:
        return not _is_name(words, place)
    if low == "nor":  # "neither … nor" denies once
        return "neither" not in (w.lower() for w in words[max(0, place - 30) : place])
    if low in _NEGATIVE_STATES:
        return state or place == 0 or words[place - 1].lower() == "not"
    return low.endswith(("n't", "n’t")) or (low in _NEGATIVE_VERBS and place > 0)


def _is_name(words: list[str], place: int) -> bool:
    """Tell "No Criminal Liability" (a label) from "No curator was present"."""
    following = words[place + 1 : place + 3]
    return words[place] == "No" and len(following) == 2 and all(w[0].isupper() for w in following)
