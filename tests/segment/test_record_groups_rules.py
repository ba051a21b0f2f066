"""The rules by which siblings become records, one by one, each on both sides of its limit."""

from itertools import groupby

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.record_groups import (
    RecordGroup,
    _contained_in,
    _distinct,
    _GroupFinder,
    _is_inside,
    find_record_groups,
    visible_or_covered,
)
from blocksight.segment.shape import kind_of, same_kind, shapes_overlap, sibling_kinds


def finder(html):
    page = bs.parse(html)
    return _GroupFinder(page, visible_or_covered(page))


def sibling_groups(found, above, members):
    numbers = found._kinds(members)
    compiled = sibling_kinds(found.page, np.asarray(members), found.shapes, found.names)
    assert compiled is None or compiled.tolist() == numbers
    return found._sibling_groups(above, members, numbers)


def all_groups(found):
    return [some for family in found._families() for some in found._sibling_groups(*family)]


def rows(found, tag):
    return np.flatnonzero(found.page.has_tag(tag)).tolist()


def siblings(*shapes, tag="div"):
    """Return a finder and siblings whose shapes are the letters, each an element that holds an "x"; "" holds text."""
    made = ("".join(f"<x-{letter}>x</x-{letter}>" for letter in shape) or "x" for shape in shapes)
    found = finder("<main>" + "".join(f"<{tag}>{inside}</{tag}>" for inside in made) + "</main>")
    return found, rows(found, tag)


def group(*spans, node=0, tag="div", names=()):
    return RecordGroup(node=node, spans=spans, tag=tag, names=frozenset(names))


def names(text):
    return frozenset(text.split())


# -- spans --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spans", "outer", "lie"),
    [
        (((0, 5),), ((0, 5),), True),
        (((1, 2), (3, 4)), ((0, 5),), True),
        (((1, 2), (7, 9)), ((0, 5), (6, 9)), True),
        # One of two is not most of them, two of three are.
        (((1, 2), (7, 9)), ((0, 5),), False),
        (((1, 2), (3, 4), (7, 9)), ((0, 5),), True),
        (((1, 2), (6, 7), (7, 9)), ((0, 5),), False),
        # Before, behind, around, and over the end.
        (((0, 2),), ((2, 5),), False),
        (((5, 7),), ((2, 5),), False),
        (((0, 9),), ((2, 5),), False),
        (((2, 6),), ((2, 5),), False),
        (((3, 6),), ((2, 5),), False),
        (((0, 1), (3, 4), (4, 5)), ((2, 5),), True),
    ],
)
def test_records_lie_in_others_where_most_of_them_do(spans, outer, lie):
    assert _contained_in(spans, outer) is lie


def test_the_outer_records_are_those_in_no_other_one():
    assert group((0, 5), (1, 2), (3, 5), (5, 7), (8, 9)).outer == ((0, 5), (5, 7), (8, 9))


def test_a_group_all_of_whose_records_larger_ones_have_is_left_out():
    large, part, new = group((1, 2), (2, 3), (3, 4)), group((1, 2), (3, 4)), group((3, 4), (5, 6))
    # The records of the last one are in the first and in the third.
    mixed = group((1, 2), (5, 6))
    assert _distinct([part, new, large, mixed]) == [large, new]
    same = group((1, 2), (2, 3), (3, 4))
    assert _distinct([large, same]) == [large]


@pytest.mark.parametrize(("row", "inside"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 0), (6, 0), (7, 0), (8, 1), (9, 0)])
def test_an_element_lies_inside_of_a_record_below_its_first_element(row, inside):
    assert _is_inside(row, group((2, 5), (7, 9))) is bool(inside)


# -- kinds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ({1}, {1, 2}, True),  # 1 of 2
        ({1, 2}, {1, 3}, False),  # 1 of 3
        ({1}, set(range(100)), False),
        (set(), set(), True),
        (set(), {1}, False),
    ],
)
def test_siblings_are_built_alike_that_share_half_of_all_their_paths(one, other, alike):
    assert shapes_overlap(frozenset(one), frozenset(other)) is alike


