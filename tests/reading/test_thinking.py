"""Reasoning parted from the reply, in every vendor's spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmes.reading.thinking import apply_stops, final_reply
from tests.reading.growth import growth

DRAFT, REPLY = "Final answer: no", "Final answer: yes"
PAIRS = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<Think>", "</THINK>"),
    ("[THINK]", "[/THINK]"),
    ("<reasoning>", "</reasoning>"),
    ("<mm:think>", "</mm:think>"),
    ("<seed:think>", "</seed:think>"),
    ("<thought>", "</thought>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("◁think▷", "◁/think▷"),
    ("<|think|>", "<|/think|>"),
    ("<scratchpad>", "</scratchpad>"),
    ("< think >", "< / think >"),
    ("<|channel>thought", "<channel|>"),
    ("<unused94>thought\n", "<unused95>"),
]


@pytest.mark.parametrize(("opening", "closing"), PAIRS)
def test_closed_reasoning_is_discarded(opening, closing):
    """Whatever the vendor's spelling, the reply is what stands outside the reasoning."""
    reply = final_reply(f"{opening}{DRAFT}{closing}{REPLY}")
    assert (reply.text, reply.closed) == (REPLY, True)
    assert DRAFT in reply.thinking


@pytest.mark.parametrize(("opening", "closing"), PAIRS)
def test_unclosed_reasoning_leaves_no_reply(opening, closing):
    """A generation cut inside its reasoning has no reply, whatever labels the draft mentions."""
    reply = final_reply(f"{opening}First guess: {DRAFT}. But Rule 3 ... [cut]")
    assert (reply.text, reply.closed) == ("", False)


@pytest.mark.parametrize(("opening", "closing"), PAIRS)
def test_a_closing_tag_alone_ends_reasoning(opening, closing):
    """Where the prompt opened the block, everything before the closing tag is reasoning."""
    assert final_reply(f"{DRAFT}\n{closing}\n{REPLY}").text == REPLY


@pytest.mark.parametrize(
    "text",
    [
        f"<think>a [/THINK] {DRAFT}</think>{REPLY}",
        f"<think>a <think>{DRAFT}</think> b {DRAFT}</think>{REPLY}",
        f"<think>\n<think>\n{DRAFT}</think>{REPLY}",
        f"<think>the tag `<think>` is open. {DRAFT}</think>{REPLY}",
        f"<think>{DRAFT}</think><think>{DRAFT}</think>{REPLY}",
        f"</think></think>{REPLY}",
        f"{DRAFT}</think>{DRAFT}</think>{REPLY}",
        f"<think></think>{REPLY}",
        f"<reasoning><think>{DRAFT}</think> {DRAFT}</reasoning>{REPLY}",
    ],
)
def test_pairs_nest_and_never_cross(text):
    """Only a tag of the family that opened closes it; a doubled opening counts once; a mention is no tag."""
    reply = final_reply(text)
    assert (reply.text, reply.closed) == (REPLY, True)


@pytest.mark.parametrize("text", [f"[THINK]a</think>{REPLY}", f"<think>a</thinking>{REPLY}", f"<think>{DRAFT}</th"])
def test_another_familys_closing_tag_closes_nothing(text):
    """Reasoning opened in one spelling is not closed by another."""
    reply = final_reply(text)
    assert (reply.text, reply.closed) == ("", False)


def test_text_before_and_between_is_reply():
    """What stands before and after reasoning is the reply, in order."""
    assert final_reply("Sure.<think>x</think>\nThe <i>answer</i>").text == "Sure.\nThe <i>answer</i>"
    assert final_reply("no tags at all").text == "no tags at all"


@pytest.mark.parametrize(
    "text",
    [
        "<|channel|>analysis<|message|>Final answer: no<|end|><|start|>assistant<|channel|>final<|message|>{}",
        "<|start|>assistant<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final<|message|>{}",
        "<|channel|>final <|constrain|>json<|message|>{}<|return|>",
        "<|channel|>commentary to=functions.x<|message|>no<|call|><|start|>assistant<|channel|>final<|message|>{}",
        "analysisCould be no, check 152(b).assistantfinal{}",
        "analysis\nno\nassistantcommentarynoassistantfinal\n{}",
        "assistantanalysisLet me see.assistantfinal{}",
        "analysiswe think assistantfinal is drafted: no. assistantfinal{}",
        "final{}",
    ],
)
def test_only_the_final_channel_is_the_reply(text):
    """Harmony transcripts, with markers or with the special tokens dropped, give their final channel."""
    reply = final_reply(text.format("Result: Contradiction"))
    assert (reply.text, reply.closed) == ("Result: Contradiction", True)


@pytest.mark.parametrize(
    "text", ["<|channel|>analysis<|message|>Result: Entailment", "analysisWe need to see. Result: Entailment"]
)
def test_no_final_channel_is_unfinished(text):
    """A transcript cut in its analysis channel has no reply."""
    assert final_reply(text).text == "" and not final_reply(text).closed


def test_prose_about_analysis_is_no_transcript():
    """A reply may begin with the word analysis."""
    assert final_reply("analysis of the facts: Answer: yes").text.endswith("yes")
    assert final_reply("Analysis: long. Final: yes").closed
    assert final_reply("analysis\n1. a [Rule 1]\nAnswer: yes").text.endswith("yes")
    assert final_reply("[Reasoning]\n1. a [Rule 1]\n[Answer] yes").closed
    assert final_reply("[Reasoning]\nno[/Reasoning]yes").text == "yes"


@pytest.mark.parametrize(
    ("text", "stops", "left"),
    [
        ("<think>a\n\nb</think>\nFinal: yes", ["\n\n"], "Final: yes"),
        ("<think>a\n\nb</think>\n\nFinal: yes\n\nQ: next", ["\n\n"], "Final: yes"),
        ("Final: yes\nQ: next", ["", "Q:", "\nQ"], "Final: yes"),
        ("a\n\nb</think>Final: yes", ["\n\n"], "Final: yes"),
        ("analysisA\n\nB.assistantfinalFinal: yes\n\nmore", ["\n\n"], "Final: yes"),
        ("<think>a\n\nb", ["\n\n"], ""),
    ],
)
def test_stops_apply_after_the_reasoning(text, stops, left):
    """A stop sequence inside the reasoning cuts nothing; inside the reply it cuts there."""
    assert final_reply(apply_stops(text, stops)).text == left


@given(
    st.lists(
        st.sampled_from(["<think>", "</think>", "[THINK]", "[/THINK]", "a", "\n", "`", "<|channel|>"]), max_size=12
    )
)
def test_any_text_is_parted(pieces):
    """Nothing crashes, and no reply holds an unquoted tag of reasoning that it closed."""
    reply = final_reply("".join(pieces))
    assert isinstance(reply.text, str) and apply_stops("".join(pieces), []) == "".join(pieces)


@given(st.text(max_size=80))
def test_text_without_tags_is_its_own_reply(text):
    """A reply without reasoning is returned stripped."""
    if "<" not in text and "[" not in text and "◁" not in text and "assistant" not in text and "analysis" not in text:
        assert final_reply(text).text == text.strip() or text.lstrip().startswith("final")


@pytest.mark.parametrize(
    "unit", ["<", "<think>", "</think>", "< ", "[/THINK", "<|channel|>a", "<|channel|>x<|message|>", "◁", "a:"]
)
def test_parting_time_is_linear(unit):
    """Long hostile texts take time in proportion to their length."""
    assert growth(final_reply, unit) < 4
    assert growth(final_reply, unit, head="<think>") < 4
