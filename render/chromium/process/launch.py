"""Start a Chromium whose controls are two pipes: no port listens for anybody."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from ....errors import BrowserMissing
from ...devtools.channel import ChannelClosed, CommandFailed, Connection
from ...devtools.pipe import End
from .executable import FoundBrowser
from .process_tree import ProcessTree

#: How Playwright starts a browser (its ``chromiumSwitches``, version 1.65), as far as it concerns pages: a browser that
#: fetches, asks and tells nothing by itself, and does not slow down what is out of sight.
_QUIET = (
    "--headless",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
    "--metrics-recording-only",
    "--log-level=3",
    "--mute-audio",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--allow-pre-commit-input",
    "--enable-unsafe-swiftshader",
    "--edge-skip-compat-layer-relaunch",
    "--do-not-de-elevate",
    "--unsafely-disable-devtools-self-xss-warnings",
    "--disable-field-trial-config",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-back-forward-cache",
    "--disable-breakpad",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-hang-monitor",
    "--disable-infobars",
    "--disable-ipc-flooding-protection",
    "--disable-prompt-on-repost",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-stack-profiler",
    "--disable-sync",
    "--disable-features=AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,"
    "NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch,TcpPortRandomizationWin,"
    "ThirdPartyStoragePartitioning",
    "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies",
    # A mouse that can hover: what style sheets ask for by "hover" and "pointer".
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
)
#: What holds pages back.
FENCE = (
    # One name in the headless shell, the other in the full browser.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Names are looked up by the guard; whatever goes round the page's proxy finds nobody.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    # No popups: each would be a page of its own that nobody looks at.
    "--block-new-web-contents",
)
#: Frames of other sites in the same process: one snapshot shows them all (headless shell does so by itself).
_ONE_PROCESS = "--disable-site-isolation-trials"

START_SECONDS, END_SECONDS = 60.0, 3.0
#: Bytes of what the browser says that are kept to explain why it ended.
_LAST_WORDS = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A browser that was started, and the connection to it.

    Attributes
    ----------
    pid : int
    connection : Connection
    version : str
        As it says itself.
    hearing : asyncio.BaseTransport or None
        From its standard error.
    profile : Path or None
        A folder of its own, to be removed at its end.
    """

    pid: int
    connection: Connection
    version: str
    hearing: asyncio.BaseTransport | None
    profile: Path | None

    async def end(self) -> int | None:
        """End the browser and everything below it, whatever state it is in; return the code it ended with."""
        family = ProcessTree(self.pid).members()
        self.connection.close()
        if self.hearing is not None:
            self.hearing.close()
        code = await asyncio.to_thread(_end_all, family)
        if self.profile is not None:
            await asyncio.to_thread(shutil.rmtree, self.profile, ignore_errors=True)
        return code


class LastWords(asyncio.Protocol):
    """The end of what a browser has written to standard error."""

    def __init__(self) -> None:
        self._heard = b""

    def data_received(self, data: bytes) -> None:
        """Forget what came long before."""
        self._heard = (self._heard + data)[-_LAST_WORDS:]

    def __str__(self) -> str:
        return self._heard.decode(errors="replace")


async def start(found: FoundBrowser) -> Running:
    """Start a browser and wait until it answers.

    Raises
    ------
    BrowserMissing
        When it does not; the message says what to do.
    """
    # The headless shell keeps nothing on disk; a full browser would use its owner's profile.
    profile = None if "headless" in Path(found.path).name else Path(tempfile.mkdtemp(prefix="blocksight-"))
    own = [f"--user-data-dir={profile}"] if profile else []
    sandbox = ["--no-sandbox"] if is_root() else []
    command = [found.path, *_QUIET, *FENCE, _ONE_PROCESS, *own, *sandbox, "--remote-debugging-pipe"]
    try:
        pid, receiving, sending, hearing = _spawn(command)
    except OSError as error:
        raise BrowserMissing(f"{found.path} ({found.how}) does not start: {error.strerror}\n{_cure('')}") from error
    words, ear = LastWords(), None
    if hearing is not None:
        ear, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: words, hearing)
    connection = await Connection.open(receiving, sending)
    running = Running(pid=pid, connection=connection, version="", hearing=ear, profile=profile)
    try:
        told = await connection.browser.send("Browser.getVersion", timeout=START_SECONDS)
    except (TimeoutError, ChannelClosed, CommandFailed) as error:
        code = await running.end()
        raise BrowserMissing(f"{found.path} ({found.how}) {_ending(code)}\n{_cure(str(words))}") from error
    except asyncio.CancelledError:
        await running.end()
        raise
    return replace(running, version=told["product"].partition("/")[2])