@pytest.mark.parametrize(
    ("tag", "called", "other", "shared", "one_kind"),
    [
        # Names: 1 of 2 is enough whatever is in them, 1 of 3 is not.
        ("div", "a", "a b", 0, True),
        ("div", "a b", "b c", 0, False),
        # Without that, half of the paths: 5 of 10, 4 of 10.
        ("div", "a b", "b c", 5, True),
        ("div", "a b", "b c", 4, False),
        ("div", "a", "b", 5, True),
        ("div", "a", "b", 4, False),
        ("div", "", "", 5, True),
        ("div", "", "", 4, False),
        # Where one has no name: 7 of 10.
        ("div", "a", "", 7, True),
        ("div", "a", "", 6, False),
        ("div", "", "a", 7, True),
        ("div", "", "a", 6, False),
        # Cells of one name are columns: only their paths count.
        ("td", "a", "a", 4, False),
        ("th", "a", "a", 4, False),
        ("td", "a", "b", 5, True),
        ("td", "a", "", 5, True),
    ],
)
def test_siblings_are_of_one_kind_by_names_or_by_paths(tag, called, other, shared, one_kind):
    # Ten paths in all, some of them in both.
    kind = (tag, frozenset(range(shared + 1)), names(called), [])
    shape = frozenset(range(10)) - ({shared} if shared < 9 else set())
    assert len(kind[1] & shape) == shared
    assert len(kind[1] | shape) == 10
    assert same_kind(kind, shape, names(other)) is one_kind


def test_the_kind_of_an_element_is_the_first_of_its_tag_that_fits():
    kinds = [(tag, frozenset(shape), frozenset(), []) for tag, shape in (("p", "a"), ("li", "ab"), ("li", "a"))]
    shape, nameless = frozenset("a"), frozenset()
    assert kind_of(kinds, 0, "li", shape, nameless) == 1
    assert kind_of(kinds, 2, "li", shape, nameless) == 2
    assert kind_of(kinds, 0, "p", shape, nameless) == 0
    assert kind_of(kinds, 1, "p", shape, nameless) == 3
    assert kind_of(kinds, 0, "li", frozenset("x"), nameless) == 3


@pytest.mark.parametrize(("between", "records"), [(29, 2), (30, 0)])
def test_a_sibling_is_compared_with_the_last_thirty_kinds(between, records):
    tags = ["x-z", *(f"x-{number}" for number in range(between)), "x-z"]
    found = finder("<main>" + "".join(f"<{tag}><b>b</b><i>i</i></{tag}>" for tag in tags) + "</main>")
    order = sorted(row for tag in set(tags) for row in rows(found, tag))
    assert sum(len(group.spans) for group in sibling_groups(found, rows(found, "main")[0], order)) == records


# -- siblings of one kind -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shapes", "entries"),
    [
        # Four of five hold elements (0.8), three of five more than one kind of them.
        (("ab", "ab", "ab", "a", ""), True),
        (("ab", "ab", "ab", "", ""), False),
        (("ab", "ab", "a", "a", ""), False),
        # Two of four are half.
        (("ab", "ab", "a", "a"), True),
        (("ab", "a", "a", "a"), False),
        (("", "", "", ""), False),
    ],
)
def test_entries_hold_more_than_a_line_of_text(shapes, entries):
    found, members = siblings(*shapes)
    assert found._is_entry(members) is entries


@pytest.mark.parametrize("tag", ["li", "article", "dt", "dd"])
def test_entries_by_their_tag_may_be_a_line_of_text(tag):
    found, members = siblings("", "", tag=tag)
    assert found._is_entry(members)
    assert found._is_even(members)


@pytest.mark.parametrize(
    ("shapes", "uniform"),
    [
        # "a" is in all: 1 of 2 paths each, 0.5.
        (("ab", "ac", "ad"), True),
        # 2 of 5 paths each are 0.4, 1 of 3 are less.
        (("abcde", "abfgh"), True),
        (("abc", "ade"), False),
        # "a" is in two of three: (1 + 1 + 0) / 3. It is in one of two: (0 + 0) / 2.
        (("a", "a", ""), True),
        (("a", "b"), False),
        # Nothing at all is in common: those without elements are as the frame, (1 + 0 + 0) / 3 and (1 + 1 + 0) / 3.
        (("", "a", "bc"), False),
        (("", "", "a"), True),
        # "a" is missing in the last one: (1/1 + 1/1 + 0/2) / 3; frames count what is missing, too: "ab" of "a" is 1/2.
        (("a", "a", "b"), True),
        # Frame "ab": (2/2 + 2/2 + 0 + 0 + 0/8) / 5 = 0.4; frame "ab" for three of five.
        (("abc", "abd", "abe", "fghijklm", "nopqrstu"), True),
        (("abcd", "abef", "abgh", "ijkl", "mnop"), False),
    ],
)
def test_siblings_are_uniform_that_share_their_frame(shapes, uniform):
    found, members = siblings(*shapes)
    assert found._is_uniform(members) is uniform


