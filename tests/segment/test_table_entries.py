"""Entries of several table rows, and tables whose rows are records each."""

import blocksight as bs
import pytest
from blocksight.segment.record_groups import find_record_groups
from blocksight.segment.table_entries import _repeated

TITLE = "<tr><td>{n}.</td><td><a href=/vote>+</a></td><td><a href=/{n}>The title of entry {n}</a></td></tr>"
SAID = "<tr><td colspan=2></td><td>{n} points by ada | <a href=/{n}#c>{n} comments</a></td></tr>"
PLAIN = "<tr><td>{n}</td><td>Title {n} of <a href=/{n}>a list</a></td></tr>"
GAP = "<tr style=height:5px></tr>"


def spans_of(rows, count=4, before="", after=""):
    table = before + "".join(rows.format(n=n) for n in range(1, count + 1)) + after
    page = bs.parse(f"<title>Board</title><table>{table}</table>")
    groups = [group for group in find_record_groups(page) if group.tag == "tr"]
    texts = [
        " ".join(" ".join(page.leaf_texts[page.leaf_range[first, 0] : page.leaf_range[end - 1, 1]]).split())
        for group in groups
        for first, end in group.spans
    ]
    return len(texts), texts[0] if texts else ""


def test_rows_whose_cells_differ_are_one_entry():
    assert spans_of(TITLE + SAID) == (4, "1. + The title of entry 1 1 points by ada | 1 comments")


def test_a_row_before_the_first_and_after_the_last_entry_is_in_none():
    more = "<tr><td colspan=2></td><td><a href=/more>More</a></td></tr>"
    head = "<tr><td colspan=3>All of <a href=/today>today</a></td></tr>"
    assert spans_of(TITLE + SAID + GAP, before=head, after=more)[0] == 4


def test_an_empty_row_after_each_row_separates_no_entries():
    assert spans_of(PLAIN + GAP, count=6)[0] == 6


def test_three_entries_are_the_fewest():
    assert spans_of(TITLE + SAID, count=3)[0] == 3
    assert spans_of(TITLE + SAID, count=2)[0] != 2


def test_rows_below_names_of_columns_are_a_record_each():
    head = "<tr><th>Number<th>Vote<th>Entry</tr>"
    assert spans_of(TITLE + SAID, before=head)[0] == 8


def test_entries_are_most_of_the_rows():
    # 3 entries of 2 rows, and 2 more rows: 6 of 8 are too few.
    other = "<tr><td colspan=4><a href=/x>Other</a></td></tr>"
    assert spans_of(TITLE + SAID, count=3, after=other)[0] == 3
    assert spans_of(TITLE + SAID, count=3, after=other * 2)[0] != 3


POST = (
    "<tr><td valign=top class='{k}'><b>ada{n}</b></td><td height=28 class='{k}'>Posted: 4 May {n}</td></tr>"
    "<tr><td class='{k}'><a href=/top>Top</a></td><td class='{k}' valign=middle>Said in post {n}, long.</td></tr>"
)
SPACER = "<tr><td colspan=2><img src=s.gif width=1 height=1></td></tr>"


def test_rows_whose_cells_look_different_are_one_entry():
    rows = "".join((POST + SPACER).format(n=n, k=f"row{n % 2}") for n in range(1, 5))
    head = "<tr><th>Author<th>Message</tr>"
    found = spans_of(head + rows.replace("{", "").replace("}", ""), count=1)
    assert found == (4, "ada1 Posted: 4 May 1 Top Said in post 1, long.")


def test_odd_and_even_rows_are_records_each():
    rows = "".join(f"<tr><td class='a {k}'>{n}<td class='b {k}'>Entry {n}" for n, k in enumerate(("odd", "even") * 4))
    assert spans_of(rows, count=1)[0] == 8


@pytest.mark.parametrize(
    ("layouts", "found"),
    [
        ("ababab", (0, 2, 3)),
        ("xabababab", (1, 2, 4)),
        ("abcabcabc", (0, 3, 3)),
        ("xyababab", (2, 2, 3)),
        ("aaaa", (0, 0, 0)),
    ],
)
def test_the_pattern_with_most_rows(layouts, found):
    assert _repeated([((letter, -1, True),) for letter in layouts]) == found


def test_entries_with_a_table_of_their_own_each_are_the_tables():
    table = (
        "<table class=post>"
        + POST.format(n="{n}", k="row")
        + "<tr><td><a href=/up>Up</a></td><td>Quote</td></tr></table>"
    )
    page = bs.parse("<title>Board</title><div>" + "".join(table.format(n=n) for n in range(4)) + "</div>")
    assert [(group.tag, len(group.spans)) for group in find_record_groups(page)] == [("table", 4)]
