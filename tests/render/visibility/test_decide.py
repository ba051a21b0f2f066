"""Paint tests of lines, on snapshots written by hand, in which later nodes are painted later."""

import pytest
from blocksight.page.hidden import Hidden
from blocksight.render.chromium.snapshot.capture import decode_snapshot
from blocksight.render.visibility.line_paint import PaintFacts

WHITE = {"-webkit-text-fill-color": "rgb(255, 255, 255)"}
LINE, AROUND = (10, 10, 100, 17), (0, 0, 200, 40)


def ground(color, **more):
    return {"background-color": color} | {name.replace("_", "-"): value for name, value in more.items()}


def gradient(*stops):
    return {"background": f"linear-gradient({', '.join(stops)})"}


@pytest.fixture
def decide(reply):
    """Decide the only text: (reason, uncertain, fallback, whether it is covered).

    Elements are (depth, tag, box, style) in document order, the text is (depth, style).
    """

    def made(*elements, html=None, size=(800, 600), line=LINE, text="some text", **facts):
        rows = [(-1, "#document", None, (0, 0, 800, 600), {}, ()), (0, "HTML", None, (0, 0, *size), html or {}, ())]
        above = {0: 1}
        for element in elements:
            if len(element) == 2:
                depth, style = element
                rows.append((above[depth - 1], None, text, line, style, ((0, len(text), line),)))
                continue
            depth, tag, box, style = element
            above[depth] = len(rows)
            rows.append((above[depth - 1], tag, None, box, style, ()))
        built = reply().document(rows)
        built.documents[0] |= {"contentWidth": size[0], "contentHeight": size[1]}
        snapshot = {"strings": built.strings, "documents": built.documents}
        pending = decode_snapshot(snapshot, url="http://x/", viewport=(800.0, 600.0), facts=PaintFacts(**facts))
        found = pending.visibility
        return (
            Hidden(found.reason[0]),
            bool(found.uncertain[0]),
            Hidden(found.fallback[0]),
            bool(found.covered_by[0] >= 0),
        )

    return made


CYAN = ground("rgb(0, 255, 255)")
SEEN = (Hidden.VISIBLE, False)
UNSURE = (Hidden.VISIBLE, True, Hidden.COLOR)
#: In about the color of its background.
SAME = (Hidden.COLOR, True, Hidden.COLOR)


