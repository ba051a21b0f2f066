"""Records of fixtures and generated lists, and the features of whole pages, compared with golden values.

``fixtures/golden/records.tsv`` has a line for each field of each set: how many records have it, and a digest of the
values. After a deliberate change, look at what differs before you commit it::

    pytest tests/records/test_golden_records.py --update-golden
"""

import hashlib

import blocksight as bs
import numpy as np
import pytest
from blocksight.records.candidates import find_records
from blocksight.records.page_features import PAGE_COLUMNS, page_measures
from generators import list_corpus

FOLDERS = ("layouts", "layouts-feeds", "layouts-indexes", "layouts-shops", "structure")
#: Characters of a digest; significant digits of a feature.
DIGEST, DIGITS = 8, 5


def digest(values):
    return hashlib.sha256("\n".join(values).encode()).hexdigest()[:DIGEST]


def pages(fixtures):
    """Yield name and page of the fixtures, which get an address with their name, and of a list of each skin."""
    for folder in FOLDERS:
        for file in sorted((fixtures / folder).glob("*.html")):
            yield f"{folder}/{file.stem}", bs.parse(file.read_bytes(), url=f"https://{folder}.example/{file.stem}")
    for markup, gold in list_corpus.pages("train", 1, seed=3):
        yield gold["id"], bs.parse(markup, url=gold["url"])


def record_lines(page):
    """Yield a line for each field of each set of a page."""
    document = bs.extract(page)
    for number, one in enumerate(document.records):
        records = [record for _, record in one.every()]
        depths = "".join(str(depth) for depth, _ in one.every())
        yield f"{number}\t{one.kind}\t{one.record_type}\t{len(records)}\t{digest(depths)}"
        for name in one.columns:
            values = [record.fields[name] for record in records if name in record.fields]
            yield f"{number}\t{name}\t{len(values)}\t{digest(values)}"


def feature_line(page):
    """Return the features of a page that are not 0, by name."""
    candidates = find_records(page)
    values = page_measures(candidates, np.full(len(candidates.groups), 0.75))
    named = zip(PAGE_COLUMNS, values.tolist(), strict=True)
    return " ".join(f"{name}={value:.{DIGITS}g}" for name, value in named if value)


@pytest.fixture(scope="module")
def golden(fixtures, request):
    """Return a function that compares lines with those of a golden file, or writes them with ``--update-golden``."""

    def check(name, lines):
        file = fixtures / "golden" / name
        if request.config.getoption("--update-golden"):
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        assert lines == file.read_text(encoding="utf-8").splitlines()

    return check


def test_records_are_those_of_the_golden_file(fixtures, golden):
    golden("records.tsv", [f"{name}\t{line}" for name, page in pages(fixtures) for line in record_lines(page)])


def test_features_of_pages_are_those_of_the_golden_file(fixtures, golden):
    golden("page-features.tsv", [f"{name}\t{feature_line(page)}" for name, page in pages(fixtures)])
