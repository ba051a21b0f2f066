"""How the browser is started and controlled: by pipes of its own, and with advice when it does not start."""

import asyncio
import os
import re
import subprocess
import sys
import time
from contextlib import suppress

import blocksight as bs
import psutil
import pytest
from blocksight.render.chromium import worker
from blocksight.render.chromium.process import launch
from blocksight.render.chromium.process.executable import FoundBrowser
from blocksight.render.devtools.channel import Pipe

POSIX = pytest.mark.skipif(os.name != "posix", reason="programs made of a shell script")


def program(tmp_path, script):
    path = tmp_path / "chrome-headless-shell"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return FoundBrowser(path=str(path), how="made up")


async def refused(found):
    with pytest.raises(bs.BrowserMissing) as missing:
        await launch.start(found, bs.RenderOptions())
    return str(missing.value)


@POSIX
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 3", r"ends as it starts \(exit code 3\)"),
        ("kill -TRAP $$", "was ended by SIGTRAP as it started"),
        ("echo 'error while loading shared libraries: libnss3.so' >&2; exit 127", "install-deps"),
        ("echo '[FATAL:zygote_host_impl_linux.cc] No usable sandbox!' >&2; kill -ABRT $$", "unprivileged_userns"),
        ("exec 3<&- 4>&-; sleep 60", "does not answer"),
    ],
)
def test_a_browser_that_does_not_start_says_why(tmp_path, monkeypatch, script, said):
    monkeypatch.setattr(launch, "END_SECONDS", 0.3)
    # A program that only sleeps does not say its version either, and is given ten seconds for that.
    monkeypatch.setattr(launch, "read_version", lambda found: "")
    assert re.search(said, asyncio.run(refused(program(tmp_path, script))))


@POSIX
@pytest.mark.parametrize("limit", ["START_SECONDS", "_END_SECONDS"])
def test_a_browser_that_does_not_answer_at_its_start_is_ended(tmp_path, monkeypatch, limit):
    # Of its own limit and that of all of its start, either may come first.
    monkeypatch.setattr(launch, "END_SECONDS", 0.3)
    monkeypatch.setattr(launch, "read_version", lambda found: "")
    monkeypatch.setattr(launch if limit == "START_SECONDS" else worker, "START_SECONDS", 0.5)
    if limit == "_END_SECONDS":
        monkeypatch.setattr(worker, "_END_SECONDS", 2.0)
    found = program(tmp_path, "exec sleep 61")
    with pytest.raises((bs.BrowserMissing, TimeoutError)):
        worker.BrowserWorker(found, 2, bs.RenderOptions())
    left = []
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.ZombieProcess, psutil.NoSuchProcess):  # it has ended
            left += [child] * ("61" in child.cmdline())
    assert psutil.wait_procs(left, timeout=30)[1] == []


@POSIX
def test_what_is_no_program(tmp_path):
    found = FoundBrowser(path=str(tmp_path), how="made up")
    assert "does not start" in asyncio.run(refused(found))
    assert "BLOCKSIGHT_BROWSER" in asyncio.run(refused(found))


@POSIX
def test_a_browser_of_every_day_gets_a_folder_of_its_own_and_loses_it(tmp_path, monkeypatch):
    monkeypatch.setattr(launch.tempfile, "tempdir", str(tmp_path / "all"))
    (tmp_path / "all").mkdir()
    path = tmp_path / "chrome"
    path.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/arguments; exit 1\n')
    path.chmod(0o755)
    asyncio.run(refused(FoundBrowser(path=str(path), how="made up")))
    arguments = (tmp_path / "arguments").read_text()
    assert f"--user-data-dir={tmp_path / 'all'}" in arguments
    assert "--remote-debugging-pipe" in arguments
    assert "port" not in arguments
    assert list((tmp_path / "all").iterdir()) == []


def piped(parts):
    """Send bytes part by part to a pipe; give the messages that come out and how often it ended."""

    async def go():
        reading, there = os.pipe()
        back, writing = os.pipe()
        messages, ends, over = [], [], asyncio.Event()
        pipe = Pipe(messages.append, lambda: (ends.append(1), over.set()))
        await pipe.open(os.fdopen(reading, "rb", 0), os.fdopen(writing, "wb", 0))
        for part in parts:
            os.write(there, part)
            await asyncio.sleep(0)
        os.close(there)
        await asyncio.wait_for(over.wait(), 300)
        with pytest.raises(BrokenPipeError):
            await pipe.write(b"late")
        pipe.close()
        os.close(back)
        await asyncio.sleep(0)
        return messages, len(ends)

    return asyncio.run(go())


