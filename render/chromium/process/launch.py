"""Start a Chromium that is controlled over two pipes, without a listening port, and list its processes."""

from __future__ import annotations

import asyncio
import logging
import mmap
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import psutil

from ....errors import BrowserMissing
from ...devtools.channel import ChannelClosed, CommandFailed, Connection, End
from ...render_options import RenderOptions
from ..identity import SCREEN, languages, user_agent
from .executable import FoundBrowser, read_version

T = TypeVar("T")
#: Features of Chromium that Playwright disables, and the last: by it the compositor changes a page without its main
#: thread, and a frame on demand would wait for ever.
_DISABLED_FEATURES = """
    AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose
    HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter NetworkTimeServiceQuerying
    OptimizationHints PaintHolding PreconnectToSearch TcpPortRandomizationWin ThirdPartyStoragePartitioning
    RasterInducingScroll
""".split()
#: Variable of the environment by which root says that pages are meant to have no sandbox.
ROOT = "BLOCKSIGHT_ROOT"
#: Features that it enables. On Linux also the network service in the browser's own process: there it has no sandbox
#: anyway (``--service-sandbox-type=none``), and messages between the two are a twentieth of the cost of a page.
_ENABLED_FEATURES = [
    "CDPScreenshotNewSurface",
    "SkipListAccountsWithoutGaiaCookies",
    *(["NetworkServiceInProcess2"] if sys.platform == "linux" else []),
]
#: Playwright's switches for pages (``chromiumSwitches``, version 1.65): the browser makes no requests of its own,
#: shows no prompts, and does not throttle what is off the screen.
_SWITCHES = (
    *"""
    --headless --no-startup-window --no-first-run --no-default-browser-check --no-service-autorun
    --password-store=basic --use-mock-keychain --metrics-recording-only --log-level=3 --mute-audio
    --force-color-profile=srgb --allow-pre-commit-input --enable-unsafe-swiftshader
    --edge-skip-compat-layer-relaunch --do-not-de-elevate --unsafely-disable-devtools-self-xss-warnings
    --disable-field-trial-config --disable-background-networking --disable-background-timer-throttling
    --disable-backgrounding-occluded-windows --disable-back-forward-cache --disable-breakpad
    --disable-component-extensions-with-background-pages --disable-component-update --disable-default-apps
    --disable-dev-shm-usage --disable-extensions --disable-hang-monitor --disable-infobars
    --disable-ipc-flooding-protection --disable-prompt-on-repost --disable-renderer-backgrounding
    --disable-search-engine-choice-screen --disable-stack-profiler --disable-sync
    --run-all-compositor-stages-before-draw
    """.split(),
    # A frame shows all images of its document: others appear once they have been decoded.
    "--disable-checker-imaging",
    "--disable-features=" + ",".join(_DISABLED_FEATURES),
    "--enable-features=" + ",".join(_ENABLED_FEATURES),
    # A mouse that can hover, for the media features "hover" and "pointer".
    # A person's browser, as pages see it: `navigator.webdriver` is false, the window is on a screen, and text has the
    # widths that it has in a window (docs/visibility.md). Scrollbars take width.
    "--disable-blink-features=AutomationControlled",
    "--screen-info={{{}x{}}}".format(*SCREEN),
    "--font-render-hinting=none",
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
)
#: Switches that restrict pages.
RESTRICTIONS = (
    # One name in the headless shell, the other in the full browser.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # The page's proxy resolves names; requests that bypass it fail.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    # No popups: each would be a page of its own.
    "--block-new-web-contents",
)
#: Frames of other sites in the same process: one snapshot contains them all (the default of the headless shell).
_ONE_PROCESS = "--disable-site-isolation-trials"
START_SECONDS, END_SECONDS = 60.0, 3.0
#: Bytes of standard error that are kept to explain why the browser ended.
_KEPT_ERROR = 8_000
_PAGE_BYTES = mmap.PAGESIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A running browser with the connection to it."""

    pid: int
    connection: Connection
    version: str
    #: Its standard error.
    error_output: asyncio.BaseTransport | None
    #: Its folder, to be removed at its end.
    profile: Path | None

    async def end(self) -> int | None:
        """End the browser and its child processes, in any state; return its exit code."""
        processes = ProcessTree(self.pid).members()
        self.connection.close()
        if self.error_output is not None:
            self.error_output.close()
        code = await _in_thread(_end_all, processes)
        if self.profile is not None:
            await _in_thread(partial(shutil.rmtree, self.profile, ignore_errors=True))
        return code


async def _in_thread(work: Callable[..., T], *arguments: Any) -> T:
    try:
        return await asyncio.to_thread(work, *arguments)
    except RuntimeError:  # the interpreter ends, and no thread can be started any more
        return work(*arguments)


class ErrorTail(asyncio.Protocol):
    """The last bytes that a browser has written to standard error."""

    def __init__(self) -> None:
        self._data = b""

    def data_received(self, data: bytes) -> None:
        """Append data, and drop the oldest."""
        self._data = (self._data + data)[-_KEPT_ERROR:]

    def __str__(self) -> str:
        return self._data.decode(errors="replace")


async def start(found: FoundBrowser, options: RenderOptions) -> Running:
    """Start a browser and wait for its first reply; raises ``BrowserMissing`` with advice when it does not start."""
    # The headless shell stores nothing on disk; a full browser would use the profile of the user.
    profile = None if _is_headless_shell(found) else Path(tempfile.mkdtemp(prefix="blocksight-"))
    own = [f"--user-data-dir={profile}"] if profile else []
    # For the scripts of service workers, which the browser itself requests; all else gets it with its context.
    version = await asyncio.to_thread(read_version, found)
    own += [f"--user-agent={user_agent(options, version)}"] if version else []
    own.append(f"--accept-lang={languages(options.locale)}")
    sandbox = ["--no-sandbox"] if is_root() else []
    command = [found.path, *_SWITCHES, *RESTRICTIONS, _ONE_PROCESS, *own, *sandbox, "--remote-debugging-pipe"]
    try:
        pid, receiving, sending, error_end = _spawn(command)
    except OSError as error:
        raise BrowserMissing(f"{found.path} ({found.how}) does not start: {error.strerror}\n{_advice('')}") from error
    tail, error_output = ErrorTail(), None
    try:
        if error_end is not None:
            error_output, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: tail, error_end)
        connection = await Connection.open(receiving, sending)
    except BaseException:
        await _in_thread(_end_all, ProcessTree(pid).members())
        raise
    connection.has_frame_control = has_frame_control(found)
    running = Running(pid=pid, connection=connection, version="", error_output=error_output, profile=profile)
    try:
        reply = await connection.browser.send("Browser.getVersion", timeout=START_SECONDS)
    except (TimeoutError, ChannelClosed, CommandFailed) as error:
        code = await running.end()
        raise BrowserMissing(f"{found.path} ({found.how}) {_ending(code)}\n{_advice(str(tail))}") from error
    except asyncio.CancelledError:
        await running.end()
        raise
    if sandbox:
        _warn_of_no_sandbox()
    connection.version = reply["product"].partition("/")[2]
    return replace(running, version=connection.version)


@cache
def _warn_of_no_sandbox() -> None:
    """Log once in a process that pages run without Chromium's sandbox: on standard error, if nothing else is set."""
    if os.environ.get(ROOT):
        return
    logging.getLogger(__name__).warning(
        "blocksight: Chromium runs without its sandbox (--no-sandbox), since this is root. A page that breaks out of "
        "the browser then has all rights. Run it as another user; in a container, by USER as in the Dockerfile "
        f"({ROOT}=1: this is meant, say nothing)."
    )