@pytest.mark.parametrize(
    ("shapes", "even"),
    [
        # 2 of 4 paths are in all, 1 of 3.
        (("ab", "abcd"), True),
        (("a", "abc"), False),
        (("ab", "ab", "c"), False),
        # Four siblings are a pattern, whatever they hold.
        (("a", "b", "c", "d"), True),
    ],
)
def test_two_or_three_siblings_have_half_of_their_paths_in_common(shapes, even):
    found, members = siblings(*shapes)
    assert found._is_even(members) is even


@pytest.mark.parametrize(("short", "even"), [(3, True), (2, False)])
def test_the_smallest_of_two_siblings_has_at_least_0_15_of_the_text_of_the_largest(short, even):
    # 0.15 of 20 characters are 3.
    texts = ("y" * 20, "y" * short)
    found = finder("<main>" + "".join(f"<div><b>{text}</b></div>" for text in texts) + "</main>")
    assert found._is_even(rows(found, "div")) is even
    assert found._is_even(rows(found, "div")[::-1]) is even


def test_two_siblings_of_one_name_need_not_be_even():
    found = finder("<main><div class='a b'><b>x</b></div><div class='b c'><i>x</i></div></main>")
    assert found._is_even(rows(found, "div"))
    found = finder("<main><div class=a><b>x</b></div><div class=c><i>x</i></div></main>")
    assert not found._is_even(rows(found, "div"))


@pytest.mark.parametrize(
    ("shapes", "tag"),
    [
        (("", "", "", ""), "div"),  # lines of text
        (("ab", "acdef"), "div"),  # not even
        (("abc", "ade", "fgh", "ijk"), "li"),  # not uniform
    ],
)
def test_records_are_entries_and_even_and_uniform(shapes, tag):
    found, members = siblings(*shapes, tag=tag)
    assert not found._is_template(members)


# -- rows of several siblings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kinds", "records"),
    [
        ("ababab", [["ab", "ab", "ab"]]),
        ("abab", []),
        ("xabababy", [["ab", "ab", "ab"]]),
        ("abcabcabc", [["abc", "abc", "abc"]]),
        ("abcdabcdabcdabcd", [["abcd"] * 4]),
        ("abcdeabcdeabcde", []),
        ("aaaaaa", []),
        ("abaabaaba", []),
        # What is left at the end, and two patterns one behind the other.
        ("abababa", [["ab", "ab", "ab"]]),
        ("abababxcdcdcd", [["ab"] * 3, ["cd"] * 3]),
        ("abababcdcdcd", [["ab"] * 3, ["cd"] * 3]),
    ],
)
def test_rows_of_two_to_four_unlike_siblings_that_come_three_times(kinds, records):
    found = finder("<main>" + "<i>x</i>" * len(kinds) + "</main>")
    members = rows(found, "i")
    letter = dict(zip(members, kinds, strict=True))
    spans = found._repeated_rows(members, [ord(kind) for kind in kinds])
    said = [["".join(letter[row] for row in members if first <= row < end) for first, end in some] for some in spans]
    assert said == records


def children(text):
    """Return the groups among elements of one letter each, as the letters of their records."""
    found = finder("<main>" + "".join(f"<x-{letter}>{letter}</x-{letter}>" for letter in text) + "</main>")
    members = sorted(row for letter in set(text) for row in rows(found, f"x-{letter}"))
    letter = dict(zip(members, text, strict=True))
    return [
        ["".join(letter[row] for row in members if first <= row < end) for first, end in some.spans]
        for some in sibling_groups(found, rows(found, "main")[0], members)
    ]


def test_a_row_of_siblings_most_of_which_are_elsewhere_is_no_record():
    assert children("hththt") == [["ht"] * 3]
    # Three of four heads are less than 0.8 of them, four of five are just that.
    assert children("hththtqh") == []
    assert children("hqhththt") == []
    assert children("hthththtqh") == [["ht"] * 4]
    assert children("hqhthththt") == [["ht"] * 4]


def test_siblings_in_a_row_are_no_records_by_themselves():
    found = finder("<dl>" + "<dt>t</dt><dd>d</dd>" * 3 + "</dl>")
    assert [
        some.tag for some in sibling_groups(found, rows(found, "dl")[0], sorted(rows(found, "dt") + rows(found, "dd")))
    ] == ["dt"]


