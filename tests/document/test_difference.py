"""The difference of two documents by blocks."""

import blocksight as bs

OLD = "<title>Tea</title><h1>Tea</h1><p>Boil fresh water for the pot.<p>Let it draw for three minutes.<p>Serve it hot."
NEW = OLD.replace("three minutes", "four minutes").replace("<p>Serve it hot.", "<p>Add no sugar to green tea.")


def changes(old, new):
    found = bs.extract(bs.parse(old), system="everything").diff(bs.extract(bs.parse(new), system="everything"))
    return [(one.change, one.old and one.old.text, one.new and one.new.text) for one in found]


def test_blocks_that_are_equal_are_no_difference():
    assert changes(OLD, OLD) == []
    assert changes(OLD, OLD.replace("Boil fresh", "Boil\n  fresh").replace("<p>", "<div>")) == []


def test_similar_blocks_are_changed_others_removed_and_added():
    assert changes(OLD, NEW) == [
        ("changed", "Let it draw for three minutes.", "Let it draw for four minutes."),
        ("removed", "Serve it hot.", None),
        ("added", None, "Add no sugar to green tea."),
    ]
    assert changes("<p>One.", "<p>One.<p>Two.") == [("added", None, "Two.")]
    assert changes("<p>One.<p>Two.", "<p>Two.") == [("removed", "One.", None)]


def test_a_block_that_changed_is_found_among_others():
    old = "<p>Boil fresh water for the pot."
    assert changes(old, "<p>Coffee.<p>Milk.<p>Boil cold water for the pot.") == [
        ("added", None, "Coffee."),
        ("added", None, "Milk."),
        ("changed", "Boil fresh water for the pot.", "Boil cold water for the pot."),
    ]


def test_many_blocks_are_compared_in_time():
    pages = ["".join(f"<p>Line {n * m} of many." for n in range(3000)) for m in (1, 7)]
    assert len(changes(*pages)) > 2000
