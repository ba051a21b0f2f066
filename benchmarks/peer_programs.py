"""Programs that extract text, for benchmarks: our systems, peers, and programs in a process of their own.

Packages that need another Python run with its interpreter, those of npm by node; both answer line by line
(``benchmarks/programs``). Each gets the HTML of a page as it was saved.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as OutOfPatience
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import blocksight as bs
import click
from blocksight.classify.systems import PEERS, system_named
from blocksight.classify.systems.peers import Peer, html_text
from blocksight.compare.outputs import system_output, try_marks
from blocksight.compare.scoring import time_limit
from blocksight.page.metadata.dates import iso_date
from common import FOLDER

Fields = dict[str, str]
PROGRAMS = Path(__file__).parent / "programs"
#: Interpreters that are tried for a package that this one cannot import.
INTERPRETERS = ("python3.12", "python3.13", "python3.14", "python3.11", "python3")
PYTHON_PACKAGES = {"magic-html": "magic_html", "rs-trafilatura": "rs_trafilatura"}
NODE_PACKAGES = {"readability.js": "readability", "defuddle": "defuddle"}
_NPM = "@mozilla/readability jsdom defuddle linkedom"
#: Peers of this interpreter that take part.
PEER_NAMES = (
    "trafilatura", "trafilatura-fast", "trafilatura-precision", "trafilatura-recall", "readability-lxml", "resiliparse",
)  # fmt: skip
#: All other programs, in the order of tables.
ALL_PEERS = (*PEER_NAMES, *PYTHON_PACKAGES, *NODE_PACKAGES)
#: Those with metadata and the fields that they have, and the seconds for a page.
CHILDREN = {"defuddle": ("title", "author", "date"), "magic-html": ("title",)}
CHILD_SECONDS = 30.0
#: Seconds for an interpreter to start and import a package.
START = 60.0


class ProgramMissing(bs.BlocksightError):
    """A program is not installed, or does not start."""


class ChildProgram:
    """A program in a process of its own, which is started again after it has ended or was stopped."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1)
        self.version = self._start()

    def _start(self) -> str:
        try:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            first = self._within(START, self._read)
        except (OSError, ValueError, OutOfPatience) as error:
            self.stop()
            raise ProgramMissing(f"{' '.join(self._command[:2])} does not start: {error}") from error
        return str(first.get("version", "unknown"))

    def _within(self, seconds: float, work: Callable[..., Any], *arguments: object) -> dict[str, Any]:
        answer: dict[str, Any] = self._thread.submit(work, *arguments).result(timeout=seconds)
        return answer

    def _read(self) -> object:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ValueError("it ended without an answer")
        return json.loads(line)

    def _ask(self, question: bytes) -> object:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(question)
        self._process.stdin.flush()
        return self._read()

    def text(self, html: str, url: str | None, seconds: float) -> str:
        """Return the text of a page; errors as :meth:`answer`."""
        answer = self.answer(html, url, seconds)
        return html_text(str(answer["html"])) if "html" in answer else str(answer["text"])

    def answer(self, html: str, url: str | None, seconds: float) -> dict[str, Any]:
        """Return all that it says of a page. Raises PageFailed for its errors, and if it takes too long."""
        if self._process is None:
            self._start()
        # Lone surrogates cannot be written as UTF-8.
        question = json.dumps({"html": html, "url": url}).encode() + b"\n"
        try:
            answer = self._within(seconds, self._ask, question)
        except OutOfPatience:
            self.stop()
            raise bs.PageFailed(url or "", f"not done after {seconds:g} s") from None
        except (OSError, ValueError) as error:
            self.stop()
            raise bs.PageFailed(url or "", f"the program ended: {error}") from error
        if "error" in answer:
            raise bs.PageFailed(url or "", str(answer["error"]))
        return answer

    def stop(self) -> None:
        """End the process; the next page starts another one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        self._process = None
        self._thread.shutdown(wait=False)
        self._thread = ThreadPoolExecutor(1)


def program_command(name: str, python: str | None, peers: Path | None) -> list[str]:
    """Return the command of a program in a process of its own; ProgramMissing, which says what to install."""
    if name in PYTHON_PACKAGES:
        module = PYTHON_PACKAGES[name]
        return [find_interpreter(module, python), str(PROGRAMS / "python_peer.py"), module]
    return find_node(peers, NODE_PACKAGES[name])


@cache
def child_program(command: tuple[str, ...]) -> ChildProgram:
    """Return the running program of a command, one for each process of ours."""
    return ChildProgram(command)


def _child_answer(command: tuple[str, ...], html: str, url: str) -> dict[str, Any]:
    return child_program(command).answer(html, url if url.startswith("http") else None, CHILD_SECONDS)


def _child_fields(command: tuple[str, ...], names: tuple[str, ...], html: str, url: str) -> Fields:
    answer = _child_answer(command, html, url)
    values = {name: str(answer.get(name) or "") for name in names}
    return values | ({"date": iso_date(values["date"])[:10]} if "date" in values else {})


def child_readers(
    names: Iterable[str], python: str | None, peers: Path | None
) -> dict[str, Callable[[str, str], Fields]]:
    """Return what reads the fields of a page, by program; programs that are not installed are named and skipped."""
    found: dict[str, Callable[[str, str], Fields]] = {}
    for name in filter(CHILDREN.get, names):
        try:
            found[name] = partial(_child_fields, tuple(program_command(name, python, peers)), CHILDREN[name])
        except ProgramMissing as error:
            print(f"{name} is skipped: {error}", file=sys.stderr)
    return found


def peer_options(command: Any) -> Any:
    """Add the options that find programs in processes of their own."""
    command = click.option("--python", help="A Python that has rs-trafilatura and magic-html.")(command)
    return click.option("--peers", type=FOLDER, help="Folder with node_modules of Readability.js and Defuddle.")(
        command
    )


@dataclass(frozen=True, kw_only=True)
class Extractor:
    """A program that returns the text of a page."""

    name: str
    version: str
    #: From the HTML, the parsed or rendered page and the seconds it may take to the text; raises BlocksightError.
    text: Callable[[str, bs.Page, float], str]
    visual: bool = False
    stop: Callable[[], None] = lambda: None


def find_interpreter(module: str, chosen: str | None = None) -> str:
    """Return an interpreter that has a module: the chosen one, or the first of :data:`INTERPRETERS`.

    Raises ProgramMissing, which says what to install.
    """
    candidates = [chosen] if chosen else [sys.executable, *filter(None, map(shutil.which, INTERPRETERS))]
    for candidate in dict.fromkeys(candidates):
        command = [candidate, "-c", f"import {module}"]
        try:
            if subprocess.run(command, capture_output=True, timeout=START, check=False).returncode == 0:
                return candidate
        except (OSError, subprocess.TimeoutExpired):
            continue
    package = next(package for package, name in PYTHON_PACKAGES.items() if name == module)
    where = f"{chosen} does not have it" if chosen else "no Python that was found here has it"
    raise ProgramMissing(f"{where}; install it (pip install {package}), and name its Python by --python")


def find_node(folder: Path | None, package: str) -> list[str]:
    """Return the command of a package of npm. Raises ProgramMissing, which says what to install."""
    node = shutil.which("node")
    if node is None:
        raise ProgramMissing("node is not installed")
    if folder is None or not (folder / "node_modules").is_dir():
        raise ProgramMissing(f"npm install --prefix FOLDER {_NPM}, and name the folder by --peers")
    return [node, str(PROGRAMS / "node_peer.mjs"), str(folder), package]


def extractors(names: Iterable[str], python: str | None, peers: Path | None) -> Iterator[Extractor]:
    """Yield programs by name; those that are not installed are named on standard error and skipped."""
    for name in names:
        try:
            yield _extractor(name, python, peers)
        except ProgramMissing as error:
            print(f"{name} is skipped: {error}", file=sys.stderr, flush=True)


def _extractor(name: str, python: str | None, peers: Path | None) -> Extractor:
    if name in PYTHON_PACKAGES or name in NODE_PACKAGES:
        return _child(name, program_command(name, python, peers))
    peer = next((peer for peer in PEERS if peer.card.name == name), None)
    if peer is None:
        system = system_named(name)
        return Extractor(
            name=name, version=bs.__version__, text=partial(_system_text, system), visual=system.card.visual
        )
    if not peer.installed:
        raise ProgramMissing(f"pip install '{peer.package}'")
    package = peer.package.partition(">")[0]
    return Extractor(name=name, version=version(package), text=partial(_peer_text, peer))


def _child(name: str, command: list[str]) -> Extractor:
    child = ChildProgram(command)

    def text(html: str, page: bs.Page, seconds: float) -> str:
        return child.text(html, page.url if page.url.startswith("http") else None, seconds)

    return Extractor(name=name, version=child.version, text=text, stop=child.stop)


def _peer_text(peer: Peer, html: str, page: bs.Page, seconds: float) -> str:
    with time_limit(seconds):
        return peer.text(page, html)


def _system_text(system: bs.System, _: str, page: bs.Page, seconds: float) -> str:
    with time_limit(seconds):
        marks, error = try_marks(system, page)
        if error:
            raise bs.PageFailed(page.url, error)
        return system_output(page, marks).text
