"""Records by markup alone."""

import blocksight as bs
import pytest
from blocksight.segment.record_groups import find_record_groups
from blocksight.segment.shape import class_names


def said(page, group):
    """What each record of a group says."""
    found = []
    for first, end in group.spans:
        low, high = page.leaf_range[first, 0], page.leaf_range[end - 1, 1]
        found.append(" ".join(text.strip() for text in page.leaf_texts[low:high]))
    return found


def groups(html):
    page = bs.parse(html)
    return page, find_record_groups(page)


def post(name, text, inner=""):
    return f"<div class='post post-{len(text)}'><b>{name}</b><div class=text><p>{text}</p></div>{inner}</div>"


def test_siblings_of_one_class_are_records():
    page, found = groups(f"<main>{post('Ann', 'One')}{post('Bob', 'Two two')}</main>")
    assert [said(page, group) for group in found] == [["Ann One", "Bob Two two"]]
    assert (found[0].tag, found[0].names) == ("div", {"post", "post-#"})


def test_paragraphs_and_the_parts_of_a_page_are_none():
    _, found = groups(
        "<body><div><a href=/>Home</a></div><div><h1>T</h1><p>One one.</p><p>Two two.</p><h2>U</h2><p>Three.</p></div>"
        "<div><small>Imprint</small></div></body>"
    )
    assert found == []


def test_rows_between_records_are_left_out():
    page, found = groups(
        f"<main>{post('A', 'x')}<div class=ad><i>Buy</i></div>{post('B', 'yy')}{post('C', 'zzz')}</main>"
    )
    assert said(page, found[0]) == ["A x", "B yy", "C zzz"]


def test_rows_of_a_grid_are_one_group():
    cell = "<div class=cell><img src=x><h3>{}</h3></div>"
    page, found = groups(
        "<main><div class=row>{}{}</div><div class=row>{}{}</div><div class=row>{}</div></main>".format(
            *map(cell.format, "abcde")
        )
    )
    (group,) = [group for group in found if "cell" in group.names]
    assert said(page, group) == ["a", "b", "c", "d", "e"]


def test_answers_lie_in_what_they_answer():
    answer = "<ul>" + "<li class=comment><b>{}</b><p>{}</p></li>".format("C", "answer") + "</ul>"
    html = f"<ul><li class=comment><b>A</b><p>one</p>{answer}</li><li class=comment><b>B</b><p>two</p></li></ul>"
    page, found = groups(html)
    assert said(page, found[0]) == ["A one C answer", "C answer", "B two"]
    assert len(found[0].outer) == 2


def test_rows_of_two_siblings_that_repeat_are_one_record_each():
    rows = "".join(
        f"<tr class=title><td>{n}.</td><td>Title {n}</td></tr><tr><td colspan=2><a href=/{n}>{n} points</a></td></tr>"
        for n in range(3)
    )
    page, found = groups(f"<table>{rows}</table>")
    assert said(page, found[0])[1] == "1. Title 1 1 points"


def test_hidden_records_do_not_count():
    page, found = groups(
        "<main>" + "".join(f"<div class=p hidden><b>a</b><i>{n}</i></div>" for n in range(4)) + "<p>x</p></main>"
    )
    assert found == []
    assert len(page)


@pytest.mark.parametrize(("written", "names"), [("Post post-12", {"post", "post-#"}), ("", set())])
def test_numbers_in_class_names_do_not_part_records(written, names):
    assert class_names(written) == names


def test_the_time_grows_with_the_page():
    """Each sibling is compared with a bounded number of kinds, however unlike all of them are."""
    tags = [f"x{number}" for number in range(400)]
    html = "".join(f"<div class={tag}><{tag}><b>a</b></{tag}><i>b</i><{tag}2>c</{tag}2></div>" for tag in tags)
    page = bs.parse(f"<main>{html}</main>")
    assert isinstance(find_record_groups(page), list)


def test_cells_of_one_class_are_columns_and_their_rows_records():
    rows = "".join(
        f"<tr class=entry><td class=title><span>{n}.</span></td>"
        f"<td class=title><span><a href=/{n}>Entry {n}</a> <span>(<a href=/s>site {n}</a>)</span></span></td></tr>"
        f"<tr><td colspan=1></td><td class=about><span>{n} points by somebody</span></td></tr><tr class=spacer></tr>"
        for n in range(6)
    )
    groups = find_record_groups(bs.parse(f"<title>A</title><table>{rows}</table>"))
    assert [(group.tag, len(group.spans)) for group in groups] == [("tr", 6)]


def test_two_halves_of_a_page_are_no_records():
    _, found = groups(
        "<div><h2>Up</h2><p>One.</p><ul><li>a</li></ul><form><input></form><table><tr><td>b</td></tr></table></div>"
        "<div><p>Down, where it says who owns all of this, and since when, and where.</p><img src=x><b>c</b></div>"
    )
    assert all(len(group.spans) < 2 or group.tag != "div" for group in found)
