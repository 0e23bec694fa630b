"""numba, without what takes its time and gains nothing here.

It holds only while functions of this library are compiled: other users of numba keep theirs.
"""

from __future__ import annotations

import contextlib
import functools
import gc
from collections.abc import Callable, Iterator
from typing import Any

from solvers.jit.shortcuts import shortcuts


def in_a_hurry(compile_: Callable[..., Any]) -> Callable[..., Any]:
    """``dispatcher.compile``, quickly."""
    from numba.core.compiler_lock import global_compiler_lock

    @functools.wraps(compile_)
    def quickly(*arguments: Any) -> Any:
        with global_compiler_lock, _without_collector(), _containers(), shortcuts():
            return compile_(*arguments)

    return quickly


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """The garbage collector looks at a million objects again and again, and finds nothing."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextlib.contextmanager
def _containers() -> Iterator[None]:
    """Have numba put code into containers of :func:`_container`."""
    from numba.core.registry import cpu_target

    context: Any = cpu_target.target_context
    codegen = context.codegen()
    before, set_address = codegen._library_class, codegen.set_env
    if before is _container():
        yield
        return
    codegen._library_class = _container()

    def set_where_there_is_one(name: str, environment: Any) -> None:
        # It is a fatal error to ask LLVM for an address that there is none of.
        if codegen._engine.is_symbol_defined(name):
            set_address(name, environment)

    codegen.set_env = set_where_there_is_one
    try:
        yield
    finally:
        codegen._library_class = before
        del codegen.set_env


@functools.cache
def _container() -> type:
    """numba's container of code, turned into machine code only if somebody asks for an address.

    Code that is only linked into other code never is. And its module goes through one round of
    passes instead of three: numba simplifies function by function, and the module in a cheap way,
    before the passes that optimise it, for the sake of counting references, which compiled code
    here does not do.
    """
    from numba.core.codegen import JITCodeLibrary
    from numba.core.environment import lookup_environment

    class Container(JITCodeLibrary):
        _made = False

        def _optimize_functions(self, ll_module: Any) -> None:
            ll_module.data_layout = self._codegen._data_layout

        def _optimize_final_module(self) -> None:
            passes, builder = self._codegen._module_pass_manager()
            passes.run(self._final_module, builder)

        def _finalize_final_module(self) -> None:
            if self._object_caching_enabled and self._compiled_object:
                # There is machine code, from disk.
                self._made = True
                super()._finalize_final_module()
            else:
                self._finalize_dynamic_globals()
                self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            if not self._made and _defines(self._final_module, name):
                self._make()
            return super().get_pointer_to_function(name)

        def _make(self) -> None:
            codegen: Any = self._codegen
            self._made = True
            self._dynamic_globals.clear()
            super()._finalize_final_module()
            # What was linked in had no memory for its environment so far.
            for variable in self._final_module.global_variables:
                environment = lookup_environment(variable.name)
                if environment is not None:
                    codegen.set_env(variable.name, environment)

        def serialize_using_object_code(self) -> Any:
            self._ensure_finalized()
            if self._made:
                return super().serialize_using_object_code()
            return self.serialize_using_bitcode()

    return Container


def _defines(module: Any, name: str) -> bool:
    return any(one.name == name and not one.is_declaration for one in module.functions)
