"""Printing of the intermediate form for HOL Light: one phrase a declaration, in the words of `checker.ml`."""

from __future__ import annotations

from holmes.formal.ir import (
    Apply,
    Binder,
    Datatype,
    Declaration,
    Definition,
    FormalType,
    Function,
    Grounded,
    ListOf,
    Name,
    Named,
    Number,
    Op,
    Recursion,
    Term,
)

_INFIX = {"and": "/\\", "or": "\\/", "imp": "==>", "iff": "<=>", "eq": "=", "le": "<=", "add": "+", "sub": "-", "mul": "*"}
_BINDERS = {"fun": "\\", "all": "!", "some": "?"}
_AND = " /\\\n  "
VARIABLES = {"'p": "P_", "'c": "C_", "'a": "A_"}


def type_text(type_: FormalType) -> str:
    """Return a type in HOL Light's notation."""
    match type_:
        case Named(name=name):
            return VARIABLES.get(name, name)
        case ListOf(of=of):
            return f"({type_text(of)})list"
        case Function(source=source, target=target):
            return f"({type_text(source)}->{type_text(target)})"


def term_text(term: Term) -> str:
    """Return a term in HOL Light's notation, with all its parentheses."""
    match term:
        case Name(name=name):
            return name
        case Number(value=value):
            return f"(&{value})" if value >= 0 else f"(-- &{-value})"
        case Apply(function=function, args=args):
            return f"({' '.join(map(term_text, (function, *args)))})"
        case Binder(kind=kind, variable=variable, type=type_, body=body):
            return f"({_BINDERS[kind]}{variable}:{type_text(type_)}. {term_text(body)})"
        case Op(op=op, args=args):
            return _operator(op, [term_text(arg) for arg in args])


def _operator(op: str, args: list[str]) -> str:
    match op:
        case "true" | "false":
            return "T" if op == "true" else "F"
        case "undefined":
            return "h_undefined"
        case "not":
            return f"(~{args[0]})"
        case "neg":
            return f"(--{args[0]})"
        case "if":
            return f"(if {args[0]} then {args[1]} else {args[2]})"
        case "list":
            return f"[{'; '.join(args)}]"
        case "cons":
            return f"(CONS {args[0]} {args[1]})"
        case _:
            return f"({f' {_INFIX[op]} '.join(args)})"


def declaration_text(declaration: Declaration) -> str:
    """Return the phrase that declares something."""
    match declaration:
        case Datatype(name=name, constructors=constructors):
            made = [" ".join([c, *(f"({type_text(t)})" for t in types)]) for c, types in constructors]
            return f'H_type "{name}" "{" | ".join(made)}";;'
        case Definition(name=name, parameters=parameters, type=type_, body=body, note=note):
            left = " ".join([name, *(f"({v}:{type_text(t)})" for v, t in parameters)])
            sign = "<=>" if type_ == Named("bool") else "="
            return f"{_note(note)}H_def `{left} {sign} {term_text(body)}`;;"
        case Recursion(name=name, type=type_, over=over, clauses=clauses, note=note):
            told = [_clause(name, type_, left, right, first=not n) for n, (left, right) in enumerate(clauses)]
            return f'{_note(note)}H_rec "{over}" `{_AND.join(told)}`;;'
        case Grounded(name=name, semantics=semantics, overrides=overrides, applies=applies, losers=losers, relations=related):
            rows = "; ".join(f"`{p}`,`{s}`,[{'; '.join(f'`{w}`' for w, _ in winners)}]" for p, s, winners in losers)
            names = "; ".join(f'"{r}"' for r in related)
            goal = f"!U. {semantics} {overrides} U ({applies} U)"
            return f'H_defeat "{name}" `{goal}` "{overrides}" [{names}] "{applies}" [{rows}];;'


def _clause(name: str, type_: FormalType, left: Term, right: Term, *, first: bool) -> str:
    assert isinstance(left, Apply)
    shown = f"(({name}:{type_text(type_)}) {' '.join(map(term_text, left.args))})" if first else term_text(left)
    free = sorted(_variables(left))
    bound = f"!{' '.join(free)}. " if free else ""
    return f"({bound}{shown} = {term_text(right)})"


def _variables(left: Apply) -> set[str]:
    """Return the variables of the left side of an equation: names of one sign or of those that the theories use."""
    found: set[str] = set()
    for arg in left.args:
        match arg:
            case Name(name=name) if "_" not in name:
                found.add(name)
            case Apply(args=args) | Op(args=args):
                found |= {a.name for a in args if isinstance(a, Name) and "_" not in a.name}
    return found


def _note(note: str) -> str:
    safe = note.replace("(*", "( *").replace("*)", "* )").replace('"', "'").replace("`", "'")
    return f"(* {safe} *)\n" if note else ""