def is_root() -> bool:
    """Return whether this is the system's administrator, for whom Chromium has no sandbox."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


if sys.platform == "win32":

    def _spawn(command: list[str]) -> tuple[int, End, End, End | None]:
        """Start the browser with the handles of two pipes; return its number and our ends."""
        from asyncio.windows_utils import PipeHandle, pipe

        receiving, answers = pipe(overlapped=(True, False))
        commands, sending = pipe(overlapped=(False, True))
        theirs = [commands, answers]
        for handle in theirs:
            os.set_handle_inheritable(handle, True)
        handles = f"--remote-debugging-io-pipes={commands},{answers}"
        told = subprocess.STARTUPINFO(lpAttributeList={"handle_list": theirs})
        nothing = subprocess.DEVNULL
        try:
            browser = subprocess.Popen(
                [*command, handles], startupinfo=told, stdin=nothing, stdout=nothing, stderr=nothing
            )
        finally:
            for handle in theirs:
                PipeHandle(handle).close()
        return browser.pid, PipeHandle(receiving), PipeHandle(sending), None

else:
    from fcntl import F_DUPFD_CLOEXEC, fcntl

    def _spawn(command: list[str]) -> tuple[int, End, End, End | None]:
        """Start the browser with pipes at 3, where it reads, and 4; return its number and our ends.

        Not by :mod:`subprocess`, which puts a file at a chosen number only by running Python between fork and exec,
        and that is not safe beside threads.
        """
        pipes = [os.pipe() for _ in range(3)]
        (commands, sending), (receiving, answers), (hearing, words) = pipes
        # Above the numbers that they are to be copied to.
        theirs = [fcntl(end, F_DUPFD_CLOEXEC, 10) for end in (commands, answers, words)]
        for end in (commands, answers, words):
            os.close(end)
        copies = [(os.POSIX_SPAWN_DUP2, theirs[source], target) for source, target in ((2, 1), (2, 2), (0, 3), (1, 4))]
        try:
            pid = os.posix_spawn(
                command[0],
                command,
                os.environ,
                file_actions=[(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), *copies],
                # Ctrl-C goes to a terminal's whole group: the browser is ended by us.
                setpgroup=0,
                # Python ignores it, and what is ignored is inherited.
                setsigdef=[signal.SIGPIPE],
            )
        except OSError:
            for end in (receiving, sending, hearing):
                os.close(end)
            raise
        finally:
            for end in theirs:
                os.close(end)
        return pid, os.fdopen(receiving, "rb", 0), os.fdopen(sending, "wb", 0), os.fdopen(hearing, "rb", 0)


def _end_all(family: list[psutil.Process]) -> int | None:
    """Wait for a browser that was told to end, and kill what has not ended then."""
    code = None
    with suppress(psutil.Error, IndexError):
        code = family[0].wait(END_SECONDS)
    for process in family:
        with suppress(psutil.Error):
            process.kill()
    if code is None:
        with suppress(psutil.Error, IndexError):
            family[0].wait(END_SECONDS)
    return code


def _ending(code: int | None) -> str:
    """Put into words how a browser ended that never answered."""
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name} as it started"
    return "does not answer" if code is None else f"ends as it starts (exit code {code})"


def _cure(words: str) -> str:
    if "shared libraries" in words:
        return "Libraries are missing; on Debian and Ubuntu: sudo python3 -m playwright install-deps chromium"
    if "usable sandbox" in words or "SUID sandbox" in words or "namespace" in words:
        # Ubuntu 23.10 and later refuse unprivileged user namespaces to programs without a profile.
        return (
            "Its sandbox is not allowed here. Use the system's own Chromium, or allow user namespaces:\n"
            "  sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
        )
    return "`blocksight setup` looks for another browser; BLOCKSIGHT_BROWSER names one."
