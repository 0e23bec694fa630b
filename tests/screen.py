"""The screen of the tests: an Xvfb of their own if it is installed, otherwise none.

The screen of the person who runs the tests is not used, so that no click goes to their windows. To
watch the tests, set ``QT_QPA_PLATFORM=xcb`` (or whatever Qt calls the platform).
"""

import os
import select
import shutil
import subprocess
from dataclasses import dataclass

SIZE = "1600x1200x24"
SECONDS_TO_START = 20
# Set if this process or the one that started it has chosen the screen by itself.
OWN_SCREEN = "SVMVIZ_OWN_SCREEN"


@dataclass(frozen=True)
class Screen:
    """Where windows go in this session, and the server behind it if it is ours."""

    name: str
    server: subprocess.Popen | None = None

    def stop(self) -> None:
        if self.server:
            self.server.terminate()
            self.server.wait()


def start() -> Screen:
    """Choose the screen, for Qt and all child processes, by variables of the environment."""
    # The parallel processes of pytest-xdist inherit these variables from the process that starts
    # them. Each has a screen of its own, since a click goes to the window on top.
    is_inherited = os.environ.pop(OWN_SCREEN, "")
    platform = os.environ.get("QT_QPA_PLATFORM")
    if platform and not is_inherited:
        return Screen(f"{platform}, as QT_QPA_PLATFORM says")
    if shutil.which("Xvfb"):
        server, number = _start_server()
        if number:
            os.environ.update(DISPLAY=f":{number}", QT_QPA_PLATFORM="xcb")
            os.environ[OWN_SCREEN] = "yes"
            return Screen(f"Xvfb :{number}", server)
    os.environ.update({"QT_QPA_PLATFORM": "offscreen", OWN_SCREEN: "yes"})
    return Screen("offscreen, because there is no Xvfb")


def _start_server() -> tuple[subprocess.Popen, str]:
    """Start Xvfb on a free display; the number is empty if it did not come up."""
    reader, writer = os.pipe()
    # Without -noreset it starts anew when its last client leaves, and refuses whoever comes then: 4
    # of 300 programs, one after the other.
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", SIZE, "-nolisten", "tcp", "-noreset"],
        pass_fds=[writer],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as answer:
        answered = select.select([answer], [], [], SECONDS_TO_START)[0]
        number = answer.readline().strip() if answered else ""
    if not number:
        server.kill()
        server.wait()
    return server, number


def find_lack() -> str:
    """What is missing for clicks by xdotool on a real window; empty if nothing is."""
    if os.environ.get("QT_QPA_PLATFORM") != "xcb":
        return f"windows go to {os.environ.get('QT_QPA_PLATFORM')}, not to an X display"
    if not shutil.which("xdotool"):
        return "xdotool is not installed"
    return ""
