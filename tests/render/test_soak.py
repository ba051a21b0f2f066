"""The soak of benchmarks/soak.py in a small form: every fault once among good pages."""

import importlib.util
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def test_sixty_documents_with_every_fault():
    soaking = load(Path(__file__).parents[2] / "benchmarks" / "soak.py")
    report = soaking.soak(60, faults=len(soaking.FAULTS) / 60, timeout=20.0, samples=4)
    assert len(report.outcomes) == 60
    assert {outcome.kind for outcome in report.outcomes} == {"ok", *soaking.FAULTS}
    assert report.late == []
    assert report.good_that_failed == []
    assert report.left == []
    why = {outcome.kind: outcome.why for outcome in report.outcomes if outcome.kind != "ok"}
    assert {why[kind] for kind in ("download", "redirects", "reset")} == {"PageFailed"}
    assert {why[kind] for kind in ("spin", "dialog", "popups", "frames")} <= {"page", "partial"}
    assert set(why.values()) <= {
        "page",
        "partial",
        "PageFailed",
        "PageCrashed",
        "PageLate",
        "PageTooMuch",
        "Refused",
        "TooLarge",
    }
