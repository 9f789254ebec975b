"""A rough reading of Prolog text in Python: which predicates a text defines, which it calls, whether it starts itself.

It runs nothing and needs no SWI-Prolog; it decides only which blocks of a reply belong together. For exact
predicates see `holmes.prolog.clause_reader`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

Name = tuple[str, bool]  # a name, and whether it has arguments

_TOKEN = re.compile(
    r"""
      (?P<space>\s+|%[^\n]*|/\*.*?(?:\*/|\Z))
    | (?P<char>0'(?:\\x[0-9a-fA-F]+\\?|\\.|''|[^\n]))
    | (?P<quoted>'(?:[^'\\]|\\.|'')*(?:'|\Z))
    | (?P<string>"(?:[^"\\]|\\.|"")*(?:"|\Z)|`(?:[^`\\]|\\.|``)*(?:`|\Z))
    | (?P<number>\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)
    | (?P<variable>[A-Z_][A-Za-z0-9_]*)
    | (?P<atom>[^\W\d_]\w*)
    | (?P<symbol>[-+*/\\^<>=~:.?@\#&$]+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_DECLARATIONS = {
    "use_module", "dynamic", "discontiguous", "ensure_loaded", "set_prolog_flag", "style_check", "module", "table",
    "op", "multifile", "encoding", "include", "consult", "license", "set_stream", "reexport", "autoload",
    "expects_dialect",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scan:
    """What a text defines and calls; `starts`: it has a directive or query that runs a goal; `clauses`: how many."""

    defines: frozenset[Name]
    calls: frozenset[Name]
    starts: bool
    clauses: int


def scan(text: str) -> Scan:
    """Read a text roughly: linear time, no error on any input."""
    defines: set[Name] = set()
    calls: set[Name] = set()
    starts, clauses = False, 0
    for clause in _clauses(text):
        clauses += 1
        kinds = [kind for kind, _ in clause]
        first_kind, first = clause[0]
        if first_kind == "symbol" and first in (":-", "?-"):
            goals = _names(clause[1:])
            if goals and goals[0][0] not in _DECLARATIONS:
                starts = True
            calls.update(goals)
            continue
        arrow = next(
            (i for i, (kind, value) in enumerate(clause) if kind == "symbol" and value in (":-", "-->", "=>")),
            len(kinds),
        )
        head = _names(clause[:arrow])
        if head:
            defines.add(head[0])
        calls.update(_names(clause[arrow + 1 :]))
    return Scan(frozenset(defines), frozenset(calls), starts, clauses)


def looks_like_prolog(text: str, strict: bool = False) -> bool:
    """Say whether a text without a telling language tag may be Prolog.

    strict: a rule, directive or query is needed; facts alone do not do.
    """
    bare = re.sub(r"%[^\n]*|/\*.*?(?:\*/|\Z)", "", text, flags=re.DOTALL)
    if re.search(r"(?m)^[ \t]*(?::-|\?-)[ \t]*\S|\)[ \t]*(?::-|-->)(?:\s|$)|^[a-z]\w*[ \t]*:-(?:\s|$)", bare):
        return bare.rstrip().endswith(".") or "\n" in bare
    return not strict and bool(re.search(r"(?m)^[ \t]*[a-z]\w*\(.*\)[ \t]*\.[ \t]*$", bare))


def _clauses(text: str) -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = []
    current: list[tuple[str, str]] = []
    for match in _TOKEN.finditer(text):
        kind, value = str(match.lastgroup), match.group()
        if kind == "space":
            continue
        if kind == "symbol" and value.endswith(".") and _ends(text, match.end()):
            if value != ".":
                current.append((kind, value[:-1]))
            if current:
                found.append(current)
            current = []
            continue
        if kind == "other" and value == "(" and current and match.start() and _touches(text, match.start()):
            kind = "call"
        current.append((kind, value))
    if current:
        found.append(current)
    return found


def _ends(text: str, position: int) -> bool:
    return position >= len(text) or text[position].isspace() or text[position] == "%"


def _touches(text: str, position: int) -> bool:
    return not text[position - 1].isspace() and text[position - 1] != "("


def _names(tokens: list[tuple[str, str]]) -> list[Name]:
    """Return atoms in order, each with whether an argument list follows."""
    found = []
    for i, (kind, value) in enumerate(tokens):
        if kind == "quoted":
            value = value[1:-1]
        elif kind != "atom":
            continue
        found.append((value, i + 1 < len(tokens) and tokens[i + 1][0] == "call"))
    return found
