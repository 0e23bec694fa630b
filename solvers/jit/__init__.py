"""Compilation with numba, independent of any solver. Start reading with ``compiled``.

* ``compiled``: the decorators. A function is compiled at its first call, and its machine code is
  stored on disk.
* ``separate``: functions that are compiled only once; compiled callers call them by their address.
* ``box``: memory that passes arguments to such a function, and returns its result.
* ``signatures``: translates annotations into numba types.
* ``simd``: operations that let LLVM use vector registers.
* ``cache``: the folder of the machine code. Its name is a hash of all that the code depends on.
* ``helper``: starts a second process that compiles (``solvers.precompile``), for the window and the
  command line. Scripts and tests compile in their own process.

Only documented parts of numba and llvmlite are used, except in the line of ``compiled`` that is
marked WORKAROUND.
"""
