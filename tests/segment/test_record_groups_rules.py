"""The rules by which siblings become records, one by one, each on both sides of its limit."""

from itertools import groupby

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.record_groups import (
    RecordGroup,
    _distinct,
    _GroupFinder,
    find_record_groups,
    visible_or_covered,
)
from blocksight.segment.shape import same_kind, sibling_kinds


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


def test_the_outer_records_are_those_in_no_other_one():
    assert group((0, 5), (1, 2), (3, 5), (5, 7), (8, 9)).outer == ((0, 5), (5, 7), (8, 9))


def test_a_group_all_of_whose_records_larger_ones_have_is_left_out():
    large, part, new = group((1, 2), (2, 3), (3, 4)), group((1, 2), (3, 4)), group((3, 4), (5, 6))
    # The records of the last one are in the first and in the third.
    mixed = group((1, 2), (5, 6))
    assert _distinct([part, new, large, mixed]) == [large, new]
    same = group((1, 2), (2, 3), (3, 4))
    assert _distinct([large, same]) == [large]


# -- kinds --------------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(("other", "entries"), [("14:02", True), ("48", True), ("later", False)])
def test_lines_of_words_and_a_number_are_entries(other, entries):
    found = finder(f"<main>{f'<div><span>Van</span><span>{other}</span></div>' * 3}</main>")
    assert found._is_entry(rows(found, "div")) is entries


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


def test_two_siblings_of_one_name_need_not_be_even():
    found = finder("<main><div class='a b'><b>x</b></div><div class='b c'><i>x</i></div></main>")
    assert found._is_even(rows(found, "div"))
    found = finder("<main><div class=a><b>x</b></div><div class=c><i>x</i></div></main>")
    assert not found._is_even(rows(found, "div"))


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


def test_only_the_text_that_counts_is_compared():
    page = bs.parse("<ul><li>a</li><li>b</li><li>c</li></ul>")
    assert [len(some.spans) for some in find_record_groups(page)] == [3]
    assert [len(some.spans) for some in find_record_groups(page, np.array([True, False, True]))] == [2]
    assert find_record_groups(page, np.array([True, False, False])) == []


# -- cousins ------------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(("second", "tag"), [("<td><i>x</i><u>x</u></td>", "tr"), ("<td><a>x</a><b>x</b></td>", "td")])
def test_cells_are_records_unless_they_differ_by_column(second, tag):
    table = f"<table>{f'<tr><td><a>x</a><b>x</b></td>{second}</tr>' * 4}</table>"
    assert {some.tag for some in find_record_groups(bs.parse(table))} == {tag}
