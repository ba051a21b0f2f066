"""How elements react to the pointer, in snapshots written by hand."""

BOX = [0, 0, 100, 100]


def words(reply, *rows, clickable=()):
    document = [(-1, "#document", None, BOX, {}, []), (0, "HTML", None, BOX, {}, []), *rows]
    built = reply().document(document)
    built.documents[0]["nodes"]["isClickable"] = {"index": list(clickable)}
    page = built.page()
    return [page.attributes_of(row).get("::pointer", "") for row in range(1, len(page))]


def test_the_outermost_element_with_the_cursor_has_it(reply):
    hand = {"cursor": "pointer"}
    assert words(reply, (1, "DIV", None, BOX, hand, []), (2, "SPAN", None, BOX, hand, [])) == ["hand", ""]


def test_each_element_that_ignores_the_pointer_has_the_word(reply):
    ignored = {"pointer-events": "none"}
    rows = (1, "DIV", None, BOX, ignored, []), (2, "A", None, BOX, ignored, []), (1, "P", None, BOX, {}, [])
    assert words(reply, *rows) == ["ignored", "ignored", ""]


def test_links_and_fields_need_no_word(reply):
    rows = (1, "INPUT", None, BOX, {"cursor": "pointer"}, []), (1, "DIV", None, BOX, {}, [])
    assert words(reply, *rows, clickable=(2, 3)) == ["", "listener"]


def test_only_positioned_elements_lie_below(reply):
    below = {"z-index": "-1"}
    rows = (1, "DIV", None, BOX, below, []), (1, "DIV", None, BOX, below | {"position": "absolute"}, [])
    assert words(reply, *rows) == ["", "below"]


def test_a_text_has_no_word(reply):
    assert words(reply, (1, None, "x", BOX, {"cursor": "pointer", "z-index": "-1", "position": "fixed"}, [])) == [""]