@pytest.mark.parametrize(
    ("elements", "answer"),
    [
        ([(1, {})], SEEN),
        ([(1, WHITE)], SAME),
        ([(1, "DIV", AROUND, ground("rgb(20, 20, 20)")), (2, WHITE)], SEEN),
        ([(1, "DIV", AROUND, ground("rgb(8, 8, 8)")), (2, {})], SAME),
        ([(1, "DIV", AROUND, ground("rgb(20, 20, 20)")), (1, WHITE)], SEEN),
        ([(1, "DIV", (300, 0, 90, 90), ground("rgb(20, 20, 20)")), (1, WHITE)], SAME),
        ([(1, "DIV", AROUND, ground("rgba(0, 0, 0, 0.5)")), (2, WHITE)], SEEN),
        ([(1, "DIV", AROUND, ground("rgba(0, 0, 0, 0.02)")), (2, WHITE)], SAME),
        ([(1, "DIV", AROUND, ground("rgb(0, 0, 0)", opacity="0")), (2, "P", AROUND, {}), (1, WHITE)], SAME),
        ([(1, "DIV", AROUND, ground("rgb(0, 0, 0)", visibility="hidden")), (1, WHITE)], SAME),
        ([(1, "DIV", AROUND, {"background": 'url("a.png")'}), (2, {})], UNSURE),
        # Red hardly matters next to full green and blue: differences of 1.1, 9.6, and 17 to the eye.
        ([(1, "DIV", AROUND, CYAN), (2, {"-webkit-text-fill-color": "rgb(51, 255, 255)"})], SAME),
        ([(1, "DIV", AROUND, CYAN), (2, {"-webkit-text-fill-color": "rgb(150, 255, 255)"})], UNSURE),
        # On white, differences of 7.0 and 6.7.
        ([(1, {"-webkit-text-fill-color": "rgb(234, 234, 234)"})], (Hidden.VISIBLE, True, Hidden.COLOR)),
        ([(1, {"-webkit-text-fill-color": "rgb(235, 235, 235)"})], SAME),
        ([(1, {"-webkit-text-fill-color": "rgb(235, 235, 235)", "text-shadow": "rgb(0, 0, 0) 1px 1px 2px"})],
         (Hidden.COLOR, True, Hidden.COLOR)),
        ([(1, "DIV", AROUND, CYAN), (2, {"-webkit-text-fill-color": "rgb(200, 255, 255)"})], SEEN),
        ([(1, "IMG", AROUND, {}), (1, WHITE)], UNSURE),
        ([(1, "IMG", AROUND, {}), (1, "DIV", AROUND, ground("rgba(0, 0, 0, 0.6)")), (2, WHITE)], UNSURE),
        ([(1, "IMG", AROUND, {}), (1, "DIV", AROUND, ground("rgb(0, 0, 0)")), (2, WHITE)], SEEN),
        ([(1, "DIV", AROUND, gradient("rgb(0, 0, 0)", "rgb(90, 0, 0)")), (2, WHITE)], UNSURE),
        ([(1, "DIV", AROUND, {"border-width": "40px 0px 0px", "border-color": "rgb(0, 0, 0)"}), (1, WHITE)], UNSURE),
        ([(1, "DIV", AROUND, {"box-shadow": "rgb(0, 0, 0) 0px 0px 0px 90px inset"}), (2, WHITE)], UNSURE),
        ([(1, "DIV", AROUND, {"box-shadow": "rgb(0, 0, 0) 0px -1px 0px 0px inset"}), (2, WHITE)], SAME),
        ([(1, "DIV", (300, 300, 5, 5), {"box-shadow": "rgb(0, 0, 0) 0px 0px 0px 900px"}), (1, WHITE)], UNSURE),
        ([(1, "DIV", (300, 300, 5, 5), {"box-shadow": "rgb(0, 0, 0) 0px 2px 6px 0px"}), (1, {})], SEEN),
        ([(1, {"-webkit-text-fill-color": "rgba(0, 0, 0, 0)"})], (Hidden.OPACITY, True, Hidden.OPACITY)),
        ([(1, "DIV", AROUND, {"filter": "invert(1)"}), (2, {})], (Hidden.VISIBLE, True, Hidden.EFFECT)),
        ([(1, "DIV", AROUND, {"filter": "drop-shadow(rgb(0, 0, 0) 0px 1px 2px)"}), (2, {})],
         (Hidden.VISIBLE, True, Hidden.EFFECT)),
        ([(1, "DIV", AROUND, {"mix-blend-mode": "screen"}), (2, {})], (Hidden.VISIBLE, True, Hidden.EFFECT)),
        ([(1, "DIV", AROUND, {"clip-path": "inset(49%)"}), (2, {})], (Hidden.VISIBLE, True, Hidden.EFFECT)),
        ([(1, "DIV", AROUND, {"clip-path": "inset(50%)"}), (2, {})], (Hidden.EFFECT, False)),
        # A dialog may be in a layer of its own.
        ([(1, "DIV", AROUND, {"clip-path": "inset(50%)"}), (2, "DIALOG", AROUND, {}), (3, {})],
         (Hidden.VISIBLE, True, Hidden.EFFECT)),
        ([(1, "DIV", AROUND, {"clip": "rect(0px, 0px, 0px, 0px)"}), (2, {})], SEEN),
        ([(1, {"-webkit-text-stroke-width": "9px"})], (Hidden.VISIBLE, True, Hidden.EFFECT)),
        ([(1, "DIV", AROUND, {"text-decoration-thickness": "30px"}), (2, "B", AROUND, {}), (3, {})], UNSURE),
        ([(1, "DIV", AROUND, {"text-decoration-thickness": "2px"}), (2, {})], SEEN),
        ([(1, "DIV", AROUND, {"transform-style": "preserve-3d"}), (2, {})], (Hidden.VISIBLE, True, Hidden.EFFECT)),
        ([(1, "DIV", AROUND, {"column-rule-width": "300px"}), (2, {})], UNSURE),
        ([(1, "DIV", AROUND, {"column-rule-width": "1px"}), (2, {})], SEEN),
    ],
)  # fmt: skip
def test_backgrounds(decide, elements, answer):
    assert decide(*elements)[: len(answer)] == answer


COVERED = (Hidden.COVER, True, Hidden.COVER, True)


