"""Which texts are checked by pictures, and their number."""

import base64
import io

import blocksight as bs
import pytest
from blocksight.page.visibility import invisible_leaves
from blocksight.render.chromium.process import launch
from PIL import Image

pytestmark = pytest.mark.browser

#: A sentence on a part of a picture that has its own colour, which the layout does not decide, and one that it does.
DOUBT = "<p style='color: #222; background: linear-gradient(90deg, #222 90%, #fff)'>hidden one</p><p>plain sentence"


def visible(page):
    return [text for text, lost in zip(page.leaf_texts, invisible_leaves(page), strict=True) if not lost]


@pytest.mark.parametrize(
    ("look", "markup", "texts", "has_pictures"),
    [
        ("doubt", DOUBT, ["plain sentence"], True),
        ("always", DOUBT, ["plain sentence"], True),
        ("never", DOUBT, ["hidden one", "plain sentence"], False),
        ("doubt", "<p>plain sentence", ["plain sentence"], False),
        ("always", "<p>plain sentence", ["plain sentence"], True),
    ],
)
def test_texts_that_are_looked_at(browser, look, markup, texts, has_pictures):
    page = browser.open(markup.encode(), options=bs.RenderOptions(look=look, timeout=120.0))
    assert visible(page) == texts
    assert ("pictures" in page.environment) is has_pictures


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_parts_of_the_window_have_the_scale_of_the_device(browser, scale):
    markup = (
        f"<div style='height: 3000px'></div>{DOUBT}<p style='background: linear-gradient(90deg, #fff, #222)'>shown one"
    )
    page = browser.open(markup.encode(), options=bs.RenderOptions(device_scale=scale, timeout=120.0))
    assert visible(page) == ["plain sentence", "shown one"]
    assert "pictures" in page.environment


def test_all_texts_in_the_window_share_two_pictures(browser):
    markup = "".join(f"<p style='font-size: {10 + size}px'>sentence {size}</p>" for size in range(9))
    page = browser.open(markup.encode(), options=bs.RenderOptions(look="always", timeout=120.0))
    assert page.environment["pictures"].startswith("2 in ")


DETAILS = "<details><summary>summary</summary><p>inner one</p></details>"


@pytest.mark.parametrize(
    ("markup", "texts", "has_pictures"),
    [
        (DETAILS, ["summary"], False),
        (
            f"<style>details::details-content {{ content-visibility: visible }}</style>{DETAILS}",
            ["summary", "inner one"],
            True,
        ),
        (f"<style>details::details-content {{ display: contents }}</style>{DETAILS}", ["summary", "inner one"], True),
        (f"<iframe srcdoc='{DETAILS}'></iframe>", ["summary"], False),
        # A closed shadow tree cannot be asked.
        (
            "<div id=host></div><script>host.attachShadow({mode: 'closed'}).innerHTML ="
            f"`<style>details::details-content {{ content-visibility: visible }}</style>{DETAILS}`</script>{DETAILS}",
            ["summary", "inner one", "summary"],
            True,
        ),
    ],
    ids=["plain", "shown", "without a box", "frame", "closed tree"],
)
def test_closed_details_that_no_style_sheet_shows_need_no_picture(browser, markup, texts, has_pictures):
    page = browser.open(markup.encode(), options=bs.RenderOptions(timeout=120.0))
    assert visible(page) == texts
    assert ("pictures" in page.environment) is has_pictures


#: A cover over a part of the window, which layout does not decide: a text may appear next to it.
COVER = (
    "<div style='position: fixed; left: 0; top: 0; width: 600px; height: 800px; background: #fff; z-index: 9'></div>"
)
FAR = "<div style='height: 3000px'></div>"


BAR = COVER.replace("height: 800px", "height: 799px")
#: The markup of a hidden text, and the number of its screenshots with frames on demand, and without.
HIDDEN_EVERYWHERE = [
    # Two at each of three positions of the window. Without frames on demand, two more confirm the first position.
    (f"{FAR}<p>hidden one</p>{FAR}{BAR}", 6, 8),
    # What fills the window covers the same at each position.
    (f"{FAR}<p>hidden one</p>{FAR}{COVER}", 2, 4),
    # Nothing scrolls: all positions are one.
    (f"<p>hidden one</p>{BAR}", 2, 4),
    (f"<p style='position: fixed; top: 90px'>hidden one</p>{COVER}", 2, 4),
]


@pytest.mark.parametrize("on_demand", [True, False])
def test_pictures_of_a_text_that_is_hidden_at_all_positions(on_demand, monkeypatch):
    monkeypatch.setattr(launch, "has_frame_control", lambda _: on_demand)
    with bs.Browser(pages=1, options=bs.RenderOptions(timeout=120.0)) as browser:
        for markup, *pictures in HIDDEN_EVERYWHERE:
            sentence = "<p style='position: absolute; top: 9px; left: 700px'>plain sentence"
            page = browser.open(f"{markup}{sentence}".encode())
            assert visible(page) == ["plain sentence"]
            assert page.environment["pictures"].startswith(f"{pictures[not on_demand]} in ")


def test_an_unknown_look_is_refused():
    with pytest.raises(ValueError, match="look must be never, doubt, always, not 'sometimes'"):
        bs.RenderOptions(look="sometimes")


def large_photo(name):
    """The address of a noisy dark picture, of the kind that a browser decodes while it draws the rest of the page."""
    noise = Image.effect_noise((500, 400), 20).point(lambda level: level // 3)
    with io.BytesIO() as file:
        noise.resize((4000, 3000)).convert("RGB").save(file, "webp", quality=80)
        return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}#{name}"


@pytest.mark.parametrize("attributes", ["decoding=async", "loading=lazy decoding=async"])
def test_a_picture_that_is_decoded_late_is_in_the_screenshots(browser, attributes):
    def photo(name, text):
        image = f"<img {attributes} src='{large_photo(name)}' style='position: absolute; inset: 0; width: 900px'>"
        return f"{FAR}<div style='position: relative; height: 300px'>{text.format(image)}</div>"

    white = photo("below", "{}<p style='position: relative; color: #fff; font-size: 30px'>plain sentence</p>")
    covered = photo("above", "<p>hidden one</p>{}")
    page = browser.open(f"{white}{covered}".encode(), options=bs.RenderOptions(timeout=120.0))
    assert visible(page) == ["plain sentence"]
    assert page.environment["pictures"]
