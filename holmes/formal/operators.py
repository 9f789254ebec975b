"""The theory that all others build on: operators over policies, relations between policies, lists and choices."""

from __future__ import annotations

from holmes.formal.ir import (
    BOOL,
    FALSE,
    INT,
    TRUE,
    Apply,
    Binder,
    Declaration,
    Definition,
    FormalType,
    ListOf,
    Name,
    Named,
    Number,
    Op,
    Recursion,
    Term,
    arrows,
    call,
)

P, C, A = Named("'p"), Named("'c"), Named("'a")
POLICY = arrows(C, BOOL)  # a policy as a value: the set of cases that it covers
FAMILY = arrows(P, C, BOOL)  # what a name of a policy covers
RELATION = arrows(P, P, BOOL)


def _v(name: str, *args: Term) -> Term:
    return Apply(Name(name), args) if args else Name(name)


def _define(
    name: str, parameters: list[tuple[str, FormalType]], body: Term, type_: FormalType = BOOL, note: str = ""
) -> Definition:
    return Definition(name, tuple(parameters), type_, body, note)


_c, _p, _q = Name("c"), Name("p"), Name("q")


def _beaten(name: str, by: str) -> Definition:
    return _define(
        name,
        [("R", RELATION), (by, FAMILY), ("p", P), ("c", C)],
        Binder("some", "q", P, Op("and", (_v("R", _q, _p), _v(by, _q, _c)))),
        note="some policy that overrides p covers the case",
    )


def _semantics(name: str, by: str, note: str) -> Definition:
    body = Op(
        "iff",
        (_v("A", _p, _c), Op("and", (_v("U", _p, _c), Op("not", (call("h_beaten", Name("R"), Name(by), _p, _c),))))),
    )
    return _define(
        name,
        [("R", RELATION), ("U", FAMILY), ("A", FAMILY)],
        Binder("all", "p", P, Binder("all", "c", C, body)),
        note=note,
    )


def _relation(name: str, body: Term, note: str) -> Definition:
    """A relation between two policies, over the cases that can occur (R)."""
    return _define(
        name,
        [("R", POLICY), ("P", POLICY), ("Q", POLICY)],
        Binder("all", "c", C, Op("imp", (_v("R", _c), body))),
        note=note,
    )


_P, _Q = _v("P", _c), _v("Q", _c)


def _listed(name: str, neutral: Term, join: str) -> Recursion:
    f, x, xs = Name("f"), Name("x"), Name("xs")
    nil, more = Op("list"), Op("cons", (x, xs))
    return Recursion(
        name,
        arrows(arrows(A, BOOL), ListOf(A), BOOL),
        "list",
        (
            (call(name, f, nil), neutral),
            (call(name, f, more), Op(join, (Apply(f, (x,)), call(name, f, xs)))),
        ),
    )


def _summed() -> Recursion:
    f, x, xs = Name("f"), Name("x"), Name("xs")
    name = "h_total"
    return Recursion(
        name,
        arrows(arrows(A, INT), ListOf(A), INT),
        "list",
        (
            (call(name, f, Op("list")), Number(0)),
            (call(name, f, Op("cons", (x, xs))), Op("add", (Apply(f, (x,)), call(name, f, xs)))),
        ),
    )


def _first() -> Recursion:
    applies, result, none, x, xs = Name("A"), Name("f"), Name("d"), Name("x"), Name("xs")
    name = "h_first"
    return Recursion(
        name,
        arrows(arrows(P, BOOL), arrows(P, A), A, ListOf(P), A),
        "list",
        (
            (call(name, applies, result, none, Op("list")), none),
            (
                call(name, applies, result, none, Op("cons", (x, xs))),
                Op("if", (Apply(applies, (x,)), Apply(result, (x,)), call(name, applies, result, none, xs))),
            ),
        ),
        note="the consequence of the first policy that applies, in an order of policies",
    )


def _everywhere(name: str, inner: str, note: str) -> Definition:
    body = call(inner, Binder("fun", "P", POLICY, _v("P", _c)), Name("Ps"))
    return _define(name, [("Ps", ListOf(POLICY)), ("c", C)], body, note=note)


OPERATORS: tuple[Declaration, ...] = (
    _define(
        "h_greatest", [("x", INT), ("y", INT)], Op("if", (Op("le", (Name("x"), Name("y"))), Name("y"), Name("x"))), INT
    ),
    _define(
        "h_least", [("x", INT), ("y", INT)], Op("if", (Op("le", (Name("x"), Name("y"))), Name("x"), Name("y"))), INT
    ),
    _listed("h_every", TRUE, "and"),
    _listed("h_some", FALSE, "or"),
    _summed(),
    _first(),
    _beaten("h_beaten", "A"),
    _semantics("h_grounded", "A", "grounded defeat: a policy applies unless one that overrides it applies"),
    _semantics("h_one_pass", "U", "one pass: a policy applies unless one that overrides it is triggered"),
    _define(
        "h_defeated",
        [("U", FAMILY), ("A", FAMILY), ("p", P), ("c", C)],
        Op("and", (_v("U", _p, _c), Op("not", (_v("A", _p, _c),)))),
        note="triggered and yet not applying",
    ),
    _define(
        "h_transformed",
        [("P", POLICY), ("E", POLICY), ("c", C)],
        Op("or", (_P, _v("E", _c))),
        note="a policy with an exemption",
    ),
    _define(
        "h_except",
        [("P", POLICY), ("E", POLICY), ("c", C)],
        Op("and", (_P, Op("not", (_v("E", _c),)))),
        note="a policy except where another one covers the case",
    ),
    _everywhere("h_all_of", "h_every", "all of several policies"),
    _everywhere("h_any_of", "h_some", "at least one of several policies"),
    _relation("h_subsumes", Op("imp", (_P, _Q)), "whatever P covers, Q covers"),
    _relation("h_equivalent", Op("iff", (_P, _Q)), "P and Q cover the same cases"),
    _relation("h_exclusive", Op("not", (Op("and", (_P, _Q)),)), "P and Q cover no case together"),
    _define(
        "h_comparable",
        [("R", POLICY), ("P", POLICY), ("Q", POLICY)],
        Op(
            "or",
            (call("h_subsumes", Name("R"), Name("P"), Name("Q")), call("h_subsumes", Name("R"), Name("Q"), Name("P"))),
        ),
        note="one of the two covers whatever the other covers",
    ),
    _define(
        "h_throughout",
        [("M", arrows(P, BOOL)), ("G", arrows(P, BOOL))],
        Binder("all", "p", P, Op("imp", (_v("M", _p), _v("G", _p)))),
        note="a property of all policies of a family",
    ),
)
NAMES = frozenset(declaration.name for declaration in OPERATORS)
