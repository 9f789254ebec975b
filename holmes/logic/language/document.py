"""YAML documents with positions: nodes that know their line, duplicate keys refused, text files merged in."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from holmes.errors import InputError
from holmes.logic.language.problems import Problem, RuleBaseError

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DEPTH = 40  # nesting of YAML nodes allowed


@dataclass(slots=True)
class Node:
    """One YAML node. kind: text | list | map. Scalars keep their spelling, so 0.70 and `no` are what was written."""

    kind: str
    line: int
    file: str
    text: str = ""
    quoted: bool = False
    items: list[Node] = field(default_factory=list)
    fields: dict[str, Node] = field(default_factory=dict)

    def plain(self) -> Any:
        """Return the content as str, list and dict."""
        if self.kind == "text":
            return self.text
        if self.kind == "list":
            return [item.plain() for item in self.items]
        return {key: value.plain() for key, value in self.fields.items()}

    def describe(self) -> str:
        """Say in a few words what the node is."""
        if self.kind == "text":
            return repr(self.text) if self.text else "nothing"
        return "a list" if self.kind == "list" else "a mapping"


def read_documents(path: Path) -> list[Node]:
    """Read every document of a YAML file.

    path: a UTF-8 file. Returns the root nodes, which are mappings. Raises InputError when the file cannot be read and
    RuleBaseError for broken YAML, duplicate keys and roots that are no mappings.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise InputError(f"{path}: found no such file, expected a rule base (YAML)") from error
    except IsADirectoryError as error:
        raise InputError(f"{path}: found a folder, expected a rule base (YAML)") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start}: found bytes that are not UTF-8, expected UTF-8 text") from error
    problems: list[Problem] = []
    roots: list[Node] = []
    try:
        for raw in yaml.compose_all(text, Loader=_LOADER):
            roots.append(_convert(raw, str(path), problems, 0, set()))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 0
        found = str(getattr(error, "problem", None) or str(error).splitlines()[0])
        problems.append(Problem(str(path), line, "", "", found, "well-formed YAML", "yaml"))
    except RecursionError:
        problems.append(Problem(str(path), 0, "", "", "YAML nested without end", "plain nesting", "yaml"))
    for root in roots:
        if root.kind != "map":
            expected = "a mapping that begins with `rulebase:`"
            problems.append(Problem(str(path), root.line, "", "", root.describe(), expected, "yaml"))
    if not roots and not problems:
        problems.append(Problem(str(path), 1, "", "", "an empty file", "a rule base", "yaml"))
    if problems:
        raise RuleBaseError(problems)
    return roots


def _convert(raw: Any, file: str, problems: list[Problem], depth: int, seen: set[int]) -> Node:
    line = raw.start_mark.line + 1
    if depth > DEPTH:
        problems.append(Problem(file, line, "", "", f"more than {DEPTH} levels", "plain nesting", "yaml"))
        return Node("text", line, file)
    if isinstance(raw, yaml.ScalarNode):
        empty = raw.style is None and raw.value in ("", "~", "null")
        return Node("text", line, file, "" if empty else str(raw.value), raw.style is not None)
    if id(raw) in seen:  # aliases could nest or multiply without end
        problems.append(Problem(file, line, "", "", "an alias (*) of a list or a mapping", "it written out", "yaml"))
        return Node("text", line, file)
    seen.add(id(raw))
    if isinstance(raw, yaml.SequenceNode):
        return Node("list", line, file, items=[_convert(item, file, problems, depth + 1, seen) for item in raw.value])
    node = Node("map", line, file)
    for key, value in raw.value:
        key_line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            problems.append(Problem(file, key_line, "", "", "a key that is no text", "a name", "yaml"))
            continue
        if key.value in node.fields:
            first = node.fields[key.value].line
            found = f"a second {key.value!r} (the first is on line {first})"
            problems.append(Problem(file, key_line, "", str(key.value), found, "each key once", "yaml"))
            continue
        child = _convert(value, file, problems, depth + 1, seen)
        child.line = key_line  # a block mapping begins a line below its key
        node.fields[key.value] = child
    return node


def merge(base: Node, extra: Node, problems: list[Problem], path: str = "") -> None:
    """Merge the text document `extra` into `base` by key; a text that both give is a problem."""
    for key, value in extra.fields.items():
        there = base.fields.get(key)
        place = f"{path}.{key}" if path else key
        if there is None:
            base.fields[key] = value
        elif there.kind == value.kind == "map":
            merge(there, value, problems, place)
        elif there.plain() != value.plain():
            found = f"another value than {Path(base.file).name} line {there.line} gives"
            problems.append(Problem(value.file, value.line, "", place, found, "each text in one file only", "yaml"))


def with_texts(path: Path, roots: list[Node]) -> None:
    """Merge ``<name>.text.yaml`` beside `path`, if there is one, into the rule bases of the same name."""
    beside = path.with_name(path.name.removesuffix(path.suffix) + ".text.yaml")
    if path.name.endswith(".text.yaml") or not beside.is_file():
        return
    problems: list[Problem] = []
    named = {root.fields["rulebase"].text: root for root in roots if "rulebase" in root.fields}
    for extra in read_documents(beside):
        name = extra.fields.get("rulebase")
        target = named.get(name.text) if name else roots[0] if len(roots) == 1 else None
        if target is None:
            found = f"texts for {name.text!r}" if name else "texts for no rule base"
            expected = f"`rulebase:` with one of {', '.join(named)}"
            problems.append(Problem(str(beside), extra.line, "", "rulebase", found, expected, "yaml"))
            continue
        merge(target, extra, problems)
    if problems:
        raise RuleBaseError(problems)
