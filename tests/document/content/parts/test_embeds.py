"""What a player or another site shows within a page."""

import pytest

TEXT = "<p>Some words that are the content.</p>"


@pytest.mark.parametrize(
    ("markup", "markdown"),
    [
        ("<iframe src='https://www.youtube.com/embed/abcdefgh123?rel=0' title='A film'></iframe>",
         "[A film](https://www.youtube.com/watch?v=abcdefgh123)"),
        ("<iframe data-src='//player.vimeo.com/video/76979871'></iframe>", "<https://vimeo.com/76979871>"),
        ("<lite-youtube videoid=abcdefgh123 title=Film></lite-youtube>",
         "[Film](https://www.youtube.com/watch?v=abcdefgh123)"),
        ("<video controls><source src=/v.mp4>No video</video>", "<https://example.org/v.mp4>"),
        ("<audio src=/a.ogg aria-label='A song'></audio>", "[A song](https://example.org/a.ogg)"),
    ],
)  # fmt: skip
def test_a_link_with_the_title(markup, markdown, written):
    found = written(TEXT + markup + TEXT.replace("Some", "More"))
    assert found.markdown.split("\n\n")[1] == markdown
    assert found.text == "Some words that are the content.\n\nMore words that are the content."


@pytest.mark.parametrize(
    "markup",
    [
        "<iframe src='https://ads.example/x' title='Advertisement'></iframe>",
        "<iframe src='https://www.facebook.com/plugins/like.php?u=1'></iframe>",
        "<iframe src='https://www.youtube.com/embed/abcdefgh123' width=0 height=0></iframe>",
        "<iframe></iframe>",
        "<video></video>",
    ],
)
def test_no_content(markup, written):
    assert written(TEXT + markup).markdown == "Some words that are the content.\n"


def test_outside_of_the_content(written):
    html = f"{TEXT}<aside><p>More films</p><video src=/v.mp4></video><p>and others</p></aside>"
    assert "mp4" not in written(html, lambda text: "Some" in text).markdown
