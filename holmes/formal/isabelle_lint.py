"""What an exported theory may hold: a short list of commands and proof methods, and names that it declares itself."""

from __future__ import annotations

import re

from holmes.errors import InputError

COMMANDS = frozenset(
    [
        "theory",
        "imports",
        "begin",
        "end",
        "datatype",
        "definition",
        "primrec",
        "where",
        "lemma",
        "lemmas",
        "theorem",
        "locale",
        "fixes",
        "assumes",
        "and",
        "unfolding",
        "using",
        "by",
        "proof",
        "qed",
        "next",
        "show",
        "assume",
        "fix",
    ]
)
METHODS = frozenset(["simp", "simp_all", "auto", "blast", "cases", "rule", "intro", "unfold_locales", "linarith"])
WORDS = frozenset(
    [
        "add",
        "split",
        "OF",
        "False",
        "if_splits",
        "allI",
        "impI",
        "ccontr",
        "conj_disj_distribR",
        "ex_disj_distrib",
        "Main",
    ]
)
_OUTER = re.compile(
    r"\s+|(?P<comment>\(\*(?:(?!\(\*|\*\)).|\n)*\*\))|(?P<string>\"[^\"]*\")|(?P<word>[A-Za-z_][\w.']*)"
    r"|::|[=:|,\[\]()]|\d+"
)
_DECLARES = re.compile(
    r"\b(?:theory|datatype|definition|primrec|lemma|lemmas|theorem|locale)\s+([A-Za-z]\w*)"
    r"|\b([a-z]\w*):\s*\"|\bfix(?:es)? (\w+)( \w+)?"
)
_INNER = re.compile(r"\\<(?:and|or|not|longrightarrow|longleftrightarrow|forall|exists|lambda|Rightarrow|le)>")
NAMES = re.compile(
    r"(?:Rules|Case|Holmes)_\w+|Holmes\.\w+|h_\w+|[a-z]\w*_(?:def|stands|record|consistent)|c\d*|[A-Za-z]\w*\.(?:occurs|broken)"
)


def check(text: str, name: str = "theory") -> None:
    """Refuse a theory with a command, method or symbol outside the list; raises InputError naming what was found."""
    declared = {part for match in _DECLARES.finditer(_without_comments(text)) for part in match.groups() if part}
    declared |= set(re.findall(r"\b(\w+)\b", " ".join(re.findall(r"datatype(.*?)\n\n", text, re.DOTALL))))
    declared = {part.strip() for part in declared} - {"ML", "sorry", "oops"}
    at = 0

    def refuse(found: str, expected: str) -> InputError:
        line = text.count("\n", 0, at) + 1
        return InputError(f"{name}: line {line}: found {found[:40]!r}, expected {expected}")

    while at < len(text):
        match = _OUTER.match(text, at)
        if match is None:
            raise refuse(text[at : at + 12], "a command of the list")
        kind, found = match.lastgroup, match.group()
        if kind == "word" and not _allowed(found, declared):
            raise refuse(found, "a command or method of the list")
        if kind == "string" and re.search(r"[\\@{}`]", _INNER.sub("", found)):
            raise refuse(found, "a term without escapes")
        if kind == "comment" and re.search(r"\\<|@\{", found):
            raise refuse(found, "a plain comment")
        at = match.end()


def _without_comments(text: str) -> str:
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)


FORBIDDEN = re.compile(
    r"ML\w*|SML\w*|\w*setup|\w*translation|oracle|sorry|oops|axiomatization|code_\w+|export_\w+|\w*_file|declaration|"
    r"syntax_declaration|consts|typedef|\w*antiquotation|generate_file|external_file|bibtex_file|ROOT_file|print_\w+|eval|"
    r"tactic|raw_tactic|value|smt|metis|sledgehammer|nitpick|quickcheck|apply|done|hide_\w+|overloading|notepad"
)


def _allowed(word: str, declared: set[str]) -> bool:
    if word in COMMANDS | METHODS | WORDS:
        return True
    if FORBIDDEN.fullmatch(word):
        return False
    return word in declared or NAMES.fullmatch(word) is not None or word == "list"
