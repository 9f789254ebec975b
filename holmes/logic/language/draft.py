"""A rule base as declared, and the small readers of its fields that report whatever is misshapen."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from holmes.logic.language.document import Node
from holmes.logic.language.expr import ExprError, is_name, parse
from holmes.logic.language.model import BOOL, Amount, Concept, Const, Decision, Expr, FactDecl, Policy, Relation, Table
from holmes.logic.language.problems import Problem

_FALLBACK = Const(True, BOOL)


@dataclass(slots=True)
class Draft:
    """A rule base as declared, names not yet resolved; `lines` maps (section, name, field) to a line."""

    file: str
    name: str = ""
    title: str = ""
    defeat: str = ""
    closed_world: bool = True
    entities: dict[str, str] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    facts: dict[str, FactDecl] = field(default_factory=dict)
    integrity: list[Expr] = field(default_factory=list)
    tables: dict[str, Table] = field(default_factory=dict)
    concepts: dict[str, Concept] = field(default_factory=dict)
    policies: dict[str, Policy] = field(default_factory=dict)
    families: dict[str, tuple[str, ...]] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    decision: Decision | None = None
    amount: Amount | None = None
    uses: tuple[str, ...] = ()
    left_out: set[int] = field(default_factory=set)  # numbers of the decisions of the rule bases used
    lines: dict[tuple[str, str, str], int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


class FieldReader:
    """Reads one document into a `Draft`."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.draft = Draft(root.file)
        self.section, self.entry, self.rule = "", "", ""

    # ------------------------------------------------------------ reporting and small readers
    def problem(self, node: Node | int, where: str, found: str, expected: str, kind: str = "shape") -> None:
        line = node if isinstance(node, int) else node.line
        file = self.root.file if isinstance(node, int) else node.file
        self.draft.problems.append(
            Problem(file, line, self.rule or self.entry or self.section, where, found, expected, kind)
        )

    def fields(self, node: Node, allowed: str, where: str = "") -> dict[str, Node]:
        """Return the fields of a mapping, reporting unknown ones."""
        if node.kind != "map":
            self.problem(node, where, node.describe(), f"a mapping with {allowed}")
            return {}
        known = allowed.split()
        for key, value in node.fields.items():
            if key not in known:
                self.problem(value, where, f"an unknown field {key!r}", f"one of {', '.join(known)}", "names")
        self.note(node, "")
        for key, value in node.fields.items():
            self.note(value, key)
        return node.fields

    def note(self, node: Node, where: str) -> None:
        self.draft.lines[(self.section, self.entry, where)] = node.line

    def mapped(self, node: Node | None, where: str) -> dict[str, Node]:
        if node is None or (node.kind == "text" and not node.text):
            return {}
        if node.kind != "map":
            self.problem(node, where, node.describe(), "a mapping")
            return {}
        return node.fields

    def listed(self, node: Node | None, where: str) -> list[Node]:
        if node is None:
            return []
        if node.kind != "list":
            self.problem(node, where, node.describe(), "a list")
            return []
        return node.items

    def text(self, fields: dict[str, Node], key: str, needed: bool = False, default: str = "") -> str:
        node = fields.get(key)
        if node is None or (node.kind == "text" and not node.text.strip()):
            if needed:
                line = node.line if node else self.draft.lines.get((self.section, self.entry, ""), 0)
                self.problem(line, key, "nothing", "a text" if key != "rule" else "a rule number")
            return default
        if node.kind != "text":
            self.problem(node, key, node.describe(), "a text")
            return default
        return " ".join(node.text.split())

    def texts(self, node: Node | None, where: str) -> tuple[str, ...]:
        """Read one text or a list of texts."""
        if node is None:
            return ()
        if node.kind == "text":
            return (" ".join(node.text.split()),) if node.text.strip() else ()
        result = []
        for item in self.listed(node, where):
            if item.kind == "text" and item.text.strip():
                result.append(" ".join(item.text.split()))
            else:
                self.problem(item, where, item.describe(), "a text")
        return tuple(result)

    def flag(self, fields: dict[str, Node], key: str, default: bool) -> bool:
        text = self.text(fields, key)
        if text not in ("", "true", "false"):
            self.problem(fields[key], key, repr(text), "true or false")
        return default if text not in ("true", "false") else text == "true"

    def number(self, node: Node, where: str) -> Fraction | None:
        try:
            value = parse(node.text) if node.kind == "text" else _FALLBACK
        except ExprError:
            value = _FALLBACK
        if isinstance(value, Const) and isinstance(value.value, Fraction):
            return value.value
        self.problem(node, where, node.describe(), "a number", "types")
        return None

    def expr(self, node: Node, where: str) -> Expr:
        if node.kind != "text":
            hint = " (quote an expression that contains a colon)" if node.kind == "map" else ""
            self.problem(node, where, node.describe(), f"an expression{hint}")
            return _FALLBACK
        try:
            return parse(node.text)
        except ExprError as error:
            self.problem(node, where, f"{error.found} at column {error.column} of {error.text!r}", error.expected)
            return _FALLBACK

    def rule_number(self, fields: dict[str, Node], key: str = "rule") -> int:
        node = fields.get(key)
        self.rule = ""
        if node is None:
            line = self.draft.lines.get((self.section, self.entry, ""), 0)
            self.problem(line, key, "nothing", "a rule number", "names")
            return 0
        if node.kind != "text" or not re.fullmatch(r"[1-9]\d{0,5}", node.text):
            self.problem(node, key, node.describe(), "a rule number from 1", "names")
            return 0
        self.rule = node.text
        return int(node.text)

    def rule_text(self, fields: dict[str, Node]) -> str:
        text = self.text(fields, "text")
        if not text:
            line = self.draft.lines.get((self.section, self.entry, ""), 0)
            self.problem(line, "text", "nothing", "the sentence of the rule", "names")
        return text

    def start(self, section: str, entry: str = "", node: Node | None = None) -> None:
        self.section, self.entry, self.rule = section, entry, ""
        if node is not None:
            self.note(node, "")
            if entry and section != "relations" and not is_name(entry):
                self.problem(node, "", f"the name {entry!r}", "letters, digits, _ and no reserved word", "names")
