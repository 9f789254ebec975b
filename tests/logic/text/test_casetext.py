"""Case texts are read back exactly, whatever the phrasing, the order and the names."""

import random
from datetime import date
from fractions import Fraction

import pytest

from holmes.errors import InputError
from holmes.logic.language.model import BOOL, FactDecl, Type
from holmes.logic.language.unparse import number_text
from holmes.logic.narrative.render import case_text, read_case, statements
from holmes.logic.narrative.values import filled, read_value, write_value
from tests.logic.text.lock import lock_keepers

MEMBER = Type(
    "list",
    fields=(
        ("name", Type("name")),
        ("rank", Type("enum", values=("mate", "deck_hand"))),
        ("papers", BOOL),
        ("joined", Type("date")),
    ),
    max=5,
)
FERRY = {
    "crew": FactDecl(
        "crew",
        MEMBER,
        ("the crew",),
        field_says=(
            (
                "rank",
                ("{name} serves as a {v}.", "The rank of {name} is that of a {v}.", "As a {v}, {name} is aboard."),
            ),
            (
                "papers",
                (
                    "Papers were handed in by {names}.",
                    "Those with papers: {names}.",
                    "The mail brought papers from {names}.",
                ),
            ),
            ("joined", ("{name} joined on {v}.", "On {v} the crew took in {name}.", "The day for {name} was {v}.")),
        ),
        complete=True,
    ),
    "sailed_on": FactDecl(
        "sailed_on",
        Type("date"),
        ("the day of sailing",),
        says=("{C} sailed on {v}.", "The ship of {C} left on {v}.", "{v} saw {C} leave."),
    ),
    "income": FactDecl(
        "income",
        Type("money"),
        ("income",),
        says=("{C} took {v} crowns.", "{v} crowns came in for {C}.", "In 1 year {C} earned {v} crowns."),
    ),
    "sky": FactDecl(
        "sky",
        Type("enum", values=("clear", "dark_grey")),
        ("the sky is {v}",),
        says=("The sky was {v}.", "Above it was {v}.", "It was a {v} day."),
    ),
}


def ferry():
    """Return a base with a list, a date, money and an enum."""
    return lock_keepers(
        facts=FERRY, entities={"C": "company"}, names={"C": ("Northern Ferries", "Oar and Sail", "Lark")}
    )


def lock_facts(rng):
    return {
        name: rng.random() < 0.5 if fact.type.kind == "bool" else Fraction(rng.randrange(91))
        for name, fact in lock_keepers().facts.items()
    }


def ferry_facts(rng):
    names = rng.sample(["Anna", "Bert Oak", "Cleo", "D'Arcy", "Émile"[1:].capitalize(), "Jean-Luc"], rng.randrange(6))
    return {
        "crew": tuple(
            {
                "name": name,
                "rank": rng.choice(["mate", "deck_hand"]),
                "papers": rng.random() < 0.5,
                "joined": date(2017, rng.randrange(1, 13), rng.randrange(1, 29)),
            }
            for name in names
        ),
        "sailed_on": date(2018, 2, 3),
        "income": Fraction(rng.randrange(100000), rng.choice([1, 2, 3, 4, 100])),
        "sky": rng.choice(["clear", "dark_grey"]),
    }


@pytest.mark.parametrize(("base", "draw"), [(lock_keepers(), lock_facts), (ferry(), ferry_facts)])
def test_a_thousand_cases_are_read_back_exactly(base, draw):
    """Reading a case text gives the facts it was written from, types and all."""
    for index in range(1000):
        rng = random.Random(f"case/{index}")
        facts = draw(rng)
        silent = {n for n, v in facts.items() if v is False and rng.random() < 0.3}
        entity = next(iter(base.entities))
        text = case_text(base, facts, rng, names={entity: rng.choice(base.names[entity])}, silent=silent)
        assert read_case(base, text) == facts
        assert set(statements(base, text)) == set(facts) - silent


def test_names_outside_the_pool_are_read_when_given():
    """A reader that is told the names needs no pool."""
    base = lock_keepers(names={})
    facts = lock_facts(random.Random("x"))
    text = case_text(base, facts, random.Random("y"), names={"X": "Zora Quill"})
    assert read_case(base, text, names={"X": "Zora Quill"}) == facts


