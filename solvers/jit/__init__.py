"""Compilation with numba, independent of any solver. Start with ``compiled``.

* ``compiled``: the decorators. A function is compiled at its first call; its code is kept on disk.
* ``separate``: functions that are compiled once and called through their address.
* ``box``: the memory that passes arguments to those functions and returns their result.
* ``signatures``: translates annotations into numba types.
* ``simd``: operations that let LLVM use vector registers.
* ``cache``: the folder of the machine code, whose name depends on all that the code depends on.
* ``helper``: a second process that compiles (``solvers.precompile``), for the window and the
  command line. Scripts and tests compile in their own process.

Only documented parts of numba and llvmlite are used, except in the line marked WORKAROUND.
"""