@pytest.mark.parametrize(
    ("elements", "answer"),
    [
        ([(1, {}), (1, "DIV", AROUND, ground("rgb(255, 255, 255)"))], COVERED),
        ([(1, {}), (1, "DIV", AROUND, ground("rgba(255, 255, 255, 0.1)"))], (*UNSURE[:2], Hidden.COVER, False)),
        ([(1, {}), (1, "DIV", AROUND, ground("rgba(255, 255, 255, 0.02)"))], SEEN),
        ([(1, {}), (1, "DIV", AROUND, ground("rgba(255, 255, 255, 0.5)"))], (Hidden.VISIBLE, True, Hidden.COVER, True)),
        ([(1, {}), (1, "IMG", AROUND, {})], (Hidden.VISIBLE, True, Hidden.COVER, True)),
        ([(1, {}), (1, "DIV", (300, 300, 5, 5),
                    {"box-shadow": "rgb(9, 9, 9) 0px 0px 0px 0px, rgb(9, 9, 9) 0px 0px 0px 900px"})],
         (Hidden.VISIBLE, True, Hidden.COVER, True)),
        ([(1, {}), (1, "DIV", AROUND, {"backdrop-filter": "blur(9px)"})], (Hidden.VISIBLE, True, Hidden.COVER, True)),
        # Over some of it: the picture tells of which words.
        ([(1, {}), (1, "DIV", (10, 0, 30, 40), ground("rgb(255, 255, 255)"))],
         (Hidden.VISIBLE, True, Hidden.COVER, False)),
        ([(1, {}), *((1, "I", (10 + 34 * n, 0, 34, 40), ground("rgb(255, 255, 255)")) for n in range(3))], COVERED),
        ([(1, {}), (1, "DIV", AROUND, ground("rgb(255, 255, 255)", clip_path="inset(50%)"))],
         (Hidden.VISIBLE, True, Hidden.COVER, True)),
        # Below the level of what is around it: under its parent's ground, or not.
        ([(1, "DIV", AROUND, ground("rgb(240, 240, 240)")), (2, "P", LINE, {"position": "relative", "z-index": "-1"}),
          (3, {})], (Hidden.VISIBLE, True, Hidden.EFFECT)),
    ],
)  # fmt: skip
def test_covers(decide, elements, answer):
    assert decide(*elements)[: len(answer)] == answer


FIXED = {"position": "fixed"}


@pytest.mark.parametrize(
    ("box", "line", "size", "answer"),
    [
        ((0, 0, 800, 600), (10, 10, 100, 17), (800, 600), COVERED),
        ((0, 0, 800, 600), (10, 2500, 100, 17), (800, 3000), COVERED),
        # Pictures show whether it can be scrolled out.
        ((0, 0, 800, 60), (10, 10, 100, 17), (800, 3000), UNSURE[:2]),
        ((0, 540, 800, 60), (10, 560, 100, 17), (800, 3000), UNSURE[:2]),
        ((0, 540, 800, 60), (10, 2960, 100, 17), (800, 3000), UNSURE[:2]),
        ((0, 0, 800, 60), (10, 1000, 100, 17), (800, 3000), SEEN),
        ((300, 0, 500, 600), (10, 10, 100, 17), (800, 600), SEEN),
    ],
)
def test_what_stays_in_the_window_covers_what_cannot_be_scrolled_out_of_it(decide, box, line, size, answer):
    found = decide((1, {}), (1, "DIV", box, ground("rgb(255, 255, 255)", **FIXED)), size=size, line=line)
    assert found[: len(answer)] == answer


@pytest.mark.parametrize(("size", "covered"), [(200, True), (1, False)])
def test_only_painted_text_covers_other_text(decide, size, covered):
    cut = {"overflow-x": "hidden", "overflow-y": "hidden"}
    assert decide((1, {}), (1, "DIV", (0, 0, size, size), cut), (2, {}))[3] == covered


def test_a_fixed_background_is_behind_the_whole_page(decide):
    behind = (1, "DIV", (0, 0, 800, 600), ground("rgb(0, 0, 0)", **FIXED))
    assert decide(behind, (1, WHITE), size=(800, 5000), line=(10, 4000, 100, 17))[:2] == SEEN
    assert decide(behind, (1, {}), size=(800, 5000), line=(10, 4000, 100, 17))[:2] == SAME[:2]


