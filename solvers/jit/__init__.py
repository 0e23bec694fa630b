"""Compiling with numba; nothing here knows what is computed. Start with ``compiled``.

* ``compiled``: the decorators. A function is compiled when it is first called, and kept on disk.
* ``separate``: functions that are compiled once and called through their address.
* ``box``: how those get their arguments and give their result.
* ``signatures``: annotations as types of numba.
* ``simd``: operations that let LLVM use vector registers.
* ``cache``: the folder of the machine code, and what its name depends on.
* ``helper``: letting another process compile (``solvers.precompile``), for the window and the
  command line. Scripts and tests compile where they call.

Of numba and llvmlite only documented parts are used, but for the line marked WORKAROUND.
"""
