"""Wrappers: learned from one page, applied to others, refusing what has changed."""

import re

import blocksight as bs
import pytest
from blocksight.document.records.wrapper import apply_wrapper, joined, learn_wrapper, load_wrapper, renamed
from blocksight.errors import PageChanged, WrapperUnreadable

from .conftest import NAMES, TEXTS, item, post


def page_of(posts):
    return bs.parse(f"<main><div class=posts>{posts}</div></main>", url="https://forum.example/t/2")


def test_another_page_is_read_by_it(thread, tmp_path):
    learn_wrapper(thread).save(tmp_path / "site.json")
    wrapper = load_wrapper(tmp_path / "site.json")
    found = apply_wrapper(page_of(post(1) + post(2)), wrapper)
    assert [record.fields["author"] for record in found.records] == [NAMES[1], NAMES[2]]
    assert (found.kind, found.record_type, found.records[0].text) == ("main", "post", TEXTS[1])
    assert wrapper.site == "forum.example"


def test_one_record_is_enough(thread):
    (record,) = apply_wrapper(page_of(post(2)), learn_wrapper(thread)).records
    assert (record.fields["author"], record.fields["date"], record.text) == (NAMES[2], "3 May 2024", TEXTS[2])


def test_columns_can_be_named(shop):
    wrapper = renamed(learn_wrapper(shop), {"rating": "stars"})
    found = apply_wrapper(shop, wrapper)
    assert found.records[1].fields["stars"] == "1.5 out of 5"
    assert "rating" not in found.columns
    with pytest.raises(ValueError, match="no column is called nonsense; there are"):
        renamed(wrapper, {"nonsense": "x"})


@pytest.mark.parametrize("name", ["amount", "depth", "price"])
def test_a_column_is_not_called_like_another_one(shop, name):
    with pytest.raises(ValueError, match=f"{name} is another column"):
        renamed(learn_wrapper(shop), {"rating": name})


def shop_page(numbers, change=str):
    items = "".join(change(item(number)) for number in numbers)
    return bs.parse(f"<main><h1>Kettles</h1><ul class=products>{items}</ul></main>", url="https://shop.example/all")


def test_what_one_page_lacks_is_learned_from_another():
    def plain(markup):
        return re.sub("<span class=stars>.*?</span>", "", markup)

    some, more = shop_page(range(8)), shop_page(range(8, 16), plain)
    assert "rating" not in learn_wrapper(more).columns
    wrapper = joined([learn_wrapper(more), learn_wrapper(some)])
    assert wrapper.shares == {"title": 1, "price": 1, "rating": 0.5}
    assert apply_wrapper(some, wrapper).records[1].fields["rating"] == "1.5 out of 5"


def test_pages_with_other_records_have_no_common_wrapper(shop, thread):
    with pytest.raises(PageChanged, match="records of two pages differ"):
        joined([learn_wrapper(shop), learn_wrapper(thread)])


def test_a_page_without_such_records_is_refused(thread, shop):
    with pytest.raises(PageChanged, match=r"no records like those of forum.example \(div.post\)"):
        apply_wrapper(shop, learn_wrapper(thread))


def test_records_with_other_columns_are_refused(shop):
    changed = "".join(item(number) for number in range(4)).replace("class=price", "class=cost").replace("<h3>", "<h4>")
    page = bs.parse(
        f"<ul class=products>{changed.replace('class=stars', 'class=votes')}</ul>", url="https://shop.example/2"
    )
    with pytest.raises(PageChanged, match="lack price, rating, title: the site has changed"):
        apply_wrapper(page, learn_wrapper(shop))


def test_a_page_without_records_teaches_none():
    with pytest.raises(PageChanged, match="learn from another page"):
        learn_wrapper(bs.parse("<p>Nothing repeats here."))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "blocksight-wrapper", "version": 1}', "\x00"])
def test_another_file_is_no_wrapper(text, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WrapperUnreadable, match="records --learn"):
        load_wrapper(path)


BUTTON = "<button>Add to cart</button></div>"


def test_columns_without_names_are_recognized_by_their_values():
    def nameless(n):
        return f"<div class=item><h3><a href=/{n}>Item {n}</a></h3><div>{n}.5 out of 5</div><div>${n}.00</div>" + BUTTON

    page = bs.parse(
        f"<h1>All items</h1><main>{''.join(map(nameless, range(1, 9)))}</main>", url="https://shop.example/all"
    )
    other = nameless(7).replace("<div>7.5 out of 5</div>", "") + nameless(8)
    found = apply_wrapper(bs.parse(f"<main>{other}</main>", url="https://shop.example/new"), learn_wrapper(page))
    assert [record.fields.get("price") for record in found.records] == ["$7.00", "$8.00"]
    assert [record.fields.get("rating") for record in found.records] == [None, "8.5 out of 5"]
