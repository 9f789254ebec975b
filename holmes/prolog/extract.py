"""The Prolog program of a model's reply: which blocks belong to it, and what had to be repaired, by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from holmes.prolog.output import ProgramContract
from holmes.prolog.scan import Name, Scan, looks_like_prolog, scan
from holmes.reading.fences import Block, blocks
from holmes.reading.thinking import final_reply

_TAGS = {"prolog", "pl", "swipl", "swi-prolog", "swi_prolog", "swiprolog", "swi", "pro", "plg", "iso-prolog"}
_PLAIN = {"", "plaintext", "text", "txt", "none", "plain", "code", "program"}

_MAIN: Name = ("main", False)
_RUN: Name = ("run", False)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The program of a reply.

    program: None when there is none. repairs: what was done to get it, one phrase each. note: why there is none.
    open: the generation ended inside the program's last block, or inside its thinking.
    """

    program: str | None
    repairs: tuple[str, ...] = ()
    note: str = ""
    open: bool = False


def extract_program(reply: str, *, accept_bare: bool = False, contract: ProgramContract | None = None) -> Extraction:
    """Return the program that a reply ends with.

    reply: raw model text, thinking included (it is stripped; drafts in it are ignored). accept_bare: also take a
    reply without any fence as a program (paper B.5: no block, no reward, hence off). contract: of
    its task; where it says so, a program that answers but does not print is given a main.
    The last block that runs a goal wins; blocks that define what it calls join it. Returns an Extraction.
    """
    final = final_reply(reply)
    if not final.text.strip():
        return Extraction(
            None, note="the thinking was never closed" if not final.closed else "no reply", open=not final.closed
        )
    repairs: list[str] = []
    chosen = _prolog_blocks(final.text, repairs)
    if not chosen:
        if not accept_bare:
            return Extraction(None, note="no code block", open=not final.closed)
        bare = _bare(final.text)
        if bare is None:
            return Extraction(None, note="no code block and no bare program", open=not final.closed)
        repairs.append("bare program without a fence")
        chosen = [Block("", bare, True)]
    mains = contract.mains if contract is not None else ()
    used = _assemble(chosen, frozenset({_MAIN, *(name for name, _ in mains)}) - {_RUN})
    if len(used) > 1:
        repairs.append(f"joined {len(used)} blocks")
    if any(not block.closed for block in used):
        repairs.append("closing fence added")
    program = "\n".join(block.text.strip("\n") for block in used) + "\n"
    addition = _missing_main(scan(program), mains)
    if addition:
        repairs.append("main added")
        program += addition
    return Extraction(program, tuple(repairs), open=not chosen[-1].closed and chosen[-1] in used)


def _prolog_blocks(text: str, repairs: list[str]) -> list[Block]:
    """Return the blocks that are Prolog, empty ones left out; falls back to blocks tagged as something else."""
    found = [block for block in blocks(text) if block.text.strip()]
    chosen = [b for b in found if b.language in _TAGS or (b.language in _PLAIN and looks_like_prolog(b.text))]
    if not chosen:
        chosen = [b for b in found if b.language not in _PLAIN and looks_like_prolog(b.text, strict=True)]
        repairs += sorted({f"language tag {block.language}" for block in chosen})
    return chosen


def _assemble(found: list[Block], answers: frozenset[Name]) -> list[Block]:
    """Return the last block that runs a goal, with the blocks that define what it calls, in their order."""
    scans = [scan(block.text) for block in found]
    entries = [i for i, one in enumerate(scans) if one.starts or one.defines & answers]
    base = entries[-1] if entries else len(found) - 1
    used = {base}
    if not scans[base].starts:  # a query that stands apart from the definitions it calls
        queries = [i for i, s in enumerate(scans) if s.starts and (s.calls - s.defines) & scans[base].defines]
        used.update(queries[-1:])
    # Nearest first: where an earlier draft defines the same predicate, the later definition is the one meant.
    order = [*reversed(range(base)), *range(base + 1, len(found))]
    changed = True
    while changed:
        changed = False
        defined = frozenset[Name]().union(*(scans[i].defines for i in used))
        missing = frozenset[Name]().union(*(scans[i].calls for i in used)) - defined
        for i in order:
            if i not in used and scans[i].defines & missing:
                used.add(i)
                changed = True
                break
    return [found[i] for i in sorted(used)]


def _missing_main(one: Scan, mains: Sequence[tuple[Name, str]]) -> str:
    """Return the directive that a program without any running goal lacks, or nothing."""
    if one.starts:
        return ""
    for name, directive in ((_MAIN, ":- initialization(main).\n"), *mains):
        if name in one.defines:
            return directive
    return ""


def _bare(text: str) -> str | None:
    """Return the program of a reply without fences, leading and trailing prose cut; None when it holds none."""
    lines = text.splitlines()
    start = next(
        (i for i, line in enumerate(lines) if re.match(r"\s*(?::-|\?-|%|/\*|[a-z]\w*\(|[a-z]\w*\s*:-)", line)), None
    )
    if start is None:
        return None
    end = len(lines)
    while end > start and not re.search(r"(?:\.|\*/)\s*(?:%.*)?$", lines[end - 1]):
        end -= 1
    while end > start and re.match(r"\s*[A-Z][\w']* [^:(]*\.$", lines[end - 1]):  # a closing sentence
        end -= 1
    program = "\n".join(lines[start:end])
    return program if looks_like_prolog(program) else None
