"""Extraction: every kind of fence, joined blocks, drafts, missing ends and mains."""

from __future__ import annotations

import pytest

from holmes.prolog import extract_program
from holmes.registry import program_contract

FACT = "tax(5)."


@pytest.mark.parametrize(
    "reply",
    [
        "```Prolog\ntax(5).\n```",
        "```pl\ntax(5).\n```",
        "```swi-prolog\ntax(5).\n```",
        "```swipl\ntax(5).\n```",
        "```SWI\ntax(5).\n```",
        "```plaintext\ntax(5).\n```",
        "```\ntax(5).\n```",
        "~~~prolog\ntax(5).\n~~~",
        "````prolog\ntax(5).\n````",
        "1. code:\n   ```prolog\n   tax(5).\n   ```",
        "```prolog\r\ntax(5).\r\n```\r\n",
        '```{.prolog title="x"}\ntax(5).\n```',
        "> ```prolog\n> tax(5).\n> ```",
    ],
)
def test_every_fence_is_read(reply: str) -> None:
    """Tags in any case, tildes, longer fences, list items, quotes and CRLF hold the same program."""
    found = extract_program(reply)
    assert found.program == FACT + "\n" and found.repairs == () and not found.open


def test_a_missing_end_is_repaired_and_named() -> None:
    """A fence open at the end of the reply is closed there."""
    found = extract_program("Here:\n```prolog\ntax(5).\n:- halt.")
    assert found.program == "tax(5).\n:- halt.\n" and found.repairs == ("closing fence added",) and found.open


def test_facts_and_query_in_two_blocks_are_joined() -> None:
    """A block that calls what it does not define is joined with the block that does."""
    found = extract_program("Facts:\n```prolog\na(1).\n```\nQuery:\n```prolog\n:- a(X), print(X).\n:- halt.\n```")
    assert found.program == "a(1).\n:- a(X), print(X).\n:- halt.\n" and found.repairs == ("joined 2 blocks",)


def test_joining_takes_the_nearest_definition_and_follows_calls() -> None:
    """Facts, two drafts of the rules, and a query: facts, the second draft and the query are used."""
    found = extract_program(
        "```prolog\nincome(10).\n```\n```prolog\ntax(T) :- income(T).\n```\nBetter:\n"
        "```prolog\ntax(T) :- income(I), T is I*2.\n```\n```prolog\n:- tax(T), print(T).\n```"
    )
    assert found.program == "income(10).\ntax(T) :- income(I), T is I*2.\n:- tax(T), print(T).\n"
    assert found.repairs == ("joined 3 blocks",)


def test_the_query_may_come_first() -> None:
    """A query block before its rules is joined in the order of the reply."""
    found = extract_program("```prolog\n:- initialization(main).\n```\n```prolog\nmain :- print(1).\n```")
    assert found.program == ":- initialization(main).\nmain :- print(1).\n"


def test_a_draft_is_not_joined_to_a_complete_program() -> None:
    """The last complete program stands alone."""
    found = extract_program("Draft:\n```prolog\nold.\n```\nFinal:\n```prolog\n:- writeln(new).\n:- halt.\n```")
    assert found.program == ":- writeln(new).\n:- halt.\n" and found.repairs == ()


def test_a_closing_remark_in_a_fence_does_not_replace_the_program() -> None:
    """Output samples and a snippet that starts nothing, after the program, are left aside."""
    reply = (
        "```prolog\n:- use_module(library(lists)).\ntax(5).\n:- tax(X), print(X).\n```\n"
        "It prints\n```\nTax result: 5\n```\n"
        "The key fact is\n```prolog\ntax(5).\n```"
    )
    assert extract_program(reply).program == ":- use_module(library(lists)).\ntax(5).\n:- tax(X), print(X).\n"


def test_other_languages_are_ignored_unless_they_hold_prolog() -> None:
    """A Python block is no program; Prolog under a wrong tag is taken and the tag named."""
    assert extract_program("```python\nprint(1)\n```").program is None
    found = extract_program("```perl\nfoo(X) :- X > 1.\n:- foo(2), writeln(ok).\n```")
    assert found.program is not None and found.repairs == ("language tag perl",)


def test_drafts_in_thinking_are_ignored() -> None:
    """Only the reply after the thinking counts; an unclosed thinking block leaves none."""
    draft = "```prolog\n:- writeln(draft).\n```"
    assert extract_program(f"<think>{draft}</think>\n```prolog\n:- writeln(final).\n```").program == (
        ":- writeln(final).\n"
    )
    found = extract_program(f"<think>{draft}")
    assert found.program is None and found.open and "thinking" in found.note


def test_a_bare_program_is_taken_only_on_demand() -> None:
    """Without a fence there is no program, unless the option accepts it; prose around it is cut."""
    bare = "Here is my program.\ntax(5).\n:- tax(X), format('Tax result: ~w~n',[X]).\n:- halt.\nIt prints the tax."
    assert extract_program(bare).program is None
    found = extract_program(bare, accept_bare=True)
    assert found.program == "tax(5).\n:- tax(X), format('Tax result: ~w~n',[X]).\n:- halt.\n"
    assert found.repairs == ("bare program without a fence",)
    assert extract_program("I cannot answer that.", accept_bare=True).program is None


@pytest.mark.parametrize(
    ("domain", "text", "added"),
    [
        ("deontic_uscis_release", "decision('Accepted').", "decision(Answer)"),
        ("deontic_uscis", ":- dynamic x/1.\ndecision(R) :- R = 'Dismissed'.", "decision(Answer)"),
        ("deontic_uscis", "decision('Accepted').\nrun :- decision(X), writeln(X).", "initialization(run)"),
        ("deontic_housing", "housing_answer(yes).", "housing_answer(Answer)"),
        ("deontic_airline", "main :- format('Total cost: 1~n').", "initialization(main)"),
        ("deontic_uscis", "decision('Accepted').\n:- decision(X), writeln(X).", ""),
        ("deontic_airline", "decision('Accepted').", ""),
        ("deontic_uscis", "% decision(X) :- main.\nfoo(decision).", ""),
    ],
)
def test_a_missing_main_is_added_where_the_domain_says_so(domain: str, text: str, added: str) -> None:
    """A program that answers but runs nothing is given a main, and the repair is named."""
    found = extract_program(f"```prolog\n{text}\n```", contract=program_contract(domain))
    assert found.program is not None and found.program.startswith(text)
    assert (found.repairs == ("main added",)) == bool(added)
    assert added in found.program[len(text) :] if added else found.program == text + "\n"


def test_no_reply_and_no_block_say_so() -> None:
    """Nothing, white space and prose give no program and a note."""
    for text in ("", " \n", "I do not know."):
        found = extract_program(text)
        assert found.program is None and found.note


@pytest.mark.parametrize(
    "unit", ["`", "```", "```prolog\n", "/*", "'", '"', "a(", ":- ", "\\", "<think>", "0'", "%\n", "~"]
)
def test_long_hostile_replies_take_linear_time(unit: str) -> None:
    """A hundred thousand characters of one odd token are read without blowing up."""
    extract_program(
        "```prolog\n" + unit * (100_000 // len(unit)), accept_bare=True, contract=program_contract("deontic_uscis")
    )
    extract_program(unit * (100_000 // len(unit)), accept_bare=True)
