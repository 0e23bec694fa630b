"""Shorter ways through numba's own Python, taken while functions of this library are compiled.

Each of them gives the same answer as what it stands in for, and says why; together they save a
third of numba's time in Python. They know one numba inside out (pyproject.toml asks for it); with
another one, or with a part that is not where it was, numba goes its ordinary way.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

# The numba that this file was written for.
VERSION = "0.68."


@contextlib.contextmanager
def shortcuts() -> Iterator[None]:
    """Take them all; may be nested. Only for who holds the compiler's lock."""
    ways = _all_shortcuts()
    before = [vars(owner)[name] for owner, name, _ in ways]
    for owner, name, shorter in ways:
        setattr(owner, name, shorter)
    try:
        yield
    finally:
        for (owner, name, _), original in zip(ways, before, strict=True):
            setattr(owner, name, original)


@functools.cache
def _all_shortcuts() -> list[tuple[Any, str, Any]]:
    """What is replaced: where it is, its name, and by what."""
    import numba

    if not numba.__version__.startswith(VERSION):
        return []
    made = []
    for make in _PARTS:
        # A part that is not where it was is left as it is.
        with contextlib.suppress(ImportError, AttributeError):
            made += [way for way in make() if way[1] in vars(way[0])]
    return made


def _flags() -> list[tuple[Any, str, Any]]:
    """Compare and hash the flags of a compilation without looking at their defaults.

    numba hashes the sorted *names* of all flags, the same at all times, and compares two dicts of
    all values, made anew. Flags are part of the key of every overload that is looked up.
    """
    from numba.core.targetconfig import TargetConfig

    compare = TargetConfig.__eq__

    def is_equal(self: Any, other: Any) -> Any:
        if type(self) is type(other) and self._values == other._values:
            return True
        return compare(self, other)

    @functools.cache
    def hash_of(kind: Any) -> int:
        return hash(tuple(sorted(kind.options)))

    def hash_(self: Any) -> int:
        return hash_of(type(self))

    return [(TargetConfig, "__eq__", is_equal), (TargetConfig, "__hash__", hash_)]


def _calls() -> list[tuple[Any, str, Any]]:
    """Find out once what an operator does with certain types.

    numba tries the templates of ``+`` one after the other at every sum, most of which are for
    other things than numbers. Only what does not depend on flags is noted: a builtin operation,
    which is looked up by its own name when code is made of it.
    """
    from numba.core.types.functions import BaseFunction

    resolve = BaseFunction.get_call_type
    known: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        key = (id(self), id(context), args) if type(args) is tuple and not kws else None
        found = known.get(key)
        if found is not None:
            return found[0]
        signature = resolve(self, context, args, kws)
        impl_key = self._impl_keys.get(getattr(signature, "args", None))
        if key is not None and impl_key is self.typing_key:
            # With what the numbers in the key stand for, so that they stay its own.
            known[key] = signature, self, context
        return signature

    return [(BaseFunction, "get_call_type", get_call_type)]


def _inlining() -> list[tuple[Any, str, Any]]:
    """Put a callee into its caller without copying it twice.

    It has been made for this one call, and nobody looks at it afterwards.
    """
    from numba.core import inline_closurecall
    from numba.core.inline_closurecall import InlineWorker

    copy = inline_closurecall.copy
    no_copy = SimpleNamespace(deepcopy=lambda one: one)

    def inline_function(
        self: Any, caller: Any, block: Any, i: Any, function: Any, arg_typs: Any = None
    ) -> Any:
        callee = self.run_untyped_passes(function)
        names = function.__code__.co_freevars
        inline_closurecall.copy = no_copy
        try:
            return self.inline_ir(caller, block, i, callee, names, arg_typs=arg_typs)
        finally:
            inline_closurecall.copy = copy

    return [(InlineWorker, "inline_function", inline_function)]


def _variables() -> list[tuple[Any, str, Any]]:
    """List the variables of an instruction in one list, not in one for each of its parts."""
    from numba.core.ir import Inst, Loc, Var

    list_variables: Any = Inst._rec_list_vars
    plain = {str, int, float, bool, type(None), Loc}

    def gather(value: Any, found: list[Any]) -> None:
        kind = type(value)
        if kind is Var:
            found.append(value)
        elif kind in plain:
            return
        elif kind is dict:
            for part in value.values():
                gather(part, found)
        elif kind is list or kind is tuple:
            for part in value:
                gather(part, found)
        else:
            found += list_variables(None, value)

    def rec_list_vars(self: Any, value: Any) -> list[Any]:
        kind = type(value)
        if kind is not dict and kind is not list and kind is not tuple:
            return list_variables(self, value)
        found: list[Any] = []
        gather(value, found)
        return found

    return [(Inst, "_rec_list_vars", rec_list_vars)]


def _sizes() -> list[tuple[Any, str, Any]]:
    """Note the sizes of numbers and pointers: numba has LLVM read a module to learn one."""
    from llvmlite import ir
    from numba.core.base import BaseContext

    simple = (ir.IntType, ir.DoubleType, ir.FloatType, ir.PointerType)

    def noted(measure: Callable[..., int]) -> Callable[..., int]:
        known: dict[Any, int] = {}

        def measured(self: Any, kind: Any) -> int:
            if not isinstance(kind, simple):
                return measure(self, kind)
            key = self, str(kind)
            if key not in known:
                known[key] = measure(self, kind)
            return known[key]

        return measured

    names = "get_abi_sizeof", "get_abi_alignment"
    return [(BaseContext, name, noted(getattr(BaseContext, name))) for name in names]


def _registries() -> list[tuple[Any, str, Any]]:
    """Look through numba's registries only if something was added to one of them.

    numba looks whenever it does not find an operation under a type, but under its class.
    """
    from numba.core.base import BaseContext

    refresh = BaseContext.refresh
    seen: dict[Any, int] = {}

    def contents(context: Any) -> int:
        parts = "functions", "getattrs", "setattrs", "casts", "constants", "attributes", "globals"
        known = [*context._registries, *context.typing_context._registries]
        return sum(len(getattr(one, part, ())) for one in known for part in parts)

    def refresh_if_new(self: Any) -> None:
        if seen.get(self) != contents(self):
            refresh(self)
            seen[self] = contents(self)

    return [(BaseContext, "refresh", refresh_if_new)]


def _colours() -> list[tuple[Any, str, Any]]:
    """Do not colour messages for a terminal: numba writes one for each template that does not fit.

    Nearly all of them are thrown away.
    """
    from numba.core import errors

    class Plain:
        def __getattr__(self, name: str) -> Callable[[str], str]:
            return str

    plain = Plain()
    return [(errors, "_termcolor_inst", plain)]


def _lifetimes() -> list[tuple[Any, str, Any]]:
    """Find out how long variables live when that is asked for, not after every pass.

    What is left out, the variables at the entry of each block, is for generators and Python mode.
    """
    from numba.core import transforms
    from numba.core.postproc import PostProcessor, VariableLifetime

    run = PostProcessor.run

    def run_briefly(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        code = self.func_ir
        if code.is_generator:
            run(self, emit_dels, extend_lifetimes)
            return
        code.blocks = transforms.canonicalize_cfg(code.blocks)
        code.variable_lifetime = VariableLifetime(code.blocks)
        code.generator_info = None
        if emit_dels:
            self._insert_var_dels(extend_lifetimes=extend_lifetimes)

    return [(PostProcessor, "run", run_briefly)]


_PARTS = (
    _flags,
    _calls,
    _inlining,
    _variables,
    _lifetimes,
    _sizes,
    _registries,
    _colours,
)