def test_what_a_box_scrolls_has_its_own_ground(decide):
    box = (1, "DIV", AROUND, ground("rgb(0, 0, 0)", overflow_x="auto", overflow_y="auto"))
    neighbour = (1, "DIV", (0, 300, 800, 100), ground("rgb(255, 255, 255)"))
    # Its layout box is over another element; only by scrolling does it come into the box.
    assert decide(neighbour, box, (2, WHITE), line=(10, 320, 100, 17))[:2] == SEEN
    assert decide(box, (2, WHITE), neighbour, line=(10, 320, 100, 17))[:2] == SEEN
    over = (1, "DIV", AROUND, ground("rgb(255, 255, 255)"))
    assert decide(box, (2, WHITE), over, line=(10, 320, 100, 17))[0] == Hidden.COVER


def test_the_root_paints_the_canvas(decide):
    assert decide((1, WHITE), html=ground("rgb(30, 30, 30)"), size=(800, 3000), line=(10, 2000, 100, 17))[:2] == SEEN
    assert decide((1, {}), html={"color-scheme": "dark"})[:3] == UNSURE


def test_what_has_no_short_form_for_its_font_has_its_other_styles(decide):
    assert decide((1, WHITE | {"font": None}))[: len(SAME)] == SAME


def found(reply, *rows, **how):
    """The pending page with these rows below its root, the last of which is the only text."""
    root = [(-1, "#document", None, (0, 0, 800, 600), {}, ()), (0, "HTML", None, (0, 0, 800, 600), {}, ())]
    built = reply().document([*root, *rows])
    built.documents[0] |= {"contentHeight": 3000}
    snapshot = {"strings": built.strings, "documents": built.documents}
    return decode_snapshot(snapshot, url="http://x/", viewport=(800.0, 600.0), **how)


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        (None, Hidden.CLIP),
        ((-600.0, 0.0, 0.0, 0.0), Hidden.VISIBLE),
        ((-300.0, 0.0, 0.0, 0.0), Hidden.CLIP),
        ((0.0, -50.0, 600.0, 0.0), Hidden.CLIP),
    ],
    ids=["not", "into view", "not far enough", "elsewhere"],
)
def test_endlessly_moving_text_is_visible_where_it_passes(reply, way, reason):
    line = (600, 10, 150, 17)
    pending = found(
        reply,
        (1, "DIV", None, (0, 0, 200, 40), {"overflow-x": "hidden", "overflow-y": "hidden"}, ()),
        (2, "UL", None, (0, 0, 900, 40), {}, ()),
        (3, None, "some text", line, {}, ((0, 9, line),)),
        moving={} if way is None else {3: way},
    )
    assert Hidden(pending.visibility.reason[0]) == reason
    assert not pending.visibility.uncertain[0]


@pytest.mark.parametrize(
    ("lines", "covered", "uncertain"),
    [
        # A line is covered if most of its nine points are; otherwise its words are checked.
        ([], False, False),
        ([(0, 0, 200, 40)], True, True),
        ([(0, 0, 58, 40), (58, 0, 100, 40)], True, True),
        ([(90, 0, 100, 40)], False, True),
        ([(110, 0, 100, 40)], False, False),
        ([(0, 30, 200, 40)], False, False),
    ],
)
def test_texts_cover_what_they_are_painted_over(reply, lines, covered, uncertain):
    rows = [(1, "P", None, (0, 0, 800, 90), {}, ()), (2, None, "some text", LINE, {}, ((0, 9, LINE),))]
    for number, line in enumerate(lines):
        rows.append((1, "P", None, line, {"position": "absolute"}, ()))
        rows.append((4 + 2 * number, None, "MMMMM", line, {}, ((0, 5, line),)))
    visibility = found(reply, *rows).visibility
    assert (bool(visibility.covered_by[0] >= 0), bool(visibility.uncertain[0])) == (covered, uncertain)


