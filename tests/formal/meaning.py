"""A second meaning of the intermediate form: terms evaluated by plain Python, to hold the translation against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from holmes.formal.ir import Apply, Binder, Datatype, Definition, Name, Number, Op, Recursion, Term, Theory


class Meaning:
    """Evaluates terms over a theory; constructors are strings or (string, arguments)."""

    def __init__(self, theory: Theory) -> None:
        self.declared = theory.declarations
        self.constructors = {
            name: len(types)
            for declared in self.declared.values()
            if isinstance(declared, Datatype)
            for name, types in declared.constructors
        }

    def of(self, term: Term, env: Mapping[str, Any]) -> Any:
        """Return the value of a term; functions are Python functions of one argument."""
        match term:
            case Number(value=value):
                return value
            case Name(name=name):
                return env[name] if name in env else self.constant(name)
            case Apply(function=function, args=args):
                found = self.of(function, env)
                for arg in args:
                    found = found(self.of(arg, env))
                return found
            case Binder(kind="fun", variable=variable, body=body):
                return lambda value: self.of(body, {**env, variable: value})
            case Op():
                return self.operator(term, env)
        raise AssertionError(f"no meaning: {term!r:.60}")

    def operator(self, term: Op, env: Mapping[str, Any]) -> Any:
        """Return the value of a built-in operator; connectives and conditionals are lazy."""
        op, args = term.op, term.args
        if op == "if":
            return self.of(args[1] if self.of(args[0], env) else args[2], env)
        if op == "and":
            return all(self.of(arg, env) for arg in args)
        if op == "or":
            return any(self.of(arg, env) for arg in args)
        values = [self.of(arg, env) for arg in args]
        simple: dict[str, Callable[..., Any]] = {
            "true": lambda: True,
            "false": lambda: False,
            "not": lambda x: not x,
            "imp": lambda x, y: not x or y,
            "iff": lambda x, y: x is y,
            "eq": lambda x, y: x == y,
            "le": lambda x, y: x <= y,
            "add": lambda x, y: x + y,
            "sub": lambda x, y: x - y,
            "mul": lambda x, y: x * y,
            "neg": lambda x: -x,
            "list": lambda *x: tuple(x),
        }
        return simple[op](*values)

    def constant(self, name: str) -> Any:
        """Return the value of a constructor or a declared constant."""
        if name in self.constructors:
            return _curried(self.constructors[name], lambda *args: (name, args) if args else name)
        declared = self.declared[name]
        if isinstance(declared, Definition):
            variables = [variable for variable, _ in declared.parameters]
            return _curried(
                len(variables), lambda *args: self.of(declared.body, dict(zip(variables, args, strict=True)))
            )
        assert isinstance(declared, Recursion)
        left = declared.clauses[0][0]
        assert isinstance(left, Apply)
        return _curried(len(left.args), lambda *args: self.recursion(declared, args))

    def recursion(self, declared: Recursion, args: tuple[Any, ...]) -> Any:
        """Return the value of the clause that fits."""
        for left, right in declared.clauses:
            assert isinstance(left, Apply)
            env: dict[str, Any] = {}
            if all(self.fits(pattern, arg, env) for pattern, arg in zip(left.args, args, strict=True)):
                return self.of(right, env)
        raise AssertionError(f"{declared.name}: no clause for {args!r:.80}")

    def fits(self, pattern: Term, value: Any, env: dict[str, Any]) -> bool:
        """Match one argument, binding variables."""
        match pattern:
            case Name(name=name) if name in self.constructors:
                return value == name
            case Name(name=name):
                env[name] = value
                return True
            case Op(op="list"):
                return value == ()
            case Op(op="cons", args=(head, tail)):
                return bool(value) and self.fits(head, value[0], env) and self.fits(tail, value[1:], env)
            case Apply(function=Name(name=name), args=inner):
                return value[0] == name and all(self.fits(p, v, env) for p, v in zip(inner, value[1], strict=True))
        raise AssertionError(f"no pattern: {pattern!r}")


def _curried(count: int, function: Callable[..., Any], *given: Any) -> Any:
    if len(given) == count:
        return function(*given)
    return lambda value: _curried(count, function, *given, value)
