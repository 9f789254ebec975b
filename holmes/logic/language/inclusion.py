"""Rule bases that rest on others: the rules of the clauses a document `uses` are merged into it, numbers and all."""

from __future__ import annotations

import re
from pathlib import Path

from holmes.logic.language.document import Node, read_documents, with_texts
from holmes.logic.language.problems import Problem, RuleBaseError

_SECTIONS = ("facts", "tables", "concepts", "policies", "families")


def shifted(text: str, offset: int) -> str:
    """Return a text with every rule number in it moved by `offset`."""
    return re.sub(
        r"\bRules? \d+(?:(?:, | and | to )\d+)*",
        lambda found: re.sub(r"\d+", lambda number: str(int(number[0]) + offset), found[0]),
        text,
    )


def with_used(path: Path, roots: list[Node]) -> None:
    """Merge into each root the rule bases that it `uses`: all but their decisions and amounts.

    path: the file; the names are those of files beside it. The rules of the first keep their numbers, those of the
    next go on behind them, the document's own behind all; the numbers of the decisions stay free (`left_out`).
    """
    for root in roots:
        node = root.fields.get("uses")
        if node is None:
            continue
        problems: list[Problem] = []
        free: list[int] = []
        offset = 0
        for item in node.items:
            other = path.with_name(f"{item.text}.yaml")
            if item.kind != "text" or not other.is_file():
                problems.append(Problem(root.file, item.line, "", "uses", item.describe(), "a file beside it", "yaml"))
                continue
            used = read_documents(other)
            with_texts(other, used)
            last = _take_over(root, used[0], offset, free, problems)
            offset += last
        root.fields["left_out"] = Node("list", node.line, root.file, items=[_number(n, node) for n in free])
        if problems:
            raise RuleBaseError(problems)


def _number(value: int, at: Node) -> Node:
    return Node("text", at.line, at.file, str(value))


def _take_over(root: Node, used: Node, offset: int, free: list[int], problems: list[Problem]) -> int:
    """Merge one rule base into another; returns the last of its own rule numbers."""
    last = 0
    for section in ("decision", "amount"):
        if section in used.fields:
            number = int(used.fields[section].fields["rule"].text)
            free.append(number + offset)
            last = max(last, number)
    for node in used.fields.values():
        _move(node, offset)
    for section in _SECTIONS:
        there = used.fields.get(section)
        if there is None:
            continue
        own = root.fields.setdefault(section, Node("map", there.line, there.file))
        for key in own.fields.keys() & there.fields.keys():
            line = own.fields[key].line
            problems.append(Problem(root.file, line, "", key, "a name of a clause used", "a name of its own", "yaml"))
        own.fields = {**own.fields, **there.fields}
    for section in ("integrity", "relations"):
        if section in used.fields:
            own = root.fields.setdefault(section, Node("list", root.line, root.file))
            own.items = [*own.items, *used.fields[section].items]
    for section in ("entities", "names"):
        if section in used.fields:
            root.fields.setdefault(section, used.fields[section])
    return last


def _move(node: Node, offset: int) -> None:
    """Move every rule number in a node: those of rules, and those in their texts."""
    for key, value in node.fields.items():
        if key in ("rule", "stated_in") and value.text.isdigit():
            value.text = str(int(value.text) + offset)
        elif key == "text":
            value.text = shifted(value.text, offset)
        else:
            _move(value, offset)
    for item in node.items:
        _move(item, offset)
