"""YAML nodes -> declarations with unresolved expressions; every unknown, missing or misshapen field is reported."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from holmes.logic.language.document import Node
from holmes.logic.language.draft import Draft, FieldReader
from holmes.logic.language.model import (
    BOOL,
    INT,
    MONEY,
    Amount,
    Concept,
    Const,
    Decision,
    Expr,
    FactDecl,
    Policy,
    Relation,
    Table,
    TableRow,
    Type,
)

_FALLBACK = Const(True, BOOL)
_ROOT = (
    "rulebase title defeat closed_world entities names facts integrity tables concepts policies families relations "
    "decision amount uses left_out"
)
PICKS = ("gravest", "first", "only", "all")


class Reader(FieldReader):
    """Reads one document into a `Draft`."""

    # ------------------------------------------------------------ the sections
    def read(self) -> Draft:
        """Read all sections."""
        draft = self.draft
        self.start("rulebase")
        fields = self.fields(self.root, _ROOT)
        draft.name = self.text(fields, "rulebase", needed=True)
        draft.title = self.text(fields, "title")
        draft.defeat = self.text(fields, "defeat", needed=True)
        if draft.defeat and draft.defeat not in ("grounded", "one_pass"):
            self.problem(fields["defeat"], "defeat", repr(draft.defeat), "grounded or one_pass")
        draft.uses = tuple(item.text for item in self.listed(fields.get("uses"), "uses"))
        draft.left_out = {
            int(item.text) for item in self.listed(fields.get("left_out"), "left_out") if item.text.isdigit()
        }
        draft.closed_world = self.flag(fields, "closed_world", True)
        for name, node in self.mapped(fields.get("entities"), "entities").items():
            draft.entities[name] = node.text or "person"
        for name, node in self.mapped(fields.get("names"), "names").items():
            draft.names[name] = self.texts(node, "names")
            if name not in draft.entities:
                self.problem(node, "names", repr(name), "a declared entity", "names")
        for name, node in self.mapped(fields.get("facts"), "facts").items():
            self.start("facts", name, node)
            draft.facts[name] = self.fact(name, node)
        self.start("integrity")
        for number, item in enumerate(self.listed(fields.get("integrity"), "integrity"), 1):
            self.note(item, str(number))
            draft.integrity.append(self.expr(item, str(number)))
        for name, node in self.mapped(fields.get("tables"), "tables").items():
            self.start("tables", name, node)
            draft.tables[name] = self.table(name, node)
        for name, node in self.mapped(fields.get("concepts"), "concepts").items():
            self.start("concepts", name, node)
            draft.concepts[name] = self.concept(name, node)
        for name, node in self.mapped(fields.get("policies"), "policies").items():
            self.start("policies", name, node)
            draft.policies[name] = self.policy(name, node)
        self.start("families")
        for name, node in self.mapped(fields.get("families"), "families").items():
            self.note(node, name)
            draft.families[name] = self.texts(node, name)
        for number, node in enumerate(self.listed(fields.get("relations"), "relations"), 1):
            self.start("relations", f"relation {number}", node)
            draft.relations += self.relation(node)
        self.start("decision")
        if "decision" in fields:
            draft.decision = self.decision(fields["decision"])
        else:
            self.problem(self.root, "decision", "nothing", "a decision")
        self.start("amount")
        if "amount" in fields:
            draft.amount = self.amount(fields["amount"])
        return draft

    def type(self, fields: dict[str, Node], in_list: bool = False) -> Type:
        node = fields.get("type")
        if node is not None and node.kind == "map":  # {enum: [...]}
            values = self.texts(self.fields(node, "enum", "type").get("enum"), "type")
            return self.enum(node, values)
        kind = self.text(fields, "type", needed=True, default="bool")
        kinds = (
            ("bool", "enum", "int", "money", "date", "name")
            if in_list
            else ("bool", "enum", "int", "money", "date", "list")
        )
        if kind not in kinds:
            self.problem(fields["type"], "type", repr(kind), f"one of {', '.join(kinds)}", "types")
            return BOOL
        if kind == "enum":
            return self.enum(node or self.root, self.texts(fields.get("values"), "values"))
        for key, kinds_of in (("values", ("enum",)), ("range", ("int", "money"))):
            if key in fields and kind not in kinds_of:
                self.problem(
                    fields[key], key, f"a {key} on a {kind}", f"{key} on {' or '.join(kinds_of)} only", "types"
                )
        if kind in ("int", "money") and "range" in fields:
            bounds = [self.number(item, "range") for item in self.listed(fields["range"], "range")]
            if len(bounds) != 2 or None in bounds or bounds[0] > bounds[1]:  # type: ignore[operator]
                self.problem(fields["range"], "range", str(fields["range"].plain()), "[low, high]", "types")
                return INT if kind == "int" else MONEY
            if kind == "int" and any(b is not None and b.denominator != 1 for b in bounds):
                self.problem(fields["range"], "range", str(fields["range"].plain()), "whole numbers", "types")
            return Type(kind, low=bounds[0], high=bounds[1])
        if kind == "list":
            parts = self.mapped(fields.get("of"), "of")
            if not parts:
                self.problem(node or self.root, "of", "nothing", "the fields of a record", "types")
            shape = tuple(
                (name, self.type(self.fields(part, "type values range", name), True)) for name, part in parts.items()
            )
            longest = self.number(fields["max"], "max") if "max" in fields else Fraction(5)
            return Type("list", fields=shape, max=int(longest or 0))
        return Type(kind)

    def enum(self, node: Node, values: tuple[str, ...]) -> Type:
        if len(values) < 2:
            self.problem(node, "values", f"{len(values)} values", "two values or more", "types")
        for value in sorted({v for v in values if values.count(v) > 1}):
            self.problem(node, "values", f"{value!r} twice", "each value once", "names")
        return Type("enum", values=tuple(dict.fromkeys(values)))

    def fact(self, name: str, node: Node) -> FactDecl:
        f = self.fields(node, "type range values phrase negated says denies of max complete unit")
        type_ = self.type(f)
        says: tuple[str, ...] = ()
        field_says: tuple[tuple[str, tuple[str, ...]], ...] = ()
        if type_.kind == "list" and "says" in f:
            parts = self.mapped(f["says"], "says")
            known = [key for key, _ in type_.fields]
            for key, part in parts.items():
                if key not in known:
                    self.problem(part, "says", repr(key), f"one of {', '.join(known)}", "names")
            field_says = tuple((key, self.texts(part, f"says.{key}")) for key, part in parts.items())
        else:
            says = self.texts(f.get("says"), "says")
        if "denies" in f and type_.kind != "bool":
            self.problem(f["denies"], "denies", f"denials of a {type_.kind}", "denies on bool only", "types")
        phrases, negated = self.texts(f.get("phrase"), "phrase"), self.texts(f.get("negated"), "negated")
        denies = self.texts(f.get("denies"), "denies")
        complete = self.flag(f, "complete", False)
        return FactDecl(name, type_, phrases, negated, says, denies, field_says, complete, node.line)

    def concept(self, name: str, node: Node) -> Concept:
        f = self.fields(node, "rule phrase negated when value type text")
        rule = self.rule_number(f)
        text = self.rule_text(f)
        body: Expr = _FALLBACK
        type_ = BOOL
        if ("when" in f) == ("value" in f):
            found = "both `when` and `value`" if "when" in f else "neither `when` nor `value`"
            self.problem(node, "when", found, "one of them")
        elif "when" in f:
            body = self.expr(f["when"], "when")
            if "type" in f and self.text(f, "type") != "bool":
                self.problem(f["type"], "type", f["type"].describe(), "bool, or `value` instead of `when`", "types")
        else:
            body = self.expr(f["value"], "value")
            type_ = self.type(f) if "type" in f else Type("")
        phrases, negated = self.texts(f.get("phrase"), "phrase"), self.texts(f.get("negated"), "negated")
        return Concept(name, rule, phrases, type_, body, text, negated, node.line)

    def table(self, name: str, node: Node) -> Table:
        f = self.fields(node, "rule keys rows ranges type text phrase")
        rule = self.rule_number(f)
        text = self.rule_text(f)
        keys = tuple(self.expr(item, "keys") for item in self.listed(f.get("keys"), "keys"))
        if not keys:
            self.problem(node, "keys", "no keys", "one key or more")
        if ("rows" in f) == ("ranges" in f):
            self.problem(node, "rows", "both or none of `rows` and `ranges`", "one of them")
        source = f.get("rows") or f.get("ranges")
        rows = tuple(self.rows(source, len(keys), ())) if source is not None else ()
        type_ = self.type(f) if "type" in f else Type("")
        return Table(name, rule, keys, rows, type_, text, node.line)

    def rows(
        self, node: Node, depth: int, keys: tuple[str | tuple[Fraction, Fraction | None], ...]
    ) -> Iterable[TableRow]:
        if depth == 0:
            yield TableRow(keys, self.expr(node, "rows"))
            return
        if node.kind != "map":
            self.problem(node, "rows", node.describe(), f"a mapping for key {len(keys) + 1}")
            return
        for key, value in node.fields.items():
            yield from self.rows(value, depth - 1, (*keys, self.key(key, value)))

    def key(self, text: str, node: Node) -> str | tuple[Fraction, Fraction | None]:
        low, dots, high = text.partition("..")
        if not dots:
            return text.strip()
        try:
            start, end = Fraction(low.strip()), Fraction(high.strip()) if high.strip() else None
        except (ValueError, ZeroDivisionError):
            self.problem(node, "rows", f"the range {text!r}", "low..high or low..")
            return (Fraction(0), None)
        if end is not None and end <= start:
            self.problem(node, "rows", f"the empty range {text!r}", "low below high")
        return (start, end)

    def policy(self, name: str, node: Node) -> Policy:
        f = self.fields(node, "rule text when then gate transform unless compose mode select of phrase")
        rule = self.rule_number(f)
        text = self.rule_text(f)
        operators = [key for key in ("when", "transform", "compose", "select") if key in f]
        if len(operators) != 1:
            self.problem(
                node, "when", " and ".join(operators) or "no condition", "one of when, transform, compose, select"
            )
        operator = operators[0] if operators else "when"
        for key, owner in (("unless", "transform"), ("mode", "compose"), ("of", "select")):
            if key in f and owner not in f:
                self.problem(f[key], key, f"`{key}` without `{owner}`", f"`{owner}` beside it")
        gate = self.text(f, "gate")
        if gate and gate not in ("mandatory", "standard"):
            self.problem(f["gate"], "gate", repr(gate), "mandatory or standard")
        common = {"consequence": self.text(f, "then"), "gate": gate, "line": node.line}
        if operator == "transform":
            unless = self.expr(f["unless"], "unless") if "unless" in f else _FALLBACK
            if "unless" not in f:
                self.problem(node, "unless", "nothing", "the exemption")
            return Policy(name, rule, text, "transform", base=self.text(f, "transform"), unless=unless, **common)  # type: ignore[arg-type]
        if operator == "compose":
            mode = self.text(f, "mode", default="all")
            if mode not in ("all", "any"):
                self.problem(f["mode"], "mode", repr(mode), "all or any")
            parts = self.texts(f["compose"], "compose")
            return Policy(name, rule, text, "compose", parts=parts, mode=mode, **common)  # type: ignore[arg-type]
        if operator == "select":
            branches = tuple((key, part.text) for key, part in self.mapped(f.get("of"), "of").items())
            selector = self.expr(f["select"], "select")
            return Policy(name, rule, text, "select", selector=selector, branches=branches, **common)  # type: ignore[arg-type]
        when = self.expr(f["when"], "when") if "when" in f else _FALLBACK
        return Policy(name, rule, text, when=when, **common)  # type: ignore[arg-type]

    def relation(self, node: Node) -> list[Relation]:
        f = self.fields(node, "rule stated_in stronger than exception to text")
        stated = "stated_in" in f
        if stated and "rule" in f:
            self.problem(f["stated_in"], "stated_in", "both `rule` and `stated_in`", "one of them")
        rule = self.rule_number(f, "stated_in" if stated else "rule")
        text = self.text(f, "text") if stated else self.rule_text(f)
        kinds = [(k, t) for k, t in (("stronger", "than"), ("exception", "to")) if k in f]
        if len(kinds) != 1:
            self.problem(node, "stronger", f"{len(kinds)} kinds of relation", "`stronger … than` or `exception … to`")
            return []
        kind, target = kinds[0]
        losers = self.texts(f.get(target), target)
        if not losers:
            self.problem(node, target, "nothing", "one policy or more")
        return [Relation(kind, self.text(f, kind), losers, rule, stated, text, node.line)]

    def decision(self, node: Node) -> Decision:
        f = self.fields(node, "type rule of pick otherwise gates labels text")
        rule = self.rule_number(f)
        text = self.rule_text(f)
        type_ = self.type(f)
        gates = self.text(f, "gates")
        pick, order, then = ("gates", (), "") if gates else self.pick(f, node)
        if not gates and self.text(f, "of", default="applying") != "applying":
            self.problem(f["of"], "of", f["of"].describe(), "applying")
        if gates and ("pick" in f or "of" in f):
            self.problem(f.get("pick") or f["of"], "gates", "`gates` beside `pick` or `of`", "one of them")
        otherwise = self.text(f, "otherwise")
        labels = tuple((k, self.texts(v, "labels")) for k, v in self.mapped(f.get("labels"), "labels").items())
        return Decision(type_, rule, text, pick, order, then, otherwise, gates, labels, node.line)

    def pick(self, f: dict[str, Node], node: Node) -> tuple[str, tuple[str, ...], str]:
        there = f.get("pick")
        if there is None:
            self.problem(node, "pick", "nothing", "`pick` or `gates`")
            return "first", (), ""
        if there.kind == "map":
            inner = self.fields(there, "gravest first_of then", "pick")
            if "gravest" in inner and len(inner) == 1:
                return "gravest", self.texts(inner["gravest"], "pick"), ""
            then = self.text(inner, "then", default="first")
            if then not in ("first", "only"):
                self.problem(there, "pick", f"then: {then}", "first or only")
            if "first_of" in inner and "gravest" not in inner:
                return "first_of", self.texts(inner["first_of"], "pick"), then
            self.problem(there, "pick", ", ".join(inner), "{gravest: […]} or {first_of: […], then: first}")
            return "first", (), ""
        pick = self.text(f, "pick")
        if pick not in PICKS[1:]:
            self.problem(there, "pick", repr(pick), "first, only, all, {gravest: […]} or {first_of: […], then: first}")
            return "first", (), ""
        return pick, (), ""

    def amount(self, node: Node) -> Amount:
        f = self.fields(node, "rule type value text")
        rule = self.rule_number(f)
        text = self.rule_text(f)
        type_ = self.type(f) if "type" in f else Type("")
        if "value" not in f:
            self.problem(node, "value", "nothing", "an expression")
        value = self.expr(f["value"], "value") if "value" in f else _FALLBACK
        return Amount(rule, type_, value, text, node.line)
