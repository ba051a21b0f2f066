"""The errors of blocksight.

BlocksightError
 ├── BrowserMissing    no browser to render with; the message is the cure
 ├── PageFailed        one page could not be had; carries its address and the reason
 │    ├── Refused      the address or the size is against the policy in force
 │    │    └── TooLarge  the size is
 │    ├── HttpFailed   the server answered with an error; carries the status and when to come again
 │    ├── TimedOut     it was not done in the time for a page
 │    ├── LanguageUnknown  a language-bound system was not trained on the page's language
 │    └── PageChanged  its records are not those that a wrapper was learned from
 ├── PageUnreadable    a saved page is damaged, or newer than this program
 ├── ModelMismatch     a model file does not fit this program's features
 │    └── ModelMissing  a trained system has no model here; the message is the command that makes one
 ├── GeometryMissing   a visual system was given a page that no browser has seen
 ├── PeerMissing       another program is not installed; the message is the cure
 ├── CorpusUnreadable  a folder is no corpus; the message lists the forms that are known
 ├── WrapperUnreadable a file is no wrapper of a site's records; the message says how to learn one
 ├── SegmentationUnreadable  a file is no segmentation; the message says what is wrong with it
 ├── JudgingUnreadable what a person said of two systems cannot be read, or belongs to another page
 ├── SettingsMismatch     a folder holds results of a run with other settings; the message says which
 ├── RunInProgress       another run writes into the same folder at this moment
 ├── RunStopped        a run cannot write what it has; the message says what to do before the next
 └── ExtraMissing      a library that an extra installs is not there; the message is the cure

Wrong arguments raise ValueError or TypeError as everywhere in Python.
"""

from collections.abc import Iterable


class BlocksightError(Exception):
    """The base of every error that blocksight raises on purpose."""


class BrowserMissing(BlocksightError):
    """No Chromium was found; the message says how to get one."""


class PageFailed(BlocksightError):
    """One page could not be had.

    Parameters
    ----------
    url : str
        The address or file name that was asked for.
    reason : str
        The reason, in words for the person who asked.
    """

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason

    def __reduce__(self) -> tuple[type["PageFailed"], tuple[str, str]]:
        return type(self), (self.url, self.reason)


class Refused(PageFailed):
    """The address or the size of a page is against the policy in force."""


class TooLarge(Refused):
    """A page has more bytes than it may."""


class HttpFailed(PageFailed):
    """The server answered with an error.

    Parameters
    ----------
    url, reason : str
    status : int
        The number of HTTP's.
    retry_after : float or None
        Seconds after which the server wants to be asked again, where it says so.
    """

    def __init__(self, url: str, reason: str, status: int, retry_after: float | None = None) -> None:
        super().__init__(url, reason)
        self.status = status
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[type["HttpFailed"], tuple[str, str, int, float | None]]:  # type: ignore[override]
        return type(self), (self.url, self.reason, self.status, self.retry_after)


class TimedOut(PageFailed):
    """A page was not done in its time."""


class SegmentationUnreadable(BlocksightError):
    """A file that should hold a segmentation does not; the message says what is wrong with it."""


class PageUnreadable(BlocksightError):
    """A saved page is damaged or was written by a newer program."""


class ModelMismatch(BlocksightError):
    """A model file does not fit this program's feature table."""


class GeometryMissing(BlocksightError, ValueError):
    """A visual system was given a page that no browser has seen.

    Parameters
    ----------
    system : str
        Its name.
    """

    def __init__(self, system: str) -> None:
        super().__init__(f"{system} looks at geometry: render the page with a browser, or take a DOM system")
        self.system = system

    def __reduce__(self) -> tuple[type["GeometryMissing"], tuple[str]]:
        return type(self), (self.system,)


class PeerMissing(BlocksightError, ImportError):
    """Another program, such as one to compare with, is not installed.

    Parameters
    ----------
    system : str
        Its name.
    package : str
        What to give to pip.
    """

    def __init__(self, system: str, package: str) -> None:
        super().__init__(f"{system} is not installed; install it with: pip install '{package}'")
        self.system = system
        self.package = package

    def __reduce__(self) -> tuple[type["PeerMissing"], tuple[str, str]]:
        return type(self), (self.system, self.package)


class CorpusUnreadable(BlocksightError):
    """A folder is no corpus in a form that is known; the message lists the forms."""


class SettingsMismatch(BlocksightError):
    """A folder holds the results of a run with other settings, which this one cannot go on with."""


class RunInProgress(BlocksightError):
    """Another run writes into the same folder at this moment."""


class RunStopped(BlocksightError):
    """A run cannot write what it has; the message says what to do before the next."""


class ExtraMissing(BlocksightError, ImportError):
    """A library that an extra installs is not there.

    Parameters
    ----------
    what : str
        What needs it.
    extra : str
        What to give to pip in brackets.
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs more libraries; install them with: pip install 'blocksight[{extra}]'")
        self.what = what
        self.extra = extra

    def __reduce__(self) -> tuple[type["ExtraMissing"], tuple[str, str]]:
        return type(self), (self.what, self.extra)


class JudgingUnreadable(BlocksightError):
    """What a person has said of two systems cannot be read, or belongs to another page."""


class ModelMissing(ModelMismatch):
    """A trained system has no model here; the message says how to make one."""


class LanguageUnknown(PageFailed):
    """A system that knows some languages only was given a page in another one."""


class PageChanged(PageFailed):
    """A page has no records like those that a wrapper was learned from, or they have other columns."""


class WrapperUnreadable(BlocksightError):
    """A file that should hold a wrapper does not; the message says how to learn one."""


def unknown_name(what: str, name: str, known: Iterable[str]) -> ValueError:
    """Make the error for a name that is not known: it says which are like it, or else which there are.

    >>> print(unknown_name("fruit", "aple", ["apple", "pear"]))
    no fruit is called 'aple'; did you mean 'apple'?
    >>> print(unknown_name("fruit", "kiwi", ["apple", "pear"]))
    no fruit is called 'kiwi'; there are apple, pear
    """
    from difflib import get_close_matches

    names = tuple(known)
    near = get_close_matches(name.lower(), names)
    told = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(names)}"
    return ValueError(f"no {what} is called {name!r}; {told}")
