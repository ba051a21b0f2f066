"""The compiled loops return what their references in NumPy return, bit for bit, and refuse invalid columns."""

import os
import random
import subprocess
import sys
from contextlib import nullcontext
from itertools import product
from types import SimpleNamespace

import blocksight as bs
import numpy as np
import pytest
from blocksight.features.block_table import measure
from blocksight.features.strings.characters import CharacterCounts
from blocksight.page import arrays
from blocksight.page.parse import parse
from blocksight.segment.blocks import text_blocks, text_runs
from blocksight.segment.record_groups import find_record_groups, visible_or_covered
from conftest import FIXTURES
from generators.odd_input import VALID_HTML, damaged, odd_html

C = arrays.compiled
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(C is None, reason="the package was installed without a compiler, or BLOCKSIGHT_PURE=1"),
]

PAGES = sorted(FIXTURES.rglob("*.html"))
COUNTS = "words sentences unspaced digits decimals capitals symbols commas partings".split()
TREE = "parent tag text attribute_node attribute_name attribute_value leaves leaf_range end depth owner".split()


@pytest.fixture
def in_both_ways(monkeypatch):
    """Return a function that computes something by the compiled loops, then without them."""

    def results(compute):
        ours = compute()
        with monkeypatch.context() as pure:
            pure.setattr(arrays, "compiled", None)
            return ours, compute()

    return results


def fuzzed(count):
    dice = random.Random(34)
    valid = VALID_HTML.encode()
    for number in range(count):
        odd = odd_html(dice, pieces=(1, 3), depths=(0, 1, 2))
        yield odd if number % 2 else damaged(valid, valid, dice).decode("utf-8", "replace")


def columns_of_tree(data, seed=0):
    """Return columns of a page, and what its queries return for random marks."""
    page = parse(data, url="https://example.org/")
    dice = np.random.default_rng(seed)
    marked = dice.random(len(page)) < dice.choice([0.0, 0.02, 0.5])
    bits = dice.integers(0, 1 << 63, len(page), dtype=np.uint64) * (dice.random(len(page)) < 0.1)
    counts = CharacterCounts(page.leaf_texts)
    columns = {name: getattr(page, name) for name in TREE} | {name: getattr(counts, name) for name in COUNTS}
    columns |= {"below": page.below(marked), "nearest": page.nearest(marked), "bits": page.inherited_bits(bits)}
    columns["capitalised"] = counts.capitalised(60)
    for breaks in (1, 2):
        columns[f"runs{breaks}"] = text_runs(page, page.leaves, marked | page.has_tag("p"), breaks=breaks)
        columns[f"blocks{breaks}"] = text_blocks(page, breaks=breaks).node
    return page, columns


def assert_same(ours, theirs):
    (page, columns), (other_page, others) = ours, theirs
    assert (page.names, page.strings, page.title) == (other_page.names, other_page.strings, other_page.title)
    for name, column in columns.items():
        assert column.dtype == others[name].dtype, name
        assert column.tobytes() == others[name].tobytes(), name


def test_fuzzed_pages(in_both_ways):
    sizes = []
    for seed, data in enumerate(fuzzed(500)):
        ours, theirs = in_both_ways(lambda data=data, seed=seed: columns_of_tree(data, seed))
        assert_same(ours, theirs)
        sizes.append(len(ours[0]))
    assert min(sizes) < 5
    assert max(sizes) > 150


def record_groups(data):
    page = parse(data, url="https://example.org/")
    groups = [*find_record_groups(page), *find_record_groups(page, visible_or_covered(page))]
    return [(group.node, group.spans, group.tag, group.names) for group in groups]


def siblings(dice, depth=0):
    """Return elements of few tags and class names: some of one kind, some nearly."""
    called = " ".join(dice.choices(("a", "b", "c1", "c2", "dd"), k=dice.randrange(3)))
    tag = dice.choice(("div", "div", "li", "span", "tr", "td", "b"))
    inner = "".join(siblings(dice, depth + 1) for _ in range(dice.choice((0, 0, 1, 3, 5)))) if depth < 4 else ""
    return f"<x-{tag} class='{called}'>{inner or 'x'}</x-{tag}>".replace("x-", "" if tag not in ("tr", "td") else "x-")


def test_fuzzed_siblings(in_both_ways):
    found, dice = 0, random.Random(35)
    for number in range(500):
        rows = "".join(f"<tr class='{dice.choice(('', 'a', 'b a'))}'>{'<td>x' * dice.randrange(4)}" for _ in range(9))
        data = "".join(siblings(dice) for _ in range(dice.randrange(20))) + f"<table>{rows}</table>" * (number % 2)
        ours, theirs = in_both_ways(lambda data=data: record_groups(data))
        assert ours == theirs
        found += len(ours)
    assert found > 1000


