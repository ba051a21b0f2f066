"""Posts of several table rows, and the depth of replies that are siblings."""

import blocksight as bs
import pytest
from blocksight.records.candidates import find_records
from blocksight.records.posts.joined_rows import whole_posts

SAID = "The gate at the upper lock sticks when the river is high, and two of us could not move it."
WHO = ("Ilse", "corvid", "Tomas", "Ilse")


def rows_of(post, count=4):
    rows = "".join(post.format(who=WHO[n], day=n + 10, said=f"{SAID} {n}") for n in range(count))
    records = find_records(bs.parse(f"<h1>Lock</h1><table>{rows}</table>"))
    return whole_posts(records, max(records.groups, key=lambda group: len(group.spans)))


def test_rows_between_dates_at_one_place_are_parts_of_a_post():
    head = "<tr><td>{who}</td><td>Posted: 2026-05-{day} 21:04</td></tr>"
    post = f"{head}<tr><td>Member</td><td>{{said}}</td></tr><tr><td>Top</td><td>Profile</td></tr>"
    assert len(rows_of(post).spans) == 4


def test_rows_of_a_list_that_say_nothing_are_records_of_their_own():
    # What is below the last date and says nothing is none of them.
    assert len(rows_of("<tr><td>{who}</td><td>2026-05-{day}</td></tr><tr><td>{who}</td><td>May</td></tr>").spans) == 7


@pytest.mark.parametrize(
    "indent",
    ["data-depth={n}", "class=depth-{n}", "style='margin-left: {n}0px'", "style='padding-left:{n}em'"],
)
def test_depth_of_replies_that_are_siblings(indent):
    posts = "".join(
        f"<div {indent.format(n=depth)}><b>{WHO[number]}</b> · {number + 2} hours ago<p>{SAID} {number}</p></div>"
        for number, depth in enumerate((0, 2, 4, 0))
    )
    main = bs.extract(bs.parse(f"<title>Lock</title><main><h1>Lock</h1>{posts}</main>")).records[0]
    assert [depth for depth, _ in main.every()] == [0, 1, 2, 0]
