"""Compilation with numba, independent of any solver. Start reading with ``compiled``.

* ``compiled``: the decorators. A function is compiled at its first call, and its machine code is
  stored on disk.
* ``signatures``: translates annotations into numba types.
* ``simd``: operations that let LLVM use vector registers.
* ``operations``: the LLVM code of these operations; it imports numba.
* ``cache``: the folder of the machine code. Its name is a hash of all that the code depends on.
* ``helper``: starts a second process that compiles (``solvers.precompile``), for the window.
  Scripts, tests and the command line compile in their own process.

Only documented parts of numba and llvmlite are used, except in the line of ``compiled`` that is
marked WORKAROUND.
"""