def test_sets_outside_of_their_columns_are_refused():
    def longs(*values):
        return np.asarray(values, dtype=np.int64)

    good = [longs(0, 0, 0, 1, 0, 0, 5, 5), longs(0, 1, 1), longs(7), longs(0, 1), longs(3), np.ones(4), longs(0, 0)]
    C.kinds(*good, kind := longs(9, 9))
    assert kind.tolist() == [0, 0]
    for place, wrong in (
        (0, longs(0, 0, 0, 2, 0, 0, 5, 5)), (0, longs(0, 0, 0, -1, 0, 0, 5, 5)), (0, longs(0, 0, 0, 1, 0, 1, 5, 5)),
        (0, longs(0, 0)), (1, longs(0, 2, 1)), (1, longs(0, 1, 2)), (1, longs(-1, 1, 1)), (3, longs(0, 5)),
        (3, longs()), (4, longs()), (5, np.ones(3)), (6, longs(0)),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"set|column"):
            C.kinds(*[wrong if number == place else part for number, part in enumerate(good)], kind)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_fixtures(in_both_ways, path):
    data = path.read_bytes()
    assert_same(*in_both_ways(lambda: columns_of_tree(data)))
    ours, theirs = in_both_ways(lambda: record_groups(data))
    assert ours == theirs
    assert_same(*in_both_ways(lambda: measured(data)))


def measured(data):
    page = parse(data, url="https://example.org/forum/1")
    return page, measure(page, groups=("text", "role")).columns


def pages_of_blocks(dice, count):
    """Return pages of the blocks that features distinguish: headings, pictures, cards, labels, emphasis."""
    pieces = (
        "<h1>Boiling tea</h1>", "<h2 class='entry-title'>Pots</h2>", "<br><br>", "\u8336\u8336\u8336",
        "<p>Tea, water, and a <b>warm</b> <em>pot</em>, " + "which is filled, " * 9, "<p>Comments (5)",
        "<div class='card'><img src='a.png'><a href='/author/ann'>Ann</a></div>", "<section>", "</section>",
        "<nav><a href='/'>Home</a> | <a href='/tea'>Tea</a></nav>", "<li class='post'>Quote reply 5 May 2020",
        "<aside role=heading><small>Related stories</small></aside>", "<table><tr><td>a<td>b</table>",
        "<article itemprop=articleBody>", "</article>", "<main id='content'>", "</main>", "<ul>", "</ul>",
        "<div class='card wide'>", "</div>",
    )  # fmt: skip
    for _ in range(count):
        yield "<title>Boiling tea</title>" + "".join(dice.choices(pieces, k=dice.randrange(60)))


def test_fuzzed_columns_of_blocks(in_both_ways):
    dice, rows = random.Random(36), 0
    for data in (*fuzzed(100), *pages_of_blocks(dice, 150)):
        ours, theirs = in_both_ways(lambda data=data: measured(data))
        assert_same(ours, theirs)
        rows += len(ours[1]["words_log"])
    assert rows > 3000


CARDS = "<h1>Boiling tea</h1><p>Comments (5)" + "".join(
    f"<div class='card c{number}'><img src='{number}.png'><h3><a href='/author/ann'>Ann writes</a></h3>"
    f"<p>Tea, water, and a <b>warm</b> pot, which is filled {'slowly ' * number}on 5 May 2020.</p></div>"
    for number in range(6)
)


@pytest.fixture
def arguments(monkeypatch):
    """Return the arguments of the loop over the blocks of a page."""
    calls = []
    compiled = SimpleNamespace(**vars(C) | {"hints": lambda *given: [calls.append(given), C.hints(*given)]})
    monkeypatch.setattr(arrays, "compiled", compiled)
    measured(CARDS)
    return calls[0]


