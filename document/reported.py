"""Report of a document on its page: the verdict with its evidence, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .content.lazy import Lazy

if TYPE_CHECKING:
    from .verdict.dropped import LeftOut, Region
    from .verdict.shown import Fact
    from .verdict.verdict import Verdict


# Without slots: subclasses cache values in the instance.
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PageReport:
    """Report of a document on its page, computed on first access.

    Attributes
    ----------
    judged : Lazy of Verdict, optional
    rest : Lazy of LeftOut, optional
    route : str
        How the page was opened and why, if that was to be decided: "raw HTML (...)" or "rendered (...)".
    """

    judged: Lazy[Verdict] | None = None
    rest: Lazy[LeftOut] | None = None
    route: str = ""

    @property
    def verdict(self) -> str:
        """What the page is: content, index, thin, shell, challenge, login, paywall, consent or error.

        "" for a document that was not made from a page.
        """
        return self.judged.value.name if self.judged else ""

    @property
    def evidence(self) -> tuple[Fact, ...]:
        """The facts from which the verdict follows, each with its value and where it is."""
        return self.judged.value.evidence if self.judged else ()

    @property
    def dropped(self) -> tuple[Region, ...]:
        """The regions of visible text that are not in the document, with the main reason of each, in order."""
        return self.rest.value.regions if self.rest else ()

    @property
    def coverage(self) -> float | None:
        """Share of the visible words of the page that are in the text; None without a page."""
        return self.rest.value.coverage if self.rest else None

    def report(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "route": self.route or None,
            "verdict": self.verdict,
            "evidence": [fact.to_dict() for fact in self.evidence],
            "coverage": self.coverage,
            "dropped": [region.to_dict() for region in self.dropped],
        }