def test_a_single_sibling_is_no_record():
    found = finder("<ul><li>one</li></ul>")
    assert sibling_groups(found, rows(found, "ul")[0], rows(found, "li")) == []


def test_a_name_represents_a_group_that_0_8_of_its_records_have():
    found = finder("<ul>" + "<li class='a b'>x</li>" * 3 + "<li class='a b'>x</li><li class=a>x</li></ul>")
    (some,) = sibling_groups(found, rows(found, "ul")[0], rows(found, "li"))
    assert some.names == {"a", "b"}
    found = finder("<ul>" + "<li class='a b'>x</li>" * 3 + "<li class=a>x</li>" * 2 + "</ul>")
    (some,) = sibling_groups(found, rows(found, "ul")[0], rows(found, "li"))
    assert (some.names, some.tag) == ({"a"}, "li")
    assert some.spans == tuple((row, row + 2) for row in rows(found, "li"))


def test_a_group_has_the_tag_of_its_records_whatever_is_between():
    found = finder("<main><article>a</article><b>x</b><article>c</article></main>")
    (some,) = sibling_groups(found, rows(found, "main")[0], sorted(rows(found, "article") + rows(found, "b")))
    assert some.tag == "article"


# -- what counts --------------------------------------------------------------------------------------------------


def families(html):
    found = finder(html)
    members = found._candidates().tolist()
    alike = [[*some] for _, some in groupby(members, key=found.parent.__getitem__)]
    return [[found.page.tag_of(row) for row in some] for some in alike if len(some) > 1]


@pytest.mark.parametrize(
    ("html", "members"),
    [
        ("<ul><li>a</li><li>b</li></ul>", [["li", "li"]]),
        ("<ul><li>a</li><li></li></ul>", []),
        ("<ul><li>a</li><li><img src=a></li></ul>", [["li", "li"]]),
        ("<ul><li>a</li><li><img src=a hidden></li></ul>", []),
        ("<div><p>a</p><h2>b</h2><b>c</b><i>d</i></div>", [["b", "i"]]),
        ("<div><p><b>a</b><i>b</i></p></div>", []),
        ("<div><pre><b>a</b><i>b</i></pre></div>", []),
        ("<div><ul><li>a</li><li>b</li></ul><b>c</b></div>", [["ul", "b"], ["li", "li"]]),
    ],
)
def test_siblings_that_hold_text_or_a_picture_and_are_no_prose_are_compared(html, members):
    assert families(f"<main>{html}</main>") == members


def test_the_records_of_a_page_come_in_its_order():
    lists = "".join(f"<ul><li>{text}</li><li>{text}</li></ul>" for text in ("a", "bb", "ccc"))
    found = find_record_groups(
        bs.parse(f"<section><div>{lists[:29]}</div></section><div><div><div>{lists[29:]}</div></div></div>")
    )
    firsts = [some.spans[0][0] for some in found]
    assert firsts == sorted(firsts)
    assert len(firsts) > 1


def test_groups_are_sorted_by_their_first_record():
    # The second article is after the list.
    assert made("<main><article>a</article><ul><li>b</li><li>c</li></ul><article>d</article></main>") == [
        ["a", "d"],
        ["b", "c"],
    ]


def test_only_the_text_that_counts_is_compared():
    page = bs.parse("<ul><li>a</li><li>b</li><li>c</li></ul>")
    assert [len(some.spans) for some in find_record_groups(page)] == [3]
    assert [len(some.spans) for some in find_record_groups(page, np.array([True, False, True]))] == [2]
    assert find_record_groups(page, np.array([True, False, False])) == []


# -- cousins ------------------------------------------------------------------------------------------------------


def test_up_goes_some_steps_but_not_beyond_main_or_body():
    found = finder("<main><section><ul><li>x</li></ul></section></main>")
    (item,) = rows(found, "li")
    assert [found.page.tag_of(found._ancestor(item, steps)) for steps in range(5)] == [
        "li",
        "ul",
        "section",
        "main",
        "main",
    ]
    found = finder("<ul><li>x</li></ul>")
    assert found.page.tag_of(found._ancestor(rows(found, "li")[0], 9)) == "body"
    assert found._ancestor(0, 3) == 0


def test_the_path_of_an_element_is_that_of_all_tags_above_it():
    found = finder("<ul><li>x</li></ul>")
    assert found._tag_path(rows(found, "li")[0]) == ("li", "ul", "body", "html")


