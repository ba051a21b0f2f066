"""A short soak test: every fault once among good pages."""

import pytest
from generators import faulty_site

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_sixty_documents_with_every_fault():
    # Pages that never end take their whole time. On a busy machine, what is loaded then is read slowly.
    report = faulty_site.soak(60, faults=len(faulty_site.FAULTS) / 60, timeout=10.0, grace=30.0, samples=4)
    assert len(report.outcomes) == 60
    assert {outcome.kind for outcome in report.outcomes} == {"ok", *faulty_site.FAULTS}
    assert report.late == []
    assert report.good_that_failed == []
    assert report.left == []
    why = {outcome.kind: outcome.why for outcome in report.outcomes if outcome.kind != "ok"}
    assert {why[kind] for kind in ("download", "redirects")} == {"PageFailed"}
    assert why["reset"] == "ConnectionFailed"
    assert {why[kind] for kind in ("spin", "dialog", "popups", "frames")} <= {"page", "partial"}
    assert set(why.values()) <= {
        "page",
        "partial",
        "PageFailed",
        "ConnectionFailed",
        "PageCrashed",
        "PageLate",
        "PageTooMuch",
        "Refused",
        "TooLarge",
    }