def has_frame_control(found: FoundBrowser) -> bool:
    """Return whether a browser draws the frames of a page on demand: the headless shell can, but not on macOS."""
    return _is_headless_shell(found) and sys.platform != "darwin"


def _is_headless_shell(found: FoundBrowser) -> bool:
    return "headless" in Path(found.path).name


def is_root() -> bool:
    """Return whether the user is root, for whom Chromium has no sandbox."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


if sys.platform == "win32":

    def _spawn(command: list[str]) -> tuple[int, End, End, End | None]:
        """Start the browser with the handles of two pipes; return its process id and our ends."""
        from asyncio.windows_utils import PipeHandle, pipe

        receiving, replies = pipe(overlapped=(True, False))
        commands, sending = pipe(overlapped=(False, True))
        theirs = [commands, replies]
        for handle in theirs:
            os.set_handle_inheritable(handle, True)
        handles = f"--remote-debugging-io-pipes={commands},{replies}"
        info = subprocess.STARTUPINFO(lpAttributeList={"handle_list": theirs})
        null = subprocess.DEVNULL
        try:
            browser = subprocess.Popen([*command, handles], startupinfo=info, stdin=null, stdout=null, stderr=null)
        finally:
            for handle in theirs:
                PipeHandle(handle).close()
        return browser.pid, PipeHandle(receiving), PipeHandle(sending), None

else:
    from fcntl import F_DUPFD_CLOEXEC, fcntl

    def _spawn(command: list[str]) -> tuple[int, End, End, End | None]:
        """Start the browser with pipes as file descriptors 3 (it reads) and 4; return its process id and our ends.

        Not with :mod:`subprocess`, which sets file descriptors only by running Python between fork and exec, and that
        is not safe with threads.
        """
        pipes = [os.pipe() for _ in range(3)]
        (commands, sending), (receiving, replies), (error_end, errors) = pipes
        # Above the descriptors that they are copied to.
        theirs = [fcntl(end, F_DUPFD_CLOEXEC, 10) for end in (commands, replies, errors)]
        for end in (commands, replies, errors):
            os.close(end)
        copies = [(os.POSIX_SPAWN_DUP2, theirs[source], target) for source, target in ((2, 1), (2, 2), (0, 3), (1, 4))]
        try:
            pid = os.posix_spawn(
                command[0],
                command,
                os.environ,
                file_actions=[(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), *copies],
                # Ctrl-C reaches the whole process group of a terminal: this process ends the browser.
                setpgroup=0,
                # Python ignores it, and ignored signals are inherited.
                setsigdef=[signal.SIGPIPE],
            )
        except OSError:
            for end in (receiving, sending, error_end):
                os.close(end)
            raise
        finally:
            for end in theirs:
                os.close(end)
        return pid, os.fdopen(receiving, "rb", 0), os.fdopen(sending, "wb", 0), os.fdopen(error_end, "rb", 0)


def _end_all(processes: list[psutil.Process]) -> int | None:
    """Wait for a browser whose connection is closed, and kill the processes that have not ended."""
    code = None
    with suppress(psutil.Error, IndexError):
        code = processes[0].wait(END_SECONDS)
    for process in processes:
        with suppress(psutil.Error):
            process.kill()
    if code is None:
        with suppress(psutil.Error, IndexError):
            processes[0].wait(END_SECONDS)
    return code


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name} as it started"
    return "does not answer" if code is None else f"ends as it starts (exit code {code})"


def _advice(errors: str) -> str:
    if "shared libraries" in errors:
        return "Libraries are missing; on Debian and Ubuntu: sudo python3 -m playwright install-deps chromium"
    if "usable sandbox" in errors or "SUID sandbox" in errors or "namespace" in errors:
        # Ubuntu 23.10 and later refuse unprivileged user namespaces to programs without a profile.
        return (
            "Its sandbox is not allowed here. Use the system's own Chromium, or allow user namespaces:\n"
            "  sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
        )
    return "`blocksight setup` looks for another browser; BLOCKSIGHT_BROWSER names one."


class ProcessTree:
    """A browser process and its descendants."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._known: dict[int, psutil.Process] = {}

    def members(self) -> list[psutil.Process]:
        """Return the current processes, the browser first; psutil distinguishes later ones with the same ids."""
        members: dict[int, psutil.Process] = {}
        with suppress(psutil.Error):
            for pid in [self._pid, *self._descendants()]:
                known = self._known.get(pid)
                with suppress(psutil.NoSuchProcess):
                    members[pid] = known if known is not None and known.is_running() else psutil.Process(pid)
        self._known = members
        return list(members.values())

    def _descendants(self) -> list[int]:
        if not _has_child_lists():
            # psutil reads all processes of the computer.
            return [child.pid for child in psutil.Process(self._pid).children(recursive=True)]
        found, pending = list[int](), [self._pid]
        while pending:
            children = _children(pending.pop())
            found += children
            pending += children
        return found


def own_bytes(process: psutil.Process) -> int:
    """Return the unshared memory of a process, if the system reports it; 0 for one that has ended."""
    if _has_child_lists():  # Linux: psutil takes three times as long to read the same file
        with suppress(OSError), open(f"/proc/{process.pid}/statm", "rb") as file:
            _, resident, shared, *_ = file.read().split()
            return (int(resident) - int(shared)) * _PAGE_BYTES
        return 0
    with suppress(psutil.Error):
        memory = process.memory_info()
        return int(memory.rss - getattr(memory, "shared", 0))
    return 0


@cache
def _has_child_lists() -> bool:
    """Return whether the system lists the children of each thread (Linux with this option; proc(5))."""
    return os.path.exists("/proc/thread-self/children")


def _children(pid: int) -> list[int]:
    pids: list[int] = []
    # Threads and processes may end meanwhile.
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{pid}/task/{thread}/children") as file:
                pids += map(int, file.read().split())
    return pids
