"""Atomic writing: a file has its old content or its new one, and nothing else is replaced."""

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from solvers import BadInput
from solvers.cancelling import Cancelled, cancel_when
from svmviz.io import atomic
from svmviz.io.atomic import remove_strays, write_atomically, write_together

POSIX = pytest.mark.skipif(os.name == "nt", reason="POSIX files")
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOT_ROOT = pytest.mark.skipif(ROOT or os.name == "nt", reason="root may write everywhere")
NULL, FULL = os.makedev(1, 3), os.makedev(1, 7)


def refusal(*arguments):
    with pytest.raises(BadInput) as caught:
        write_atomically(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_files_that_belong_together_are_all_replaced_or_none(tmp_path, monkeypatch):
    files = [(tmp_path / name, f"new {name}") for name in "abc"]
    for path, _ in files[:2]:
        path.write_text("older")
    usual, synced = os.fsync, []

    def full(number):
        synced.append(number)
        if len(synced) == 3:
            raise OSError(28, "No space left on device")
        usual(number)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(BadInput, match=r"No space left on device.*c$"):
            write_together(files)
    with cancel_when(lambda: True), pytest.raises(Cancelled):
        write_together(files)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "a": "older",
        "b": "older",
    }
    write_together(files)
    assert [path.read_text() for path, _ in files] == ["new a", "new b", "new c"]
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "c"]


def test_a_folder_is_never_replaced(tmp_path):
    assert "folder" in refusal(tmp_path, "text")


def test_text_and_bytes_are_written_unchanged(tmp_path):
    write_atomically(tmp_path / "a", "ä\r\n\n")
    assert (tmp_path / "a").read_bytes() == "ä\r\n\n".encode()
    write_atomically(str(tmp_path / "a"), b"\0\xff")
    assert (tmp_path / "a").read_bytes() == b"\0\xff"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("where", ["fsync", "replace"])
def test_a_failure_keeps_the_earlier_file(tmp_path, monkeypatch, where):
    def full(*_):
        raise OSError(28, "No space left on device")

    file = tmp_path / "a"
    file.write_text("before")
    monkeypatch.setattr(*((os, "fsync") if where == "fsync" else (Path, "replace")), full)
    sentence = refusal(file, "after")
    assert sentence == f"The file cannot be written (No space left on device): {file}"
    assert file.read_text() == "before"
    assert os.listdir(tmp_path) == ["a"]


def test_an_interrupt_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "a", "after")
    assert os.listdir(tmp_path) == []


@POSIX
def test_permissions_stay(tmp_path):
    file = tmp_path / "a"
    file.touch()
    file.chmod(0o640)
    write_atomically(file, "after")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@POSIX
def test_a_mount_that_refuses_permissions_still_gets_the_new_content(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    (tmp_path / "a").write_text("before")
    monkeypatch.setattr(os, "chmod", refuse)
    write_atomically(tmp_path / "a", "after")
    assert (tmp_path / "a").read_text() == "after"
    assert os.listdir(tmp_path) == ["a"]


@POSIX
def test_new_files_follow_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "a", "after")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


@POSIX
def test_links_are_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "a")
    for content in ("new", "again"):
        write_atomically(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "real" / "a").read_text() == content


@POSIX
def test_pipes_are_written_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    try:
        write_atomically(pipe, "text")
        assert os.read(reader, 10) == b"text"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@NOT_ROOT
def test_write_protected_files_and_folders_stay(tmp_path):
    file = tmp_path / "a"
    file.write_text("before")
    file.chmod(0o400)
    assert refusal(file, "after").startswith("No permission to write")
    assert file.read_text() == "before"
    file.chmod(0o600)
    tmp_path.chmod(0o500)
    assert refusal(file, "after").startswith("No permission to write")
    tmp_path.chmod(0o700)
    assert file.read_text() == "before"


def test_cancel_before_replacing_keeps_the_earlier_file(tmp_path):
    (tmp_path / "a").write_text("before")
    asked = []
    with (
        cancel_when(lambda: asked.append(os.listdir(tmp_path)) or True),
        pytest.raises(Cancelled),
    ):
        write_atomically(tmp_path / "a", "after")
    assert len(asked) == 1
    assert (tmp_path / "a").read_text() == "before"
    assert os.listdir(tmp_path) == ["a"]


def test_a_path_that_ends_as_a_folder_is_no_file(tmp_path):
    assert (
        refusal(f"{tmp_path}/a.png/", "x") == f"This names a folder, not a file: {tmp_path}/a.png/"
    )
    assert os.listdir(tmp_path) == []


# What is no regular file.


@POSIX
def test_a_pipe_without_a_reader_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    sentence = refusal(tmp_path / "pipe", "text")
    assert sentence == f"Nothing reads from this pipe: {tmp_path / 'pipe'}"


