"""A piece of the scripts that run in a new process: it records what that process compiles."""

# Defines ``count()``, after which ``compiled``, a list, gets the name of each compiled function.
RECORD_COMPILATIONS = """
compiled = []
def count():
    from numba.core.event import Listener, register
    class Count(Listener):
        def on_start(self, event):
            compiled.append(str(event.data["dispatcher"]))
        def on_end(self, event):
            pass
    register("numba:compile", Count())
"""
