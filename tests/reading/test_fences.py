"""Fenced code blocks: every spelling that models use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmes.reading.fences import Block, blocks, outside
from tests.reading.growth import growth


@pytest.mark.parametrize("info", ["Prolog", "pl", "swi-prolog", "PROLOG", "swipl", "plaintext", "", "{.prolog}"])
def test_any_info_string_opens_a_block(info):
    """The info string is free text; the language is its first word in lower case."""
    (block,) = blocks(f"```{info}\ntax(5).\n```")
    assert (block.text, block.closed) == ("tax(5).", True)
    assert block.language == info.lower().strip("{}.")


@pytest.mark.parametrize(
    "text",
    [
        "~~~prolog\ntax(5).\n~~~",
        "````prolog\ntax(5).\n````",
        "1. code:\n   ```prolog\n   tax(5).\n   ```",
        "```prolog\r\ntax(5).\r\n```",
        "```prolog\rtax(5).\r```",
        "- ```prolog\n  tax(5).\n  ```",
        "> ```prolog\n> tax(5).\n> ```",
        "``` prolog\ntax(5).\n```  ",
        "      ```prolog\n      tax(5).\n      ```",
        "```prolog\ntax(5).\n`````",
        "Here it is: ```prolog\ntax(5).\n```",
        "```prolog\ntax(5).```",
        "text\n\n```prolog title=x\ntax(5).\n```\nmore",
    ],
)
def test_every_kind_of_fence_gives_the_program(text):
    """Tilde, longer, indented, quoted, listed, late and glued fences all hold the same program."""
    (block,) = blocks(text)
    assert (block.language, block.text, block.closed) == ("prolog", "tax(5).", True)


def test_an_open_fence_ends_with_the_text():
    """CommonMark closes an open block at the end of the document; the block says that it was not closed."""
    (block,) = blocks("```prolog\ntax(5).\n:- halt.")
    assert (block.text, block.closed) == ("tax(5).\n:- halt.", False)


def test_a_new_opening_ends_an_open_block():
    """A forgotten closing fence does not swallow the next block."""
    first, second = blocks("```prolog\na.\n\n```prolog\nb.\n```")
    assert (first.text, first.closed, second.text, second.closed) == ("a.\n", False, "b.", True)


def test_shorter_and_other_fences_are_content():
    """A shorter run, or the other character, does not close."""
    (block,) = blocks("````\n```prolog\n~~~\n```\n````")
    assert block.text == "```prolog\n~~~\n```"


@pytest.mark.parametrize("text", ["no fence", "a ```code``` span", "```one``` and ```two```", "``\nx\n``", "```Yes```"])
def test_code_spans_are_no_blocks(text):
    """Three backticks on one line around one word or within prose open nothing."""
    assert blocks(text) == []


def test_a_block_on_one_line():
    """A whole program between fences on one line is a block."""
    assert blocks("```prolog a. :- halt. ```")[0].text == "a. :- halt."


def test_blank_lines_and_deeper_indentation_are_kept():
    """Only the indentation of the opening is removed; blank lines stay."""
    (block,) = blocks("  ```\n  a :-\n    b.\n\n c.\n  ```")
    assert block.text == "a :-\n  b.\n\nc."


def test_offsets_and_prose():
    """Offsets cover the fences; what is outside is the prose."""
    text = "one\n```x\na\n```\ntwo\n~~~\nb"
    assert [text[b.start : b.end] for b in blocks(text)] == ["```x\na\n```\n", "~~~\nb"]
    assert outside(text) == "one\n\ntwo\n\n"


@given(st.text(alphabet="`~ab>\n\r -1.\t", max_size=60))
def test_any_text_is_read(text):
    """Nothing crashes, and blocks stand in order without overlap."""
    position = 0
    for block in blocks(text):
        assert isinstance(block, Block) and position <= block.start < block.end <= len(text)
        position = block.end


@given(st.lists(st.text(alphabet="abc .:-\n", max_size=20).map(lambda s: s.strip("\n") or "a"), max_size=4))
def test_what_is_fenced_is_read_back(programs):
    """Blocks written with fences come back unchanged."""
    text = "prose\n".join(f"```prolog\n{p}\n```\n" for p in programs)
    assert [b.text for b in blocks(text)] == programs


@pytest.mark.parametrize("unit", ["`", "~", " ", "> ", "a ", "```\n", "``` a ", "```a\n", "- ", "1. "])
def test_reading_time_is_linear(unit):
    """Long hostile lines take time in proportion to their length."""
    assert growth(blocks, unit, head="```x ", small=5_000) < 4
    assert growth(blocks, unit, small=5_000) < 4