@POSIX
def test_a_pipe_gets_all_of_it_at_its_readers_pace(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    os.symlink(tmp_path / "pipe", tmp_path / "link")
    got = bytearray()
    # Open for both, so that there is no end before there is a beginning.
    number = os.open(tmp_path / "pipe", os.O_RDWR)

    def read():
        while len(got) < 1_000_000:
            got.extend(os.read(number, 65_536))

    thread = threading.Thread(target=read)
    thread.start()
    write_atomically(tmp_path / "link", b"x" * 1_000_000)
    thread.join()
    os.close(number)
    assert got == b"x" * 1_000_000
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert (tmp_path / "link").is_symlink()


@POSIX
def test_a_socket_is_refused(tmp_path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        sentence = refusal(tmp_path / "socket", "text")
    assert sentence == f"This is a socket, not a file: {tmp_path / 'socket'}"
    assert stat.S_ISSOCK((tmp_path / "socket").stat().st_mode)


@pytest.mark.skipif(not ROOT, reason="only root may make devices")
def test_devices_stay_devices(tmp_path):
    # Of our own, so that no fault can cost the machine its own.
    for name, kind, number in (
        ("null", stat.S_IFCHR, NULL), ("full", stat.S_IFCHR, FULL), ("disk", stat.S_IFBLK, FULL),
    ):  # fmt: skip
        os.mknod(tmp_path / name, kind | 0o666, number)
        os.symlink(tmp_path / name, tmp_path / f"{name}.png")
    try:
        write_atomically(tmp_path / "null.png", "text")
    except BadInput:
        pytest.skip("no devices may be opened here")
    sentence = refusal(tmp_path / "full.png", "text")
    assert sentence == (
        f"The file cannot be written (No space left on device): {tmp_path / 'full.png'}"
    )
    assert refusal(tmp_path / "disk.png", "x").startswith("This is a disk, not a file")
    assert stat.S_ISCHR((tmp_path / "full").stat().st_mode)
    assert stat.S_ISCHR((tmp_path / "null").stat().st_mode)
    assert stat.S_ISBLK((tmp_path / "disk").stat().st_mode)
    assert len(os.listdir(tmp_path)) == 6


# What a kill leaves.

WRITER = """
import os, signal, sys
from pathlib import Path
from svmviz.io import atomic
where, target = sys.argv[1:]
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
if where == "fsync":
    os.fsync = die
else:
    Path.replace = die
atomic.write_atomically(target, "after")
"""


@POSIX
@pytest.mark.parametrize("where", ["fsync", "replace"])
def test_unfinished_files_of_killed_programs_are_removed(tmp_path, where):
    (tmp_path / "a").write_text("before")
    done = subprocess.run([sys.executable, "-c", WRITER, where, str(tmp_path / "a")])
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / "a").read_text() == "before"
    assert len(os.listdir(tmp_path)) == 2
    remove_strays(tmp_path)
    assert os.listdir(tmp_path) == ["a"]


def test_only_strays_are_removed(tmp_path):
    ends = ["svmviz-tmp", "12345678.svmviz-tmpx", "1234567g.svmviz-tmp", "12345678.tmp"]
    names = ["a.12345678.svmviz-tmp", *(f".a.{end}" for end in ends)]
    for name in [*names, ".a.12345678.svmviz-tmp"]:
        (tmp_path / name).touch()
    remove_strays(tmp_path)
    assert sorted(os.listdir(tmp_path)) == sorted(names)
    remove_strays(tmp_path / "none")


def test_strays_are_closed_before_they_are_removed(tmp_path, monkeypatch):
    # Windows refuses to remove an open file.
    locked, removed, unlink = [], [], Path.unlink

    def unlink_closed(path):
        assert locked[-1].closed
        removed.append(path)
        unlink(path)

    stray = tmp_path / ".a.12345678.svmviz-tmp"
    stray.touch()
    monkeypatch.setattr(atomic, "lock", locked.append)
    monkeypatch.setattr(Path, "unlink", unlink_closed)
    remove_strays(tmp_path)
    assert removed == [stray]
    assert os.listdir(tmp_path) == []


@POSIX
def test_a_file_being_written_is_not_removed(tmp_path):
    seen = []

    def look():
        remove_strays(tmp_path)
        seen.extend(os.listdir(tmp_path))
        return False

    with cancel_when(look):
        write_atomically(tmp_path / "a", "text")
    assert len(seen) == 1
    assert (tmp_path / "a").read_text() == "text"


@POSIX
def test_an_interrupt_removes_what_is_unfinished(tmp_path, monkeypatch):
    from svmviz.base import interrupts

    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)

    def interrupted():
        interrupts._end(signal.SIGINT, None)
        return bool(os.listdir(tmp_path))

    before = signal.getsignal(signal.SIGINT)
    try:
        with cancel_when(interrupted), pytest.raises(BadInput):
            write_atomically(tmp_path / "a", "text")
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended == [130]
    assert os.listdir(tmp_path) == []
    assert not atomic._unfinished