def test_hints_of_other_sizes_are_refused(arguments):
    C.hints(*arguments)
    for place, argument in enumerate(arguments):
        others = [None, "text"]
        if isinstance(argument, np.ndarray) and argument.size:
            others += [argument.ravel()[: argument.size // 2 - 1], argument.astype(np.complex128)]
        for other in others:
            with pytest.raises((ValueError, TypeError, BufferError)):
                C.hints(*arguments[:place], other, *arguments[place + 1 :])
    with pytest.raises(TypeError, match="arguments"):
        C.hints(*arguments[:-1])


def test_indices_of_hints_are_checked(arguments):
    # The texts are no indices, and numbers of strings have a least value only.
    allowed = {(5, -5), (5, 1 << 30), (8, 1 << 30)}
    for place, argument in enumerate(arguments):
        if not isinstance(argument, np.ndarray) or argument.dtype.kind != "i":
            continue
        for wrong, at in product((-5, 1 << 30), (0, -1)):
            changed = argument.copy()
            changed.flat[at] = wrong
            refused = pytest.raises(ValueError, match=r"index|parent|span|size")
            with nullcontext() if (place, wrong) in allowed else refused:
                C.hints(*arguments[:place], changed, *arguments[place + 1 :])


def test_the_whole_of_a_page(in_both_ways):
    def document():
        doc = bs.extract(parse((FIXTURES / "news" / "page.html").read_bytes(), url="https://example.org/"))
        return doc.to_dict()

    ours, theirs = in_both_ways(document)
    assert ours == theirs
    assert ours["text"]


def test_without_the_compiled_loops():
    code = "import blocksight as bs, blocksight.page.arrays as a; print(a.compiled, len(bs.parse('<p>Tea')))"
    environment = os.environ | {"BLOCKSIGHT_PURE": "1"}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["None", "5"]


def ints(*values):
    return np.asarray(values, dtype=np.int32)


def random_column(dice, count):
    odd = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e300, 0.1]
    return dice.choice(
        [
            dice.choice(odd, count),
            dice.normal(size=count),
            dice.integers(-(1 << 62), 1 << 62, count),
            dice.random(count) < 0.5,
        ][int(dice.integers(4))],
        count,
    )


@pytest.mark.filterwarnings("ignore:.*(invalid value|overflow)")
def test_sums(in_both_ways):
    dice = np.random.default_rng(7)
    for seed in range(500):
        count = int(dice.integers(0, 40))
        values = random_column(dice, count) if count else np.zeros(0, dtype=[bool, float, np.int64][seed % 3])
        spans = dice.integers(0, count + 1, (2, int(dice.integers(0, 20)))).astype([np.int32, np.int64][seed % 2])
        for compute in (
            lambda values=values: arrays.prefix_sums(values),
            lambda values=values, spans=spans: arrays.span_sums(values, *spans),
            lambda values=values, count=count: arrays.span_sums(values, None, np.full(count, count, dtype=np.int32)),
            lambda values=values: arrays.prefix_sums(values[::-2]),
        ):
            ours, theirs = in_both_ways(compute)
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(np.isnan(ours), np.isnan(theirs))
            assert np.where(np.isnan(ours), 0, ours).tobytes() == np.where(np.isnan(theirs), 0, theirs).tobytes()


def test_sums_of_other_places_are_refused():
    values, sums, result = np.ones(3), np.empty(4), np.empty(2)
    for call in (
        lambda: C.prefix(values, 1, np.empty(5)),
        lambda: C.prefix(values, 3, sums),
        lambda: C.prefix(values, -1, sums),
        lambda: C.prefix(values, 0, sums),
        lambda: C.prefix(np.zeros(0), 1, np.zeros(0)),
        lambda: C.prefix(values[::2], 1, np.empty(3)),
        lambda: C.prefix(values, "1", sums),
        lambda: C.spans(values, 1, ints(0, 0), ints(4, 1), sums, result),
        lambda: C.spans(values, 1, ints(-1, 0), ints(1, 1), sums, result),
        lambda: C.spans(values, 1, ints(0), ints(1, 1), sums, result),
        lambda: C.spans(values, 1, ints(0, 0).astype(np.int64), ints(1, 1), sums, result),
        lambda: C.spans(values, 1, ints(0, 0), np.ones(2, dtype=np.int16), sums, result),
        lambda: C.spans(values, 1, None, ints(1, 1), np.empty(3), result),
        lambda: C.spans(values, 5, None, ints(1, 1), sums, result),
        lambda: C.spans(np.zeros(0), 1, None, ints(1, 1), np.empty(1), result),
    ):
        with pytest.raises((ValueError, TypeError, BufferError)):
            call()


def test_tags_and_attributes_that_are_outside_are_refused():
    columns, result = (ints(0, 2), ints(1, 1), ints(7, 8)), ints(0, 0, 0)
    C.attribute(*columns, 1, result)
    assert result.tolist() == [7, -1, 8]
    C.among(result, [8, 9, 10, 11, 12, 7], marked := np.ones(3, dtype=bool))
    assert marked.tolist() == [True, False, True]
    C.among(result, [8], marked)
    assert marked.tolist() == [False, False, True]
    for call in (
        lambda: C.attribute(ints(0, 3), *columns[1:], 1, result),
        lambda: C.attribute(ints(-1, 0), *columns[1:], 1, result),
        lambda: C.attribute(ints(0), *columns[1:], 1, result),
        lambda: C.attribute(*columns, "1", result),
        lambda: C.among(result, (1,), marked),
        lambda: C.among(result, ["1"], marked),
        lambda: C.among(result, [-1], marked),
        lambda: C.among(result, [1 << 16], marked),
        lambda: C.among(result, [1], np.ones(2, dtype=bool)),
    ):
        with pytest.raises((ValueError, TypeError)):
            call()


def test_texts_that_start_visibly():
    strings = ("a", " a", "", "!", "~x", "\x7f", "\n", "é", "\U0001f600", "\ud800")
    C.visible(strings, ints(*range(10)), result := np.empty(10, dtype=bool))
    assert result.tolist() == [True, False, False, True, True, *[False] * 5]
    for texts in (ints(10), ints(-1)):
        with pytest.raises(ValueError, match="string"):
            C.visible(strings, texts, np.empty(1, dtype=bool))
    for wrong in (["a"], (b"a",), None):
        with pytest.raises(ValueError, match="string"):
            C.visible(wrong, ints(0), np.empty(1, dtype=bool))


@pytest.mark.parametrize("parent", [(0,), (-1, 1), (-1, 5), (-2,), (-1, 0, 2)])
def test_a_parent_that_is_not_before_its_child_is_refused(parent):
    rows, result = ints(*parent), ints(*parent)
    for call in (
        lambda: C.ends(rows, result),
        lambda: C.nearest(rows, np.zeros(len(rows), dtype=bool), result),
        lambda: C.below(rows, np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)),
        lambda: C.inherited(rows, np.zeros(len(rows), dtype=np.uint64)),
        lambda: C.runs(rows, *np.zeros((2, len(rows)), dtype=bool), ints(0), 2, ints(0), ints(0)),
    ):
        with pytest.raises(ValueError, match="parent"):
            call()


