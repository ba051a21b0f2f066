"""The errors of blocksight; wrong arguments raise ValueError or TypeError as everywhere in Python."""

from collections.abc import Iterable
from typing import ClassVar


class BlocksightError(Exception):
    """The base class of all errors that blocksight raises on purpose."""

    #: Its kind in the rows of a batch and the answers of the service (:mod:`~blocksight.batch.row_schema`).
    kind: ClassVar[str] = "failed"
    #: The message of a class whose arguments are not one, with their names. They are pickled as they were given.
    _message: ClassVar[str] = ""

    def __str__(self) -> str:
        return self._message.format(**vars(self)) if self._message else super().__str__()


class BrowserMissing(BlocksightError):
    """No Chromium was found; the message says how to install one."""


class PageFailed(BlocksightError):
    """One page could not be opened.

    Parameters
    ----------
    url : str
        The requested address or file name.
    reason : str
        The reason, in words for the user.
    """

    _message = "{url}: {reason}"

    def __init__(self, url: str, reason: str, *more: object) -> None:
        super().__init__(url, reason, *more)
        self.url, self.reason = url, reason


class Refused(PageFailed):
    """The address or the size of a page violates the policy in force."""

    kind = "refused"


class TooLarge(Refused):
    """A page has more bytes than the limit."""


class HttpFailed(PageFailed):
    """The server responded with an error.

    Parameters
    ----------
    url, reason : str
    status : int
        The HTTP status code.
    retry_after : float or None
        Seconds after which the server wants the next request, if it says so.
    """

    kind = "http"

    def __init__(self, url: str, reason: str, status: int, retry_after: float | None = None) -> None:
        super().__init__(url, reason, status, retry_after)
        self.status, self.retry_after = status, retry_after


class UseReserved(PageFailed):
    """A page, or its site, states that it must not be used for a purpose that was named."""

    kind = "usage"


class PageEmpty(PageFailed):
    """A page is empty, or has no text."""

    kind = "empty"


class ConnectionFailed(PageFailed):
    """The host of a page could not be reached, or the connection broke; a later attempt may succeed."""

    kind = "connection"


class NameUnresolved(ConnectionFailed):
    """The name of a host has no address, or the name server did not answer."""

    kind = "dns"


class ProxyFailed(ConnectionFailed):
    """The upstream proxy could not be reached."""


class TimedOut(PageFailed):
    """The time limit for a page was exceeded."""

    kind = "timeout"


class NoAnswer(TimedOut):
    """The server did not answer within the time limit for a page."""


class LanguageUnknown(PageFailed):
    """A language-dependent system was not trained on the page's language."""

    kind = "language"


class PageUnreadable(BlocksightError):
    """A saved page is damaged or was written by a newer program."""

    kind = "unreadable"


class ModelMismatch(BlocksightError):
    """A model file does not fit this program's feature table."""


class ModelMissing(ModelMismatch):
    """A trained system has no model file; the message says how to train one."""


class GeometryMissing(BlocksightError, ValueError):
    """The visual system of this name got a page that was not rendered."""

    _message = "{system} needs geometry: render the page with a browser, or choose a DOM system"

    def __init__(self, system: str) -> None:
        super().__init__(system)
        self.system = system


class PeerMissing(BlocksightError, ImportError):
    """The external program of this name, which pip installs as ``package``, is not installed."""

    _message = "{system} is not installed; install it with: pip install '{package}'"

    def __init__(self, system: str, package: str) -> None:
        super().__init__(system, package)
        self.system, self.package = system, package


class PluginFailed(BlocksightError):
    """The system of this name, of another package, cannot be loaded; the message names the package and the cause."""

    _message = "{system}: {reason}"

    def __init__(self, system: str, reason: str) -> None:
        super().__init__(system, reason)
        self.system, self.reason = system, reason


class CorpusUnreadable(BlocksightError):
    """A folder is no corpus in a supported form; the message lists the forms."""


class SettingsMismatch(BlocksightError):
    """A folder has the results of a run with other settings, so that this run cannot resume it."""


class FolderUnsafe(BlocksightError):
    """An output folder contains links, or an output is a link of another user: the data would go elsewhere."""


class RunInProgress(BlocksightError):
    """Another run is writing to the same folder."""


class RunStopped(BlocksightError):
    """A run cannot go on, such as on a full disk; the message says what to do before the next."""


class WorkersEnded(RunStopped):
    """Worker processes end while they start, as those of a script without ``if __name__ == "__main__":`` do."""


class ExtraMissing(BlocksightError, ImportError):
    """A feature (``what``) needs libraries that the optional extra of this name installs."""

    _message = "{what} needs more libraries; install them with: pip install 'blocksight[{extra}]'"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(what, extra)
        self.what, self.extra = what, extra


def unknown_name(what: str, name: str, known: Iterable[str]) -> ValueError:
    """Return the error for an unknown name, with similar names or else all known ones.

    >>> print(unknown_name("fruit", "aple", ["apple", "pear"]))
    no fruit is called 'aple'; did you mean 'apple'?
    >>> print(unknown_name("fruit", "kiwi", ["apple", "pear"]))
    no fruit is called 'kiwi'; there are apple, pear
    """
    from difflib import get_close_matches

    names = tuple(known)
    similar = get_close_matches(name.lower(), names)
    hint = f"did you mean {' or '.join(map(repr, similar))}?" if similar else f"there are {', '.join(names)}"
    return ValueError(f"no {what} is called {name!r}; {hint}")