def cells(*texts, name="cell"):
    return "".join(f"<div class={name}><b>{text}</b><i>{text}</i></div>" for text in texts)


def made(html):
    """Return the texts of each group's records."""
    page = bs.parse(html)
    found = []
    for some in find_record_groups(page):
        held = page.leaf_range
        found.append(["".join(page.leaf_texts[held[first, 0] : held[end - 1, 1]]) for first, end in some.spans])
    return found


def test_rows_of_a_grid_that_meet_within_two_steps_are_one_group():
    near = f"<div class=row>{cells('a', 'b')}</div><div class=row>{cells('c', 'd')}</div>"
    assert made(f"<main><div class=grid>{near}</div></main>") == [["aa", "bb", "cc", "dd"]]


def met(html):
    found = finder(html)
    groups = all_groups(found)
    return [len(some.spans) for some in found._join_groups([some for some in groups if some.tag == "div"])]


def test_nameless_groups_of_one_parent_are_one_but_not_those_of_two_mains():
    one, other = "<div><b>x</b><i>x</i></div>" * 4, "<div><u>x</u><s>x</s></div>" * 4
    assert met(f"<main>{one}{other}</main>") == [8]
    assert met(f"<main>{one}</main><main>{one}</main>") == [4, 4]


@pytest.mark.parametrize(
    ("around", "meet_in"),
    [("{}", ["body"]), ("<nav>{}</nav>", ["article"]), ("<nav><section>{}</section></nav>", ["div", "div"])],
)
def test_groups_meet_at_most_two_steps_up(around, meet_in):
    both = "".join(around.format(f"<div class=row>{cells(*two)}</div>") for two in ("ab", "cd"))
    found = finder(f"<article>{both}</article>")
    groups = all_groups(found)
    met = found._join_groups([some for some in groups if some.names == {"cell"}])
    assert [found.page.tag_of(some.node) for some in met] == meet_in
    assert [span for some in met for span in some.spans] == [
        (row, found.end[row]) for row in rows(found, "div") if "cell" in found.names_of(row)
    ]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("<ul><li class=a>1</li><li class=a>2</li></ul>",) * 2 + (True,),
        ("<ul><li class=a>1</li><li class=a>2</li></ul>", "<ul><li class=b>1</li><li class=b>2</li></ul>", False),
        (
            "<ul class=x><li class=a>1</li><li class=a>2</li></ul>",
            "<ul><li class=a>1</li><li class=a>2</li></ul>",
            False,
        ),
        ("<ul><li class=a>1</li><li class=a>2</li></ul>", "<ol><li class=a>1</li><li class=a>2</li></ol>", False),
        ("<ul><li>1</li><li>2</li></ul>", "<p>x</p><ul><li>3</li><li>4</li></ul>", True),
        # Without names, the whole path counts; with names, only the depth.
        ("<div><ul><li>1</li><li>2</li></ul></div>", "<nav><ul><li>3</li><li>4</li></ul></nav>", False),
        (
            "<div><ul><li class=a>1</li><li class=a>2</li></ul></div>",
            "<nav><ul><li class=a>3</li><li class=a>4</li></ul></nav>",
            True,
        ),
        (
            "<div><ul><li class=a>1</li><li class=a>2</li></ul></div>",
            "<ul><li class=a>3</li><li class=a>4</li></ul>",
            False,
        ),
    ],
)
def test_groups_are_of_one_make_by_tag_depth_and_names_or_path(one, other, same):
    found = finder(f"<main>{one}{other}</main>")
    groups = all_groups(found)
    lists = [some for some in groups if some.tag == "li"]
    assert len(lists) == 2
    assert (found._group_key(lists[0]) == found._group_key(lists[1])) is same


def test_records_of_one_element_and_of_several_are_not_of_one_make():
    found = finder("<dl><dt>t</dt><dd>d</dd></dl>")
    first, behind = rows(found, "dt")[0], rows(found, "dd")[0]
    one, two = group((first, found.end[first]), tag="dt"), group((first, found.end[behind]), tag="dt")
    assert found._group_key(one) != found._group_key(two)