def test_a_subtree_ends_where_the_next_begins():
    C.ends(ints(-1, 0, 1, 0, -1), result := ints(0, 0, 0, 0, 0))
    assert result.tolist() == [4, 3, 3, 4, 5]
    assert not C.ends(ints(-1, 0, 0, 1), ints(0, 0, 0, 0))  # row 3 is below row 1, but row 2 is not


def test_other_types_and_lengths_are_refused():
    one, two = ints(-1), ints(-1, 0)
    fixed = np.zeros(1, dtype=np.int32)
    fixed.flags.writeable = False
    for call in (
        lambda: C.ends(one, two),
        lambda: C.ends(one, one.astype(np.int64)),
        lambda: C.ends(two[::-1], two),
        lambda: C.ends(one, fixed),
        lambda: C.ends(one),
        lambda: C.ends(None, one),
        lambda: C.nearest(one, np.zeros(2, dtype=bool), one),
        lambda: C.inherited(two, np.zeros(1, dtype=np.uint64)),
        lambda: C.callbacks({}, []),
    ):
        with pytest.raises((ValueError, TypeError, BufferError)):
            call()


def counting(codes, lengths, measures=16):
    table = np.ones(0x110000, dtype=np.uint16)
    counts = np.zeros((len(lengths), measures))
    return C.count_characters(table, np.asarray(codes, dtype=np.uint32), ints(*lengths), counts)


def test_characters_outside_of_the_text_are_not_read():
    assert counting([65, 10], [1]) is True
    for codes, lengths in (([65, 10], [2]), ([65, 10], [1, 0]), ([65], [-1]), ([], [0]), ([0x110000, 10], [1])):
        with pytest.raises(ValueError, match=r"characters|code"):
            counting(codes, lengths)
    with pytest.raises(ValueError, match="length"):
        counting([65, 10], [1], measures=15)


def test_a_character_that_the_table_lacks_is_reported():
    table = np.zeros(0x110000, dtype=np.uint16)
    assert C.count_characters(table, np.asarray([65, 10], dtype=np.uint32), ints(1), np.zeros((1, 16))) is False


def test_callbacks_take_odd_events():
    names, strings = {"p": 0, "::x": -1, "big": 1 << 40, "text": "no"}, {}
    start, end, characters, finish = C.callbacks(names, strings)
    end("p")  # nothing is open
    start("p", (("p", None), ("::x", "dropped"), ("p", "a")))
    characters("a")
    end("p")
    end("p")
    parent, node, attributes = (np.frombuffer(part, dtype=np.int32).tolist() for part in finish())
    assert (parent, node, attributes) == ([-1, 0], [-1, 1], [0, 0, 0, 0, 0, 1])
    assert strings == {"": 0, "a": 1}
    for call in (
        lambda: start("p", None),
        lambda: start("p", ("p",)),
        lambda: start("p", (("p",),)),
        lambda: start("missing", ()),
        lambda: start("big", ()),
        lambda: start("text", ()),
        lambda: start([], ()),
        lambda: characters([]),
        lambda: start("p"),
    ):
        with pytest.raises((TypeError, ValueError, KeyError)):
            call()