@POSIX
def test_messages_come_whole_however_they_are_cut():
    assert piped([b"one\0two\0"]) == ([b"one", b"two"], 1)
    assert piped([b"o", b"n", b"e\0t", b"wo", b"\0"]) == ([b"one", b"two"], 1)
    assert piped([b"one\0", b"", b"half"]) == ([b"one"], 1)
    assert piped([]) == ([], 1)


@POSIX
def test_who_sends_more_than_is_read_waits():
    async def go():
        reading, there = os.pipe()
        back, writing = os.pipe()
        pipe = Pipe(lambda _: None, lambda: None)
        await pipe.open(os.fdopen(reading, "rb", 0), os.fdopen(writing, "wb", 0))
        large = b"x" * 1_000_000
        await pipe.write(large)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(pipe.write(large), 0.2)
        got = b""
        while len(got) < len(large) + 1:
            got += await asyncio.to_thread(os.read, back, 1 << 20)
        await asyncio.wait_for(pipe.write(b"next"), 5)
        assert await asyncio.to_thread(os.read, back, 99) == b"next\0"
        assert got == large + b"\0"
        pipe.close()
        os.close(there)
        os.close(back)
        await asyncio.sleep(0)

    asyncio.run(go())


def chromium():
    """The browser and everything below it."""
    found = []
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "--remote-debugging-pipe" in child.cmdline() or "--type=" in " ".join(child.cmdline()):
                found.append(child)
    return found


@pytest.mark.browser
def test_nothing_of_the_browser_listens():
    with bs.Browser() as browser:
        browser.open(b"<p>text")
        found = chromium()
        assert found
        for process in found:
            with suppress(psutil.Error):
                assert [one for one in process.net_connections("tcp") if one.status == psutil.CONN_LISTEN] == []
                assert not any("port" in part for part in process.cmdline() if "debugging" in part)


@pytest.mark.browser
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the network service has a sandbox of its own")
@pytest.mark.parametrize("is_separate", [False, True])
def test_what_runs_in_the_process_of_the_browser_would_have_no_sandbox_of_its_own(monkeypatch, is_separate):
    if is_separate:
        switches = [switch.replace("NetworkServiceInProcess2", "") for switch in launch._SWITCHES]
        monkeypatch.setattr(launch, "_SWITCHES", switches)
    with bs.Browser() as browser:
        browser.open(b"<p>text")
        network = None
        # A process that starts or ends has no command, or only a part of it.
        for _ in range(3000):
            with suppress(psutil.Error):
                lines = [" ".join(process.cmdline()) for process in chromium()]
                network = [line for line in lines if "--utility-sub-type=network.mojom.NetworkService" in line]
                if len(network) == is_separate and all("--service-sandbox-type=none" in line for line in network):
                    return
            time.sleep(0.1)
    pytest.fail(f"network: {network}")


BUSY = b"<p>text<script>const spin = URL.createObjectURL(new Blob(['for (;;);'])); new Worker(spin); for (;;);</script>"
DIES = f"""
import os, threading
import blocksight as bs
with bs.Browser() as browser:
    browser.open(b"<p>text")
    threading.Thread(target=lambda: browser.open({BUSY!r}), daemon=True).start()
    print("ready", flush=True)
    threading.Event().wait()
"""


@pytest.mark.browser
@POSIX
def test_the_browser_ends_with_us_even_when_we_are_killed():
    running = subprocess.Popen([sys.executable, "-c", DIES], stdout=subprocess.PIPE)
    assert running.stdout.readline() == b"ready\n"
    time.sleep(1.0)
    below = psutil.Process(running.pid).children(recursive=True)
    assert below
    running.kill()
    running.wait()
    running.stdout.close()
    _, left = psutil.wait_procs(below, timeout=300)
    for process in left:
        process.kill()
    assert left == []


@POSIX
@pytest.mark.parametrize("root", [True, False])
def test_only_for_root_the_sandbox_is_off(tmp_path, monkeypatch, root):
    monkeypatch.setattr(launch, "is_root", lambda: root)
    asyncio.run(refused(program(tmp_path, f'echo "$@" > {tmp_path}/given; exit 3')))
    assert ("--no-sandbox" in (tmp_path / "given").read_text()) == root


@pytest.mark.parametrize(("meant", "said"), [("", 1), ("1", 0)])
def test_a_missing_sandbox_is_said_once_on_standard_error_unless_it_is_meant(monkeypatch, meant, said):
    monkeypatch.setenv(launch.ROOT, meant)
    code = "from blocksight.render.chromium.process import launch\nfor _ in range(2): launch._warn_of_no_sandbox()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == ""
    assert done.stderr.count("without its sandbox (--no-sandbox)") == said
