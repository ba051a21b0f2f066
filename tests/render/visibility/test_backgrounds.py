"""The suite of fixtures/seen.toml: no sentence comes out that a person cannot see, and none is lost that is visible."""

import blocksight as bs
import pytest
from blocksight.page.hidden import Hidden
from blocksight.page.visibility import invisible_leaves
from conftest import equal_pages
from generators import visibility_suite
from opening import open_many

pytestmark = [pytest.mark.browser, pytest.mark.long]


CASES = visibility_suite.cases()


@pytest.fixture(scope="module")
def pages():
    """The page of each case of the suite, by family and name; rendered by one browser, several at once."""
    options = bs.RenderOptions(offline=True, timeout=60.0)
    sources = {html.encode(): members for html, members in visibility_suite.joined(CASES).items()}
    with bs.Browser(pages=4, options=options) as browser:
        found = {opened.source: opened for opened in open_many(browser, list(sources))}
    failed = {source: opened.error for source, opened in found.items() if opened.page is None}
    assert not failed
    return {(case.family, case.name): found[source].page for source, members in sources.items() for case in members}


def test_the_suite_is_large_enough():
    assert sum(len(case.unseen) for case in CASES) >= 300
    assert sum(len(case.seen) for case in CASES) >= 250
    sentences = [sentence for case in CASES for sentence in (*case.seen, *case.unseen)]
    assert len(sentences) > 0.95 * len(set(sentences)) > 0


def errors_in(page, case):
    return visibility_suite.errors(case, bs.extract(page, system="everything").text)


@pytest.mark.parametrize("family", dict.fromkeys(case.family for case in CASES))
def test_no_leak_and_no_false_drop(pages, family):
    wrong = {}
    for case in CASES:
        if case.family == family and any(errors_in(pages[case.family, case.name], case)):
            # Workers run in real time: on a busy machine, or next to other pages, they may not come to their end.
            with bs.Browser(pages=1) as browser:
                page = browser.open(case.html.encode())
            if any(errors := errors_in(page, case)):
                wrong[case.name] = errors
    assert wrong == {}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("colour/same", Hidden.COLOR),
        ("colour/picture-behind", Hidden.COLOR),
        ("colour/transparent", Hidden.OPACITY),
        ("colour/filter-invert", Hidden.EFFECT),
        ("size/two", Hidden.SIZE),
        ("size/zero", Hidden.ZERO_AREA),
        ("clip/overflow", Hidden.CLIP),
        ("clip/path-inset", Hidden.EFFECT),
        ("clip/line-clamp-node", Hidden.CLIP),
        ("place/left", Hidden.OFF_SCREEN),
        ("place/backface", Hidden.EFFECT),
        ("cover/box", Hidden.COVER),
        ("cover/picture", Hidden.COVER),
        ("cover/fixed-whole", Hidden.COVER),
        ("display/none", Hidden.DISPLAY),
        ("display/details", Hidden.DISPLAY),
        ("display/visibility", Hidden.VISIBILITY),
        ("motion/fades-out", Hidden.OPACITY),
        ("glyphs/blank", Hidden.GLYPHS),
        ("glyphs/discs", Hidden.GLYPHS),
        ("frames/one-pixel", Hidden.CLIP),
    ],
)
def test_each_reason_has_its_name(pages, name, reason):
    (case,) = (case for case in CASES if f"{case.family}/{case.name}" == name)
    page = pages[case.family, case.name]
    (found,) = (why for text, why in zip(page.leaf_texts, page.hidden, strict=True) if case.unseen[0][:40] in text)
    assert Hidden(found) == reason


def test_each_page_is_read_again_as_it_was(pages, tmp_path):
    for number, page in enumerate(list(pages.values())[::60]):
        bs.save(page, tmp_path / f"{number}.page")
        again = bs.load(tmp_path / f"{number}.page")
        assert equal_pages(again, page)
        assert (invisible_leaves(again) == invisible_leaves(page)).all()
