"""The closed vocabulary of Rule English (docs/rule-english.md): connectives, comparisons, frames and fillers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

Entry = tuple[str, str]  # (token kind, value)


def _many(kind: str, value: str, texts: str) -> Iterator[tuple[str, Entry]]:
    for text in texts.split("|"):
        yield text.strip(), (kind, value)


def _table() -> dict[tuple[str, ...], Entry]:
    rows: list[Iterable[tuple[str, Entry]]] = [
        _many("filler", "", _FILLERS.replace("\n", " ").strip().replace(" ", "|")),
        _many("filler", "", _PHRASAL_FILLERS),
        _many("not", "", _NOT),
        _many("not", "tight", _NOT_NOUN),
        _many("and", "", _AND),
        _many("soft", "", _SOFT),
        _many("or", "", "or|or if|or who|or where|or when|or whoever|or whenever"),
        _many("or", "loose", "or else|or alternatively|alternatively"),
        _many("except", "", _EXCEPT),
        _many("same", "", _SAME),
        _many("both", "", "both"),
        _many("notboth", "", "but not both|though not both|but not both of them|but not the two together"),
        _many("either", "", "either"),
        _many("neither", "", "neither"),
        _many("nor", "", "nor"),
        _many("list", "any", _of("at least one|one or more|any|one|any one|some")),
        _many("list", "any", "in each of these cases|in any of these cases|in either of these cases|in these cases"),
        _many("list", "any", "in the following cases|in each of the following cases"),
        _many("list", "all", _of("all|each|every one|both")),
        _many("list", "none", _of("none|not one|not any|not even one")),
        _many("list", "notall", _of("not all|not every one|not each")),
        _many("cmp", ">=", _GE),
        _many("cmp", ">", _GT),
        _many("cmp", "<", _LT),
        _many("cmp", "<=", _LE),
        _many("cmp", "==", "exactly|equal to|equals|precisely|just"),
        _many("cmp", "!=", "other than|different from|not equal to"),
        _many("post", ">=", "or more|or over|or above|or longer|or older|or later|or higher"),
        _many("post", "<=", "or less|or fewer|or under|or below|or shorter|or younger|or earlier|or lower"),
        _many("cmp", "between", "between|from"),
        _many("to", "", "to"),
        _many("means", "", _MEANS),
        _many("quant", "every", "every|each|all"),
        _many("quant", "some", "some|any"),
        _many("not", "tight", "no"),
        _many("member", "", "member|members|entry|entries|item|items|record|records"),
        _many("pass", "pass", "passes|pass|passed"),
        _many("pass", "fail", "fails|fail|failed"),
        _many("arith", "count", "number of|count of"),
        _many("arith", "+", "plus|added to|increased by"),
        _many("arith", "-", "minus|less|reduced by|after deduction of"),
        _many("arith", "*", "times|multiplied by"),
        _many("arith", "each", "for each|for every|per"),
        _many("arith", "sum", "sum of|total of"),
        _many("arith", "min", "smaller of|lesser of|lower of|smallest of|lowest of"),
        _many("arith", "max", "larger of|greater of|higher of|largest of|highest of"),
        _many("arith", "2", "twice|double"),
        _many("arith", "1/2", "half|half of|one half of"),
        _many("arith", "1/3", "a third of|one third of"),
        _many("arith", "2/3", "two thirds of"),
        _many("arith", "1/4", "a quarter of|one quarter of"),
        _many("arith", "0", "nothing|nil"),
        _many("arith", "else", "otherwise|in all other cases|in every other case|or else it is"),
        _many("must", "", "must|has to|have to|needs to|need to|is required|are required|is needed|are needed"),
        *(
            _many("list", f"{n}", _of(f"at least {word}|{word} or more"))
            for n, word in enumerate(NUMBER_WORDS)
            if n > 1
        ),
    ]
    return {tuple(text.split()): entry for row in rows for text, entry in row}


NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
)
NUMBERS = {word: Fraction(value) for value, word in enumerate(NUMBER_WORDS) if word != "one"}
"""Number words; `one` is a pronoun unless a comparison asks for a number."""

DETERMINERS = frozenset("a an the any some his her their its such".split())  # noqa: SIM905


def _of(heads: str) -> str:
    tails = ("of the following", "of these", "of the following things", "of these things", "of the following points")
    return "|".join(f"{head} {tail}" for head in heads.split("|") for tail in tails)


_FILLERS = """
a an the any some such this these those his her its their there it is are was were be been has have had do does did
will would shall may can could should to of for on in at as so then thus accordingly hence therefore also further
person persons people someone somebody one ones man woman party case cases situation situations circumstance
circumstances event events fact facts found find finds shown given present exists exist existing existed occurs occur
occurred occurring arises arise arose arisen holds hold held met satisfied fulfilled true established proved proven
applies apply applied commits commit committed committing act acts acted acting under into upon he she they him them
himself herself themselves own counts count counted deemed regarded treated considered called amounts amount
constitutes constitute makes make made qualifies qualify speaks speak spoken term known falls fall takes take taken
place liable subject described said imposed follows follow results result resulting ordered due consequence measure
sanction punished shows show place sense matter back here thing things already ever still only always indeed well
another follows leads lead entails entail because reason cause causes mere merely alone itself attached produced
handed reached who's gives particular kind respect moment point time every everyone each whose question
anyone anybody everybody costs cost earns brings carries
table depends says listed rows below
same behalf part side incurs incur incurred draws entailing guilty answer answers concerned together seen viewed taken
meets meet suffers suffer undergoes faces face receives receive gets get has' comes come turns turn out up
"""
_PHRASAL_FILLERS = (
    "by reason of|in respect of|within the meaning of|as defined in|in the sense of|it follows from|it follows|"
    "the consequence of|for the purposes of|in that case|in such a case|in this case|or both|and nothing else|"
    "in principle|as a rule|in general|as the case may be|all the same|none the less|as a consequence|"
    "he or she|him or her|his or her|himself or herself|"
    "every person|any person|that one|at all|of any kind|whatsoever|for that|give rise to|gives rise to"
)
_NOT = (
    "not|never|not yet|no longer|fails to|failed to|failing to|fail to|it is not the case that|it is not so that|"
    "it is false that|cannot|can not|isn't|wasn't|didn't|doesn't|hasn't|hadn't"
)
_NOT_NOUN = (
    "no|without|not even one|not a single|not one|not any|lacks|lacking|lacked|in the absence of|in absence of|"
    "without any|without a single|there being no|not even a single|no such"
)
_AND = (
    "and|but|yet|as well as|and also|and moreover|and furthermore|and besides|and at the same time|and in addition|"
    "together with|along with|although|though|even though|whereas|and yet|but also|and likewise|nevertheless|"
    "and that|and if|and where|and who|moreover|in addition|and when|and while"
)
_SOFT = (
    "while|whilst|when|where|whenever|wherever|if|provided that|provided|as long as|so long as|on condition that|"
    "at a time when|who|which|that|with|by|being|having|in which|in a case where|in case|in cases where|"
    "in the case where|in the event that|in every case where|in every case in which|in any case where|given that|"
    "given|assuming that|assuming|supposing that|as soon as|once|whoever|whosoever|anyone who|anybody who|"
    "a person who|every person who|any person who|everyone who|he who|those who|one who|someone who|somebody who|"
    "only if|only where|only when|only while|only in case|but only if|but only where|but only when|after|"
    "if and only if|should it be that|during|because|since|to whoever|to anyone who|to a person who|in a case in which|"
    "in the case of|in case of|in the event of|for whoever|of whoever|on whoever|against whoever|for a person who|"
    "against a person who|on a person who|on anyone who|for anyone who|the one who|such person who|to those who|"
    "to him who|for those who|under the condition that|insofar as|in so far as|inasmuch as|for so long as|"
    "coincides with|goes together with|accompanied by|comes with|combined with|coupled with|paired with|amid|throughout"
)
_EXCEPT = (
    "unless|except where|except when|except if|except by|except in a case where|save where|save when|save if|"
    "but not if|but not where|but not when|but not while|other than where|other than when|not so if|not so where|"
    "this does not hold if|this does not hold where|this does not hold when|this does not apply if|"
    "this does not apply where|this does not apply when|this does not apply to whoever|"
    "this does not apply to a person who|this does not apply to anyone who|this is not so if|this is not so where|"
    "with the exception of cases where|with the exception of cases in which|except in cases where|excepting where|"
    "it is otherwise if|it is otherwise where|it is otherwise when|not however if|not however where|"
    "not where|not if|not when|this does not hold for a person who|this does not hold for whoever|except that"
)
_SAME = (
    "the same applies if|the same applies where|the same applies when|the same applies to whoever|"
    "the same applies to a person who|the same applies to anyone who|the same holds if|the same holds where|"
    "the same holds when|likewise if|likewise where|likewise when|likewise whoever|equally if|equally where|"
    "the same is true if|the same is true where|the same goes if|the same goes for whoever|the same holds for whoever|"
    "the same holds for a person who|so does whoever|so is whoever|as does whoever|as is whoever|"
    "the same goes for a person who|the same is true of a person who|the same is true of whoever"
)
_GE = (
    "at least|not less than|no less than|not fewer than|no fewer than|not under|not below|a minimum of|reaches|"
    "reaching|reached|on or after|not before|no earlier than|not earlier than|as many as|as much as|"
    "not short of|since at least"
)
_GT = (
    "more than|over|above|exceeds|exceeding|exceeded|exceed|upwards of|greater than|higher than|longer than|older than|"
    "in excess of|beyond|later than|higher than|larger than"
)
_LT = (
    "under|below|less than|fewer than|short of|lower than|shorter than|younger than|smaller than|before|earlier than|"
    "falls short of|fell short of|stays below|stayed below"
)
_LE = (
    "at most|not more than|no more than|up to|not exceed|not exceeding|not over|not above|a maximum of|no longer than|"
    "on or before|not after|no later than|not later than|not longer than|not older than|no older than|not beyond|"
    "must not exceed|does not exceed|did not exceed|may not exceed|not higher than|no higher than|not greater than"
)
_MEANS = (
    "means|requires|consists in|consists of|covers|is meant|meant|defined as|is defined as|presupposes|comprises|"
    "is understood to mean|is to be understood as|stands for|describes|"
    "we understand|one understands|is understood"
)

VOCABULARY: dict[tuple[str, ...], Entry] = _table()
"""Word sequence (lower case) -> token kind and value; the longest sequence wins."""
UNITS = frozenset(
    "year years month months week weeks day days hour hours minute minutes km m cm kg metres metre percent".split()  # noqa: SIM905
)
LONGEST = max(map(len, VOCABULARY))