def test_the_phrasing_does_not_depend_on_the_polarity():
    """The same draws pick the same order and the same numbers of phrasings for a true and a false fact."""
    base = lock_keepers()
    facts = {n: True if f.type.kind == "bool" else Fraction(3) for n, f in base.facts.items()}
    for index in range(50):
        first, second = random.Random(f"p/{index}"), random.Random(f"p/{index}")
        texts = [
            case_text(base, facts, first, names={"X": "Ilse"}),
            case_text(base, {**facts, "apprentice": False}, second, names={"X": "Ilse"}),
        ]
        said, denied = base.facts["apprentice"].says, base.facts["apprentice"].denies
        picks = [
            [i for i, s in enumerate(sentences) if s.replace("{X}", "Ilse")[1:-1] in text]
            for sentences, text in zip((said, denied), texts, strict=True)
        ]
        assert picks[0] == picks[1]
        assert len(picks[0]) == 1


def test_every_phrasing_and_every_place_occurs():
    """Phrasing and order vary: each of three phrasings is used, and a fact stands first and last."""
    base, used, places = lock_keepers(), set(), set()
    for index in range(300):
        rng = random.Random(f"v/{index}")
        text = case_text(base, lock_facts(rng), rng, names={"X": "Ilse"})
        used |= {s for s in base.facts["flood_bell"].says if s[1:-1] in text}
        places |= {"first"} if text.startswith(("One could hear", "The bell", "The big")) else set()
        places |= {"last"} if text.split("\n")[-1].endswith(("flood bell.", "tolled.", "hung still.")) else set()
    assert used == set(base.facts["flood_bell"].says)
    assert places == {"first", "last"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t + " It rained.", "'It rained.': found nothing"),
        (lambda t: t + " The big bell tolled. The bell for floods sounded.", "flood_bell stated again"),
        (lambda t: t.replace("12 cm", "twelve cm"), "found nothing"),
        (lambda t: t + " Tobin Oak had set the bell going.", "expected 'Ilse'"),
        (lambda t: "", "found nothing"),
    ],
)
def test_a_text_of_another_hand_is_refused_naming_the_sentence(change, message):
    """A sentence that states no fact, or states one again, is an error that quotes it."""
    base = lock_keepers()
    facts = {n: False if f.type.kind == "bool" else Fraction(12) for n, f in base.facts.items()}
    silent = {"flood_bell", "rang_it_self"}
    text = case_text(base, facts, random.Random("r"), names={"X": "Ilse"}, silent=silent)
    with pytest.raises(InputError, match=message):
        read_case(base, change(text))


@pytest.mark.parametrize(
    ("facts", "silent", "message"),
    [
        ({"apprentice": True}, {"apprentice"}, "apprentice: found True left unsaid"),
        ({"rise_cm": Fraction(3)}, {"rise_cm"}, "rise_cm: found .* left unsaid"),
        ({"rise_cm": True}, set(), "rise_cm: found True, expected a value of type int"),
        ({"apprentice": Fraction(1)}, set(), "apprentice: found .*, expected true or false"),
    ],
)
def test_only_false_booleans_may_be_silent_and_values_are_typed(facts, silent, message):
    """Closed world says that what is not stated did not happen; nothing else can be left out."""
    base = lock_keepers()
    with pytest.raises(InputError, match=message):
        case_text(base, {**lock_facts(random.Random(1)), **facts}, random.Random(2), names={"X": "Ilse"}, silent=silent)


def test_a_phrasing_of_two_facts_is_refused():
    """A sentence that two facts share can never be read."""
    facts = dict(lock_keepers().facts)
    facts["warden_present"] = FactDecl(
        "warden_present", BOOL, ("w",), says=("The big bell tolled.",) * 3, denies=("No.",)
    )
    base = lock_keepers(facts=facts)
    with pytest.raises(InputError, match="flood_bell and warden_present"):
        read_case(base, "The big bell tolled.")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1/2", "0.5"),
        ("-7/4", "-1.75"),
        ("1/3", "1/3"),
        ("1200", "1200"),
        ("1/100", "0.01"),
        ("0", "0"),
        ("-1/8", "-0.125"),
    ],
)
def test_numbers_are_written_exactly(value, text):
    """A finite decimal is written out, another fraction as one; both read back."""
    assert number_text(Fraction(value)) == text
    assert read_value(text, Type("money")) == Fraction(value)


