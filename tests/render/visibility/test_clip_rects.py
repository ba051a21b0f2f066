"""Through what nodes are seen, on snapshots written by hand."""

import pytest
from blocksight.page.hidden import Hidden

HTML = [(-1, "#document", None, (0, 0, 800, 600), {}, ()), (0, "HTML", None, (0, 0, 800, 600), {}, ())]


def text(parent, box, style=None):
    return (parent, None, "some text", box, style or {}, ((0, 9, box),))


@pytest.fixture
def reasons(reply):
    """Why the only text is not seen: below HTML, BODY and the elements given, each in the one before."""

    def made(*elements, line=(0, 0, 60, 17), html=None, body=None, size=(800, 600)):
        rows = [HTML[0], (0, "HTML", None, (0, 0, *size), html or {}, ())]
        rows.append((1, "BODY", None, (0, 0, *size), body or {}, ()))
        for number, (box, style) in enumerate(elements):
            rows.append((number + 2, "DIV", None, box, style, ()))
        rows.append(text(len(rows) - 1, line))
        built = reply().document(rows)
        built.documents[0] |= {"contentWidth": size[0], "contentHeight": size[1]}
        return [Hidden(why) for why in built.page().hidden.tolist()]

    return made


BOX = (0, 0, 200, 50)


@pytest.mark.parametrize(
    ("elements", "line", "why"),
    [
        ([(BOX, {"overflow-x": "hidden", "overflow-y": "hidden"})], (0, 60, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-x": "hidden", "overflow-y": "hidden"})], (0, 45, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-x": "hidden", "overflow-y": "hidden"})], (0, 40, 60, 17), Hidden.VISIBLE),
        ([(BOX, {"overflow-x": "auto", "overflow-y": "auto"})], (0, 5000, 60, 17), Hidden.VISIBLE),
        ([((0, 0, 2, 50), {"overflow-x": "auto", "overflow-y": "auto"})], (0, 0, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-x": "auto", "overflow-y": "auto"})], (-500, 0, 60, 17), Hidden.OFF_SCREEN),
        ([(BOX, {"overflow-x": "clip", "overflow-y": "clip"})], (0, 60, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-x": "clip", "overflow-y": "clip", "overflow-clip-margin": "40px"})], (0, 60, 60, 17),
         Hidden.VISIBLE),
        ([(BOX, {"contain": "strict"})], (0, 60, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-y": "hidden"}), (BOX, {"position": "absolute"})], (0, 60, 60, 17), Hidden.VISIBLE),
        ([(BOX, {"overflow-y": "hidden", "will-change": "transform"}), (BOX, {"position": "fixed"})], (0, 60, 60, 17),
         Hidden.CLIP),
        ([(BOX, {"overflow-y": "hidden", "filter": "drop-shadow(rgb(0, 0, 0) 0px 0px 1px)"}),
          (BOX, {"position": "absolute"})], (0, 60, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-y": "hidden", "display": "inline"})], (0, 60, 60, 17), Hidden.VISIBLE),
        ([(BOX, {"position": "fixed"})], (0, 590, 60, 17), Hidden.VISIBLE),
        ([(BOX, {"position": "fixed"})], (0, 650, 60, 17), Hidden.OFF_SCREEN),
        ([(BOX, {"position": "fixed"})], (900, 0, 60, 17), Hidden.OFF_SCREEN),
    ],
)  # fmt: skip
def test_clips_and_scrollers(reasons, elements, line, why):
    assert reasons(*elements, line=line, size=(800, 3000)) == [why]


@pytest.mark.parametrize(
    ("html", "body", "line", "why"),
    [
        ({}, {}, (0, 2000, 60, 17), Hidden.VISIBLE),
        ({}, {"overflow-x": "hidden", "overflow-y": "hidden"}, (0, 2000, 60, 17), Hidden.OFF_SCREEN),
        ({"overflow-y": "clip"}, {}, (0, 2000, 60, 17), Hidden.OFF_SCREEN),
        ({"overflow-y": "hidden"}, {"overflow-x": "auto", "overflow-y": "auto"}, (0, 2000, 60, 17), Hidden.VISIBLE),
        ({}, {"overflow-x": "hidden"}, (0, 2000, 60, 17), Hidden.VISIBLE),
        ({}, {"overflow-x": "hidden"}, (900, 0, 60, 17), Hidden.OFF_SCREEN),
        ({}, {}, (900, 0, 60, 17), Hidden.VISIBLE),
        ({"direction": "rtl"}, {}, (-150, 0, 60, 17), Hidden.VISIBLE),
        ({"direction": "rtl"}, {}, (900, 0, 60, 17), Hidden.OFF_SCREEN),
        ({"writing-mode": "vertical-rl"}, {}, (-150, 0, 60, 17), Hidden.VISIBLE),
    ],
)
def test_the_window_scrolls_as_root_and_body_say(reasons, html, body, line, why):
    assert reasons(line=line, html=html, body=body, size=(1000, 3000)) == [why]


def test_a_frame_is_a_window(reply):
    def page(frame, line, place, inner_html=None):
        outer = [*HTML, (1, "IFRAME", None, frame, {}, ())]
        inner = [
            (-1, "#document", None, (0, 0, *frame[2:]), {}, ()),
            (0, "HTML", None, (0, 0, *frame[2:]), inner_html or {}, ()),
            text(1, line),
        ]
        built = reply().document(outer, frames=[(2, 1)]).document(inner)
        built.documents[1] |= {"contentWidth": 300, "contentHeight": 900}
        return built.page(frame_places={1: place}).hidden.tolist()

    assert page((10, 10, 300, 80), (0, 0, 60, 17), (10, 10, 1, 1)) == [Hidden.VISIBLE]
    assert page((10, 10, 300, 80), (0, 500, 60, 17), (10, 10, 1, 1)) == [Hidden.VISIBLE]
    assert page((10, 10, 300, 80), (0, 500, 60, 17), (10, 10, 1, 1), {"overflow-y": "hidden"}) == [Hidden.OFF_SCREEN]
    assert page((10, 10, 1, 1), (0, 0, 60, 17), (10, 10, 1, 1)) == [Hidden.CLIP]
    assert page((-900, 10, 300, 80), (0, 0, 60, 17), (-900, 10, 1, 1)) == [Hidden.CLIP]
