"""Parts within an article: posts of other sites, videos, tables, scoreboards."""

import blocksight as bs
import pytest

RACE = """The rowing club of Eelton won the harbour race on Saturday for the third year in a row, ahead of a field of
twelve boats from six towns."""
TIDE = """Its captain said after the race that the tide had turned later than expected, which helped the heavier boats
on the last stretch past the pier."""
NEXT = """The next race is held in autumn, and the club has already begun to train for it on the upper river, where the
water is calmer."""
ARTICLE = f"<p>{RACE}</p>%s<p>{TIDE}</p><p>{NEXT}</p>%s"
PAGE = """<!DOCTYPE html><html lang=en><title>Eelton wins the harbour race - Harbour Post</title>
<header><a href=/>Harbour Post</a><nav><ul><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul></nav></header>
<main><article><h1>Eelton wins the harbour race</h1><p class=byline>By Ida Eel, 4 May 2024</p>%s</article></main>
<aside><h2>Most read</h2><ul><li><a href=/a>Bridge closed until June</a><li><a href=/b>New ferry named</a></ul></aside>
<footer><p>© Harbour Post. <a href=/terms>Terms</a> <a href=/privacy>Privacy</a></footer></html>"""
NEWSLETTER = """<div class=newsletter><h3>Improve your rowing</h3><p>Join our thousands of weekly readers</p><form>
<input type=email><button>Subscribe</button></form></div><h3>Related</h3><ul><li><a href=/x>Boats for beginners</a>
<li><a href=/y>Where to swim</a></ul>"""

POST = """<blockquote class=twitter-tweet><p>What a morning on the water. Third cup in a row for our crew!</p>&mdash;
Eelton Rowing (@eeltonrowing) <a href="https://twitter.com/eeltonrowing/status/17867">May 4, 2024</a></blockquote>
<script async src="https://platform.twitter.com/widgets.js"></script>"""
FIGURE = f"<figure class=wp-block-embed><div class=wp-block-embed__wrapper>{POST}</div></figure>"
VIDEO = '<div><iframe src="https://www.youtube.com/embed/aB3dE5fG7hI" title="The last stretch"></iframe></div>'
BOX = '<lite-youtube videoid="aB3dE5fG7hI" playlabel="Play"></lite-youtube>'
SCORES = """<div class=scores><div><span>Eelton</span> <span>3</span></div><div><span>Cod Bay</span>
<span>1</span></div></div>"""


def table(*rows):
    head, *lines = ("".join(f"<td>{cell}</td>" for cell in row.split()) for row in rows)
    lines = [head.replace("td>", "th>"), *lines]
    return f"<div><div><table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table></div></div>"


TIMES = table("Club Time Points", "Eelton 41:07 12", "Hakeford 43:10 8")
PLAN = table("Monday Tuesday Wednesday", "Rest Row Rest", "Rest Row Swim", "Rest Run Rest")
OFFERS = table("Club Eelton Hakeford", "Pier Yes No", "Sauna Yes No", "Bar Yes Yes", "Ferry No No", "Buses Yes No")


def markdown(within, below=""):
    page = bs.parse(PAGE % (ARTICLE % (within, below)), url="https://harbourpost.example/sport/eelton-wins")
    return bs.extract(page, system="blocksight-dom").markdown


@pytest.mark.parametrize("post", [POST, FIGURE])
def test_a_post_is_a_quote_with_who_wrote_it(post):
    written = markdown(post)
    assert "> What a morning on the water. Third cup in a row for our crew!\n>\n> — Eelton Rowing" in written
    assert "[May 4, 2024](https://twitter.com/eeltonrowing/status/17867)" in written


def test_a_post_that_ends_an_article_is_there():
    assert "> What a morning on the water." in markdown("", POST)


@pytest.mark.parametrize(
    ("inset", "address"),
    [
        (VIDEO, "https://www.youtube.com/watch?v=aB3dE5fG7hI"),
        (BOX, "https://www.youtube.com/watch?v=aB3dE5fG7hI"),
    ],
)
def test_a_video_of_another_site_is_a_link(inset, address):
    written = markdown(inset)
    assert written.index("six towns") < written.index(address) < written.index("Its captain")


def test_a_scoreboard_is_there():
    assert "Eelton 3" in markdown(SCORES)
    assert "Cod Bay 1" in markdown(SCORES)


@pytest.mark.parametrize("cells", [TIMES, PLAN, OFFERS])
@pytest.mark.parametrize("heading", ["", "<h2>Overview</h2>"])
def test_a_table_is_whole_within_an_article_and_at_its_end(cells, heading):
    """Cells of one word look like labels: the table counts as one, by what is above it."""
    for written in (markdown(heading + cells), markdown("", heading + cells + NEWSLETTER)):
        # A line for each row, and one below the first.
        assert len([line for line in written.splitlines() if line.startswith("|")]) == cells.count("<tr>") + 1
        assert "Subscribe" not in written
        assert "Boats for beginners" not in written


CALENDAR = table("M T W T F S S", "1 2 3 4 5 6 7", "8 9 10 11 12 13 14", "15 16 17 18 19 20 21")
WEATHER = table("Day High Low", "Monday 14 7", "Tuesday 15 8")
HOURS = table("Monday 9-17", "Tuesday 9-17", "Sunday closed")


@pytest.mark.parametrize("cells", [CALENDAR, WEATHER, HOURS])
@pytest.mark.parametrize(
    "box",
    [
        "<aside><h3>Today</h3>%s</aside>",
        "<div id=secondary class=widget-area><div class=widget><h2>Today</h2>%s</div></div>",
        "<div id=side><div>%s</div></div>",
        "<footer><h3>Today</h3>%s</footer>",
    ],
)
def test_a_table_of_the_sidebar_right_below_an_article_stays_out(cells, box):
    page = f"""<!DOCTYPE html><html lang=en><title>Eelton wins - Harbour Post</title><div id=top>
    <a href=/>Harbour Post</a><ul><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul></div>
    <div id=main><h1>Eelton wins</h1>
    {ARTICLE % ("", "")}</div>{box % cells}<div id=foot>© Harbour Post <a href=/terms>Terms</a></div></html>"""
    written = bs.extract(bs.parse(page), system="blocksight-dom").markdown
    assert "Its captain said" in written
    assert "|" not in written