def test_a_day_that_no_calendar_has_is_refused():
    """Only real days are read."""
    assert read_value("29 February 2016", Type("date")) == date(2016, 2, 29)
    with pytest.raises(InputError, match="31 June 2016"):
        read_value("31 June 2016", Type("date"))
    with pytest.raises(InputError, match="expected a value of type enum"):
        write_value("blue", Type("enum", values=("red",)), "colour")


def two_people():
    """Return a base whose sentences name two people and a city that is called like one of them."""
    facts = {
        "sold": FactDecl(
            "sold",
            BOOL,
            ("sold the boat",),
            says=("{X} sold the boat to {Y}.", "{Y} bought the boat from {X}.", "The boat went from {X} to {Y}."),
            denies=("{X} kept the boat.", "{Y} got no boat from {X}.", "The boat stayed with {X}."),
        ),
        "city": FactDecl(
            "city",
            Type("enum", values=("Moss", "Harrow")),
            ("city",),
            says=("{X} lives in {v}.", "The home of {X} is {v}.", "{v} is where {X} lives."),
        ),
        "days": FactDecl(
            "days",
            Type("int"),
            ("day",),
            says=("{Y} waited {v} days.", "Within 2 weeks {Y} counted {v} days.", "{v} of 30 days went by for {Y}."),
        ),
    }
    names = {"X": ("Ann", "Ann Lee", "Moss", "May"), "Y": ("Ann Lee Roe", "Bo", "O'Hara", "Lee")}
    return lock_keepers(facts=facts, entities={"X": "person", "Y": "person"}, names=names)


def test_two_people_with_tangled_names_are_told_apart():
    """One name may begin another, or be the name of a city; values, numbers and names never mix."""
    base = two_people()
    for index in range(600):
        rng = random.Random(f"two/{index}")
        facts = {
            "sold": rng.random() < 0.5,
            "city": rng.choice(["Moss", "Harrow"]),
            "days": Fraction(rng.choice([0, 2, 30, 17])),
        }
        names = {"X": rng.choice(base.names["X"]), "Y": rng.choice(base.names["Y"])}
        text = case_text(base, facts, rng, names=names)
        assert read_case(base, text) == facts
        assert read_case(base, text, names=names) == facts


def test_people_who_change_places_are_noticed():
    """A sentence that gives one entity two names is refused."""
    with pytest.raises(InputError, match="found 'Bo', expected 'Ann'"):
        read_case(two_people(), "Ann sold the boat to Bo. Bo lives in Moss. Bo waited 3 days.")


@pytest.mark.parametrize(
    ("sentence", "one"),
    [
        ("It lasted {v} days.", "It lasted 1 day."),
        ("{v} days were spent on it.", "1 day was spent on it."),
        ("Between the two stamps lie {v} days.", "Between the two stamps lies 1 day."),
        ("{X} has {v} earlier sums to settle.", "{X} has 1 earlier sum to settle."),
        ("{v} people signed at the gate.", "1 person signed at the gate."),
        ("The list has {v} entries.", "The list has 1 entry."),
        ("The speed was {v} km.", "The speed was 1 km."),
        ("In 1 year {C} earned {v} crowns.", "In 1 year {C} earned 1 crown."),
    ],
)
def test_one_of_a_thing_is_told_as_one(sentence, one) -> None:
    """A value of 1 stands before a singular, and its verb agrees; any other value changes nothing."""
    assert filled(sentence, "1") == one
    for value in ("0", "2", "11", "1.5"):
        assert filled(sentence, value) == sentence.replace("{v}", value)


def test_one_crown_is_read_however_it_is_told() -> None:
    """The singular that is written and the plural that older texts have mean the same value."""
    for text in ("Lark took 1 crown.", "Lark took 1 crowns."):
        assert statements(ferry(), text)["income"] == 1