def test_one_record_alone_in_its_row_of_a_grid_joins_the_others():
    grid = "<main><div><div class=row>{}</div>{}</div><div class=row>{}</div></main>"

    def with_cousins(other, behind=""):
        found = finder(grid.format(cells("a", "b"), other, behind))
        (some,) = sibling_groups(found, rows(found, "div")[1], rows(found, "div")[2:4])
        joined = found._extend(some)
        assert found.page.tag_of(joined.node) == ("main" if len(joined.spans) > 2 else "div")
        return len(joined.spans)

    assert with_cousins("") == 2
    assert with_cousins(f"<div class=row>{cells('c')}</div>") == 3
    assert with_cousins(f"<div class='row'>{cells('c', name=chr(39) + 'cell last' + chr(39))}</div>") == 3
    # Not of another name, in another row, at another depth, built otherwise, or empty.
    assert with_cousins(f"<div class=row>{cells('c', name='ad')}</div>") == 2
    assert with_cousins(f"<div class=end>{cells('c')}</div>") == 2
    assert with_cousins(f"<section class=row>{cells('c')}</section>") == 2
    assert with_cousins("", cells("c")) == 2
    assert with_cousins("<div class=row><div class=cell><u>c</u></div></div>") == 2
    assert with_cousins("<div class=row><div class=cell></div></div>") == 2


def test_cousins_meet_at_most_two_steps_up():
    around = "<nav><section><div class=row>{}</div></section></nav>"
    found = finder(f"<article>{around.format(cells('a', 'b'))}{around.format(cells('c'))}</article>")
    (some,) = sibling_groups(found, rows(found, "div")[0], rows(found, "div")[1:3])
    assert found._extend(some) is some


def test_cousins_are_compared_with_the_record_that_holds_most():
    def cell(inside):
        return "<div class=cell>" + "".join(f"<x-{letter}>x</x-{letter}>" for letter in inside) + "</div>"

    # Of i, u and s, two of three are in b, i and u, and one of two in b and i.
    found = finder(f"<main><nav class=row>{cell('bi')}{cell('biu')}</nav><nav class=row>{cell('ius')}</nav></main>")
    (some,) = sibling_groups(found, rows(found, "nav")[0], rows(found, "div")[:2])
    assert len(found._extend(some).spans) == 3


def test_records_of_several_elements_have_no_cousins():
    pair = "<dt class=a>t</dt><dd class=b>d</dd>"
    assert made(f"<dl>{pair * 3}</dl>") == [["td"] * 3]
    assert made(f"<main><div><dl class=x>{pair * 3}</dl><dl class=x>{pair}</dl></div></main>") == [["td"] * 3]


def test_answers_inside_of_records_belong_to_their_group():
    html = f"<main>{cells('a')}<div class=cell><b>b</b><i>b</i><ul><li>{cells('c')}</li></ul></div></main>"
    assert made(html) == [["aa", "bbcc", "cc"]]
    # Without a name, they do not.
    found = finder(html)
    (some,) = sibling_groups(found, rows(found, "main")[0], rows(found, "div")[:2])
    nameless = group(*some.spans, node=some.node)
    assert len(found._extend(some).spans) == 3
    assert found._extend(nameless) is nameless


# -- levels -------------------------------------------------------------------------------------------------------


def levels(html):
    found = finder(f"<main>{html}</main>")
    outer = group(*((row, found.end[row]) for row in rows(found, "section")), tag="section")
    inner = group(*((row, found.end[row]) for row in rows(found, "li")), tag="li")
    return [some.tag for some in found._choose_levels([outer, inner])]


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        # Six of ten characters in each, four records for two.
        ("<section>....<ul><li>xxx</li><li>xxx</li></ul></section>" * 2, ["li"]),
        # 12 of 22 characters: less than 0.6.
        ("<section>.....<ul><li>xxx</li><li>xxx</li></ul></section>" * 2, ["section"]),
        # Three records for two are 1.5 times as many; two are not.
        ("<section><ul><li>x</li><li>x</li></ul></section><section><ul><li>x</li></ul></section>", ["li"]),
        ("<section><ul><li>x</li></ul></section><section><ul><li>x</li></ul></section>", ["section"]),
        # None lies in the other one.
        ("<section>xx</section><section>xx</section><ul><li>x</li><li>x</li></ul>", ["section", "li"]),
        ("<section>xx</section><section>xx</section><ul><li>xx</li><li>xx</li><li>xx</li></ul>", ["li", "section"]),
    ],
)
def test_of_records_in_records_those_are_kept_that_hold_the_text(html, kept):
    assert levels(html) == kept


def test_the_size_of_records_is_that_of_their_text():
    found = finder("<ul><li> ab <b>c</b>x</li><li>d</li><li hidden>e</li></ul>")
    assert found.characters[rows(found, "li")].tolist() == [4, 1, 0]
