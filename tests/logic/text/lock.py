"""The first fragment of the sketch as a rule base built by hand, so that the text side is tested without the loader."""

from fractions import Fraction

from holmes.logic.language.model import (
    BOOL,
    And,
    Compare,
    Concept,
    Const,
    Decision,
    FactDecl,
    Not,
    Or,
    Policy,
    Ref,
    Relation,
    RuleBase,
    Type,
)

RISE = Type("int", low=Fraction(0), high=Fraction(90))


def fact(name):
    return Ref(name, "fact")


def concept(name):
    return Ref(name, "concept")


def _bool(name, phrases, says, denies, negated=()):
    return FactDecl(name, BOOL, phrases, negated, says, denies)


FACTS = (
    _bool(
        "opened_sluice",
        ("opening the sluice gate", "opened the sluice gate"),
        ("{X} let the sluice gate up.", "The gate was raised by {X}.", "It was {X} who raised the gate."),
        ("{X} left the sluice gate alone.", "The gate stayed shut that day.", "{X} never touched the gate."),
    ),
    FactDecl(
        "rise_cm",
        RISE,
        ("the lower basin rises by",),
        says=(
            "The lower basin rose by {v} cm.",
            "A rise of {v} cm was read in the lower basin.",
            "In the lower basin the water came up {v} cm.",
        ),
    ),
    _bool(
        "boat_adrift",
        ("a barge breaks loose",),
        ("A barge tore itself off.", "One of the barges came adrift.", "A barge drifted away."),
        ("All the barges lay fast.", "None of the barges came adrift.", "The barges did not move."),
    ),
    _bool(
        "flood_bell",
        ("the flood bell was ringing",),
        ("One could hear the flood bell.", "The bell for floods sounded.", "The big bell tolled."),
        ("The flood bell was silent.", "Nothing was heard of the bell.", "The big bell hung still."),
    ),
    _bool(
        "warden_present",
        ("a lock warden stands by",),
        ("The lock warden stood by.", "The warden was at the lock.", "A warden kept watch."),
        ("The lock warden was away.", "The warden was elsewhere.", "Nobody kept watch at the lock."),
    ),
    _bool(
        "rang_it_self",
        ("rang the flood bell",),
        ("{X} had pulled the rope of the bell.", "The rope was pulled by {X}.", "{X} had set the bell going."),
        (
            "{X} had not pulled the rope.",
            "Somebody other than {X} had set it going.",
            "The rope was not in {X}'s hands.",
        ),
    ),
    _bool(
        "apprentice",
        ("an apprentice",),
        ("{X} was still learning the trade.", "The guild listed {X} as a learner.", "{X} had a master to obey."),
        ("{X} had finished the training.", "The guild listed {X} as a keeper.", "{X} no longer had a master."),
    ),
    _bool(
        "saw_rising",
        ("seen the river rising",),
        ("{X} had watched the river swell.", "The swelling river was known to {X}.", "{X} had noticed the high water."),
        ("{X} had not looked at the river.", "The high water had escaped {X}.", "{X} knew nothing of the water."),
    ),
)
CONCEPTS = (
    Concept(
        "unwatched_release",
        1,
        ("unwatched release",),
        BOOL,
        And((fact("opened_sluice"), Not(fact("warden_present")))),
        "Opening the sluice gate while not even one lock warden stands by is an unwatched release.",
    ),
    Concept(
        "dangerous_surge",
        2,
        ("dangerous surge",),
        BOOL,
        Or((Compare(">=", fact("rise_cm"), Const(Fraction(40), RISE)), fact("boat_adrift"))),
        "There is a dangerous surge if the lower basin rises by 40 cm or more or a barge breaks loose.",
    ),
)
UNWATCHED, SURGE = concept("unwatched_release"), concept("dangerous_surge")
POLICIES = (
    Policy("release", 3, "Whoever commits an unwatched release is fined.", when=UNWATCHED, consequence="fine"),
    Policy(
        "surge",
        4,
        "Whoever commits an unwatched release, and there is a dangerous surge, loses the post.",
        when=And((UNWATCHED, SURGE)),
        consequence="loss_of_post",
    ),
    Policy(
        "learner",
        5,
        "Whoever commits an unwatched release and is an apprentice is warned.",
        when=And((UNWATCHED, fact("apprentice"))),
        consequence="warning",
    ),
    Policy(
        "alarm",
        6,
        "Where the flood bell was ringing, no measure is taken.",
        when=fact("flood_bell"),
        consequence="no_measure",
    ),
    Policy(
        "false_alarm",
        7,
        "Rule 6 does not help a person who rang the flood bell and had not seen the river rising.",
        when=And((fact("rang_it_self"), Not(fact("saw_rising")))),
    ),
)
RELATIONS = (
    Relation("stronger", "learner", ("release",), 8, text="Rule 5 takes priority over Rule 3."),
    Relation(
        "exception", "alarm", ("release", "surge", "learner"), 9, text="Rule 6 is an exception to Rules 3, 4 and 5."
    ),
    Relation("exception", "false_alarm", ("alarm",), 7, True),
)
LABELS = (
    ("loss_of_post", ("loss of post", "loses the post", "is removed from the post")),
    ("fine", ("fine", "is fined", "has to pay a fine")),
    ("warning", ("warning", "is warned")),
    ("no_measure", ("no measure", "no measure is taken")),
)
ORDER = tuple(name for name, _ in LABELS)
DECISION = Decision(
    Type("enum", values=ORDER),
    10,
    "If several measures remain, only the gravest is taken; if none remains, no measure is taken.",
    "gravest",
    ORDER,
    otherwise="no_measure",
    labels=LABELS,
)


def lock_keepers(**changes):
    """Return the rule base; `changes` replace fields."""
    values = {
        "name": "lock_keepers",
        "path": "lock.yaml",
        "defeat": "grounded",
        "closed_world": True,
        "entities": {"X": "person"},
        "facts": {f.name: f for f in FACTS},
        "integrity": (),
        "concepts": {c.name: c for c in CONCEPTS},
        "tables": {},
        "policies": {p.name: p for p in POLICIES},
        "families": {},
        "relations": RELATIONS,
        "decision": DECISION,
        "amount": None,
        "fingerprint": "",
        "names": {"X": ("Mara Venn", "Ilse", "Tobin Oak", "Ann")},
    }
    return RuleBase(**{**values, **changes})