@pytest.mark.parametrize(
    ("combine", "mode", "count", "reason"),
    [
        # A square of 16 pixels: 14 characters have 1.14 each, 15 have 1.07; the least is .07 of 16, 1.12.
        ("all", "vertical-rl", 14, Hidden.VISIBLE),
        ("all", "vertical-rl", 15, Hidden.SIZE),
        ("all", "horizontal-tb", 15, Hidden.VISIBLE),
        ("none", "vertical-rl", 15, Hidden.VISIBLE),
    ],
)
def test_combined_characters_have_the_space_of_one(reply, combine, mode, count, reason):
    style, line = {"text-combine-upright": combine, "writing-mode": mode}, (27, 8, 200, 16)
    pending = found(reply, (1, "SPAN", None, line, style, ()), (2, None, "x" * count, line, style, ((0, count, line),)))
    assert Hidden(pending.visibility.reason[0]) == reason


@pytest.mark.parametrize(
    ("style", "answer"),
    [
        ({"font-family": "Plain, serif"}, SEEN),
        ({"font-family": "Plain", "font-variation-settings": '"HIDE" 1'}, (Hidden.VISIBLE, True, Hidden.GLYPHS)),
        ({"font-family": "serif", "font-variation-settings": '"HIDE" 1'}, SEEN),
    ],
)
def test_fonts_that_may_paint_other_letters_than_styles_say(decide, style, answer):
    fonts = {"web_fonts": frozenset({"plain"})}
    assert decide((1, style), **fonts)[: len(answer)] == answer


@pytest.mark.parametrize(
    ("thickness", "top", "uncertain"),
    [("40px", 40, True), ("40px", 80, False), ("2px", 40, False), ("auto", 40, False)],
)
def test_broad_lines_may_cover_other_texts(reply, thickness, top, uncertain):
    """Lines of 17 pixels at 10 and ``top``: a line of 40 pixels reaches to 67."""
    first, second = (10, 10, 100, 17), (10, top, 100, 17)
    pending = found(
        reply,
        (1, None, "some text", first, {"text-decoration-thickness": thickness}, ((0, 9, first),)),
        (1, None, "other text", second, {}, ((0, 10, second),)),
    )
    assert bool(pending.visibility.uncertain[1]) == uncertain


def test_boxes_locked_by_scripts_cannot_be_scrolled(reply):
    line = (10, 500, 100, 17)
    box = (1, "DIV", None, (0, 0, 200, 40), {"overflow-y": "auto", "overflow-x": "auto"}, ())
    inner = found(reply, box, (2, None, "some text", line, {}, ((0, 9, line),)))
    assert inner.visibility.reason[0] == Hidden.VISIBLE
    assert inner.with_locked_scrolling([2], window=False).visibility.reason[0] == Hidden.CLIP
    below = (10, 2500, 100, 17)
    outer = found(reply, (1, None, "some text", below, {}, ((0, 9, below),)))
    assert outer.visibility.reason[0] == Hidden.VISIBLE
    assert outer.with_locked_scrolling([], window=True).visibility.reason[0] == Hidden.OFF_SCREEN


@pytest.mark.parametrize(
    "elements",
    [
        [(1, WHITE | {"text-shadow": "rgb(0, 0, 0) 1px 1px 1px"})],
        [(1, "DIV", AROUND, {"filter": "drop-shadow(rgb(0, 0, 0) 0px 1px 2px)"}), (2, WHITE)],
        [(1, WHITE | {"-webkit-text-stroke-width": "1px"})],
        [(1, "DIV", AROUND, {"mix-blend-mode": "difference"}), (2, WHITE)],
        [(1, "DIV", (10, 8, 30, 20), ground("rgb(200, 200, 200)")), (1, WHITE)],
        [(1, WHITE), (1, "DIV", (10, 8, 30, 20), ground("rgba(0, 0, 0, 0.5)"))],
    ],
    ids=["shadow", "shadow of a filter", "outline", "blended", "partly on another color", "partly covered"],
)
def test_pictures_decide_what_may_show_in_the_color_of_its_background(decide, elements):
    assert decide(*elements)[1]


@pytest.mark.parametrize(("hiding", "is_uncertain"), [(2, False), (1, True), (0, True)])
def test_pictures_decide_closed_details_unless_the_browser_hides_the_content_of_all(decide, hiding, is_uncertain):
    reason, uncertain, *_ = decide(
        (1, "DETAILS", (0, 0, 400, 100), {}),
        (1, "DETAILS", (0, 100, 400, 100), {}),
        (2, "DIV", (0, 120, 400, 40), {}),
        (3, {}),
        hiding_details=hiding,
    )
    assert reason == Hidden.DISPLAY
    assert uncertain is is_uncertain
