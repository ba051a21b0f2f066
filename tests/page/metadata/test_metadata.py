"""What pages say of themselves, each with its source."""

import pickle
from unittest.mock import Mock
from urllib.parse import urljoin, urlsplit

import blocksight as bs
import pytest
from blocksight.page.metadata import language as detection
from blocksight.page.metadata.language import language_of
from blocksight.page.metadata.metadata import Metadata, metadata
from blocksight.page.urls import Addresses

ARTICLE = """
<html lang=en-GB><head><title>Eels return | The Gull</title><base href=https://gull.example/news/>
<link rel=canonical href=eels><link rel=alternate type=application/rss+xml href=/feed>
<link rel=license href=https://creativecommons.org/licenses/by/4.0/>
<meta name=description content="Eels are back."><meta property=og:site_name content="The Gull">
<meta property=og:image content=/eel.jpg><meta property=og:type content=article>
<script type=application/ld+json>{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"Gull"},
{"@type":"Person","@id":"#ada","name":"Ada Leaf"},
{"@type":"NewsArticle","headline":"Eels","author":[{"@id":"#ada"},{"@type":"Person","name":"Bo Reed"}],
"datePublished":"2024-05-20T07:09:00+0200","dateModified":"2024-05-21","keywords":"eels, rivers"}]}</script></head>
<body><h1>Eels return</h1><p>By Cy Moss</p><p>Text of the page.</p></body></html>"""


def test_metadata_fields_and_sources():
    found = metadata(bs.parse(ARTICLE, url="https://gull.example/a"))
    assert found == Metadata(
        title="Eels return",
        authors=("Ada Leaf", "Bo Reed"),
        published="2024-05-20T07:09:00+02:00",
        modified="2024-05-21",
        site="The Gull",
        description="Eels are back.",
        address="https://gull.example/news/eels",
        language="en-GB",
        tags=("eels", "rivers"),
        image="https://gull.example/eel.jpg",
        licence="https://creativecommons.org/licenses/by/4.0/",
        kind="NewsArticle",
        feeds=("https://gull.example/feed",),
        sources={
            "title": "title", "authors": "json-ld", "published": "json-ld", "modified": "json-ld", "site": "opengraph",
            "description": "meta", "address": "link", "language": "markup", "tags": "json-ld", "image": "opengraph",
            "licence": "link", "kind": "json-ld", "feeds": "link",
        },
    )  # fmt: skip


@pytest.mark.parametrize(
    ("html", "authors", "source"),
    [
        ("<meta name=author content='Ada Leaf'>", ("Ada Leaf",), "meta"),
        ("<meta name=dc.creator content='Ada Leaf'>", ("Ada Leaf",), "dublin core"),
        ("<article itemscope itemtype=https://schema.org/Article><p itemprop=author itemscope><b itemprop=name>Ada Leaf"
         "</b></article>", ("Ada Leaf",), "microdata"),
        ("<h1>Eels</h1><p class=byline>By Ada Leaf and Bo Reed</p>", ("Ada Leaf", "Bo Reed"), "markup"),
        ("<h1>Eels</h1><p>May 3, 2021 · by Ada Leaf · 4 min</p>", ("Ada Leaf",), "text"),
        ("<h1>Eels</h1><p>Von Ada Leaf, 3. Mai 2021</p>", ("Ada Leaf",), "text"),
        ("<h1>Eels</h1><p>作者：李白</p>", ("李白",), "text"),
        ("<h1>Eels</h1><p>By the river, eels are seen again by many.</p>", (), None),
        ("<h1>Eels</h1><div class=comments><p class=author>Cy Moss</div>", (), None),
    ],
)  # fmt: skip
def test_authors(html, authors, source):
    found = metadata(bs.parse(f"<title>Eels</title>{html}"))
    assert (found.authors, found.sources.get("authors")) == (authors, source)


@pytest.mark.parametrize(
    ("html", "published", "source"),
    [
        (
            "<meta property=article:published_time content=2021-05-03T10:00:00Z>",
            "2021-05-03T10:00:00+00:00",
            "opengraph",
        ),
        ("<time datetime=2021-05-03>Monday</time>", "2021-05-03", "markup"),
        ("<time datetime=2021-05-04 class=updated>x</time><h1>Eels</h1><p>3 May 2021</p>", "2021-05-03", "text"),
        ("<link rel=canonical href=https://gull.example/2021/05/03/eels>", "2021-05-03", "address"),
        ("<h1>Eels</h1><p>Published: May 3, 2021Rating: 5</p>", "2021-05-03", "text"),
        ("<h1>Eels</h1><p>2021年5月3日</p>", "2021-05-03", "text"),
        ("<h1>Eels</h1><p>Page 3 of 2021</p>", "", None),
        ("<meta name=date content=0001-01-01T00:00:00Z>", "", None),
    ],
)
def test_dates(html, published, source):
    found = metadata(bs.parse(f"<title>Eels</title>{html}"))
    assert (found.published, found.sources.get("published")) == (published, source)


GERMAN = "<p>" + "Am Morgen gehen die Fischer hinunter zum Fluss und schauen nach, ob die Aale wieder da sind. " * 8


@pytest.mark.parametrize(
    ("attribute", "language", "source"),
    [("de-AT", "de-AT", "markup"), ("", "de", "text"), ('["zh-CN","default"]', "de", "text"), ("en", "de", "text")],
)
def test_the_language_is_detected_from_the_text_where_markup_is_wrong(attribute, language, source):
    found = metadata(bs.parse(f"<html lang='{attribute}'>{GERMAN}"))
    assert (found.language, found.sources["language"]) == (language, source)


@pytest.mark.parametrize(
    ("start", "whole", "language", "read"),
    [
        ("en", "de", ("en", "markup"), [300]),
        ("sco", "de", ("en", "markup"), [300]),
        ("de", "de", ("de", "text"), [300, 1200]),
        ("de", "en", ("en", "markup"), [300, 1200]),
    ],
)
def test_language_of_reads_start_first(monkeypatch, start, whole, language, read):
    lengths = []

    def detected(text):
        lengths.append(len(text))
        return (start if len(text) <= 300 else whole), 1.0

    monkeypatch.setattr(detection, "_detected", detected)
    assert language_of((("markup", "en"),), "eels " * 240) == language
    assert lengths == read
    assert language_of((), "eels " * 240) == (whole, "text")  # the most of it is read where nothing is declared
    assert language_of((("markup", "en"),), "eels " * 60) == (("en", "markup") if start != "de" else ("de", "text"))


@pytest.mark.parametrize(
    ("detected", "probability", "language"),
    [("de", 0.97, "de"), ("de", 0.95, "en"), ("pcm", 1.0, "en"), ("yue", 1.0, "zh")],
)
def test_a_sure_detection_overrules_markup(monkeypatch, detected, probability, language):
    monkeypatch.setattr(detection, "_detector", lambda: Mock(classify=lambda _: (detected, probability)))
    assert language_of((("markup", "en"),), "eels " * 100)[0] == language


def test_short_text_does_not_overrule_markup():
    assert metadata(bs.parse("<html lang=en><p>Guten Morgen zusammen")).language == "en"


@pytest.mark.parametrize(
    "script",
    ['<!-- {"@type":"Article","author":"Ada Leaf",} -->', '//<![CDATA[\n{"@type":"Article","author":"Ada Leaf"}\n//]]>',
     '[{"@type":["BlogPosting"],"author":{"name":["Ada Leaf"]}}];'],
)  # fmt: skip
def test_metadata_malformed_json_ld(script):
    assert metadata(bs.parse(f"<script type=application/ld+json>{script}</script>")).authors == ("Ada Leaf",)


@pytest.mark.parametrize("script", ["{", "[[[[", '{"@graph": {"@graph": 1}}', '"text"', "[" * 100_000])
def test_metadata_useless_json_ld(script):
    assert metadata(bs.parse(f"<title>Eels</title><script type=application/ld+json>{script}</script>")).title == "Eels"


def test_front_matter_can_be_read_again():
    import yaml

    text = metadata(bs.parse(ARTICLE, url="https://gull.example/a")).to_yaml()
    assert text.startswith("---\n")
    assert text.endswith("---\n")
    assert yaml.safe_load(text.strip("-\n"))["authors"] == ["Ada Leaf", "Bo Reed"]


def test_a_document_has_the_same_metadata_after_pickling():
    page = bs.parse(ARTICLE, url="https://gull.example/a")
    doc = bs.extract(page)
    assert pickle.loads(pickle.dumps(doc)).metadata == doc.metadata == metadata(page)  # noqa: S301
    assert doc.to_dict()["metadata"]["sources"]["authors"] == "json-ld"


@pytest.mark.parametrize(
    ("html", "url", "published"),
    [
        # The address.
        ("<html lang=en><h1>Eels</h1><p>02/05/2018</p>", "https://gull.example/2018/05/02/eels", "2018-05-02"),
        ("<html lang=en><h1>Eels</h1><p>02/05/2018</p>", "https://gull.example/2018/02/05/eels", "2018-02-05"),
        ("<html lang=en><h1>Eels</h1><p>02/05/2018</p>", "https://gull.example/eels", "2018-02-05"),
        # The language of the text, and the country of the host.
        (f"<html lang=en><h1>Aale</h1><p>02/05/2018</p>{GERMAN}", "", "2018-05-02"),
        ("<html lang=en><h1>Eels</h1><p>02/05/2018</p>", "https://gull.co.uk/eels", "2018-05-02"),
        ("<html lang=en-US><h1>Eels</h1><p>02/05/2018</p>", "https://gull.co.uk/eels", "2018-02-05"),
        ("<html lang=en><h1>Eels</h1><p>02.05.2018</p>", "", "2018-05-02"),
        ("<html lang=en><h1>Eels</h1><p>31/05/2018</p>", "", "2018-05-31"),
        ("<html lang=de><h1>Eels</h1><p>05/31/2018</p>", "", "2018-05-31"),
        ("<html lang=de><h1>Eels</h1><p>31/31/2018</p>", "", ""),
    ],
)  # fmt: skip
def test_published_day_month_order(html, url, published):
    assert metadata(bs.parse(f"<title>Eels</title>{html}", url=url)).published == published


@pytest.mark.parametrize(
    ("declared", "text", "language"),
    [
        ("en", "عادت الأسماك إلى النهر هذا الربيع بعد غياب طويل", "ar"),
        ("en-US", "Τα χέλια επέστρεψαν στο ποτάμι αυτή την άνοιξη", "el"),
        ("en", "今年春天鳗鱼又回到了河里住在那里的人都说今年的鳗鱼比往年多得多", "zh"),
        ("zh", "今年の春、うなぎが川に戻ってきました。そこに住む人々は多いと言います。", "ja"),
        ("en", "올해 봄에 장어가 강으로 돌아왔다고 그곳에 사는 사람들이 말했다", "ko"),
        ("ja", "今年春天鳗鱼又回到了河里", "ja"),
        ("fa", "عادت الأسماك إلى النهر هذا الربيع بعد غياب طويل", "fa"),
        ("en", "Ελ", "en"),
        ("en", "The eels, Τα χέλια, are back in the river", "en"),
        ("sr", "Jegulje su se ovog proleća vratile u reku, kažu ljudi", "sr"),
    ],
)
def test_language_by_script(declared, text, language):
    assert metadata(bs.parse(f"<html lang={declared}><p>{text}</p>")).language == language


@pytest.mark.parametrize(
    ("declared", "language"),
    [("en_us", "en-US"), ("EN-gb", "en-GB"), ("zh-hant-tw", "zh-Hant-TW"), ("DE", "de"), ("es-419", "es-419")],
)
def test_language_tag_spelling(declared, language):
    page = bs.parse(f"<html lang={declared}><p>1</p>")
    assert metadata(page).language == bs.extract(page).language == language


def test_metadata_wrong_type():
    with pytest.raises(TypeError, match=r"parse\(html\)"):
        metadata("<p>")


@pytest.mark.browser
def test_a_rendered_page_says_the_same(browser):
    page = browser.open(ARTICLE.encode(), url="https://gull.example/a")
    assert metadata(page) == metadata(bs.parse(ARTICLE, url="https://gull.example/a"))


@pytest.mark.parametrize(
    "base", ["https://tea.example/a/b?c", "http://tea.example", "file:///tmp/a.html", "", "http://[tea"]
)
@pytest.mark.parametrize("href", [
    "/", "/a", "/a/", "/a/b.html", "/.a", "/a/../b", "/a/.", "//a", "/a//b", "/a?", "/a?b#c", "/a#", "/a;b", "", "a",
    ".", "https://other.example", "https://other.example/", "http://other.example:80/a.b/c-d_e", "HTTPS://other.example/a",
    "https://other/a", "https://other.example//a", "/café", "/a b", " /a", "/a\tb", "mailto:a@b.example",
    "?b=c", "/?b=c", "/a?b=c&d=/e", "/a?b?c", "/a#b", "/#b", "/a?#b", "/a?b=c;d#e/f", "/a?b=[c]", "/a?b c", "/a?b=../c",
    "/a,b@c/d:e=(f)", "/a;b?c", "/a/..?b", "/a:b", "a:b", "a?b", "https://other.example?b=c", "https://other.example#b",
    "https://other.example/a?b=c#d", "//other.example/a?b", "/a?b=%20", "/a?b#c#d",
])  # fmt: skip
def test_plain_addresses_are_joined_like_others(base, href):
    page = bs.parse("<p>x", url=base)
    try:
        parts = urlsplit(href.replace("\t", "").strip()), urlsplit(base)
        joined = urljoin(base, href.replace("\t", "").strip())
    except ValueError:
        joined = ""
    else:
        if parts[1].scheme not in ("http", "https") and not parts[0].scheme:
            joined = href.replace("\t", "").strip()
        elif urlsplit(joined).scheme not in ("http", "https") or not urlsplit(joined).netloc:
            joined = ""
    assert Addresses(page).absolute(0, href) == joined


HEADLINE = "<title>Eels</title><h1>Eels</h1>"


@pytest.mark.parametrize(
    ("html", "published", "modified"),
    [
        (
            "<p>Updated <time datetime=2024-07-01>x</time> · First published <time datetime=2024-05-06>y</time>",
            "2024-05-06",
            "2024-07-01",
        ),
        ("<p>Last updated: July 1, 2024 | Published May 6, 2024", "2024-05-06", "2024-07-01"),
        ("<p>Aktualisiert am 1. Juli 2024", "", "2024-07-01"),
        ("<p>The gates that we built open on <time datetime=2021-04-01>1 April 2021</time> in the morning.", "", ""),
        ("<p>They swim.</p><footer>© 1998–2020 Gull. Last built 3 November 2020.</footer>", "", ""),
        ("<p class=date>4 July 2099", "", ""),
    ],
)  # fmt: skip
def test_dates_of_publication_and_of_changes(html, published, modified):
    language = "de" if "Juli" in html else "en"
    found = bs.metadata(bs.parse(f"<html lang={language}>{HEADLINE}{html}"))
    assert (found.published, found.modified) == (published, modified)


@pytest.mark.parametrize(
    ("html", "authors"),
    [
        ("<h1>Eels</h1><p><span>By</span><span>Ada Leaf</span><span>April 4, 2023</span></p>", ("Ada Leaf",)),
        ("<title>Eels - Promo</title><h1>Eels</h1><p>Posted by Promo on July 16, 2016</p>", ("Promo",)),
        ("<title>Eels · Rever</title><h1>Eels</h1><p class=author>作者 Rever April 20, 2019</p>", ("Rever",)),
        ("<meta name=author content='Ada Leaf, MBA, Ph.D., and Bo Reed, RD'>", ("Ada Leaf", "Bo Reed")),
        ("<title>Eels | The Gull</title><meta name=author content='Ada Leaf @ The Gull'>", ("Ada Leaf",)),
        ("<h1>Eels</h1><p class=author>本报记者 方 敏 李心萍</p>", ("方敏", "李心萍")),
        ("<h1>Eels</h1><p class=author>金眼论市：</p>", ()),
        ("<div class='box sidebar_right'><h1>Eels</h1><p class=author>Ada Leaf</p></div>", ("Ada Leaf",)),
        ("<div class='box sidebar_right'><p class=author>Ada Leaf</p></div><h1>Eels</h1>", ()),
        ("<title>Eels - Gull</title><h1>Eels</h1><p>Posted by Gull on July 16, 2016</p><p>by Ada Leaf</p>", ("Gull",)),
        ("<title>Eels - Gull</title><h1>Eels</h1><p class=author>gull</p><p>by Ada Leaf</p>", ("Ada Leaf",)),
        ("<h1>Eels</h1><p class=author>Ada Leaf Former Deputy Director, Office of Eels</p>", ("Ada Leaf",)),
        ("<h1>Eels</h1><p>By Ada Leaf ⋅ Founder and Editor ⋅ Updated May 6, 2025</p>", ("Ada Leaf",)),
        ("<h1>Eels</h1><p class=author>Monday 16 January 2012</p><p class=author>Ada Leaf</p>", ("Ada Leaf",)),
        ("<meta name=author content=wp><h1>Eels</h1><p class=author>Opinion</p>", ()),
        ("<meta name=author content='Ada Leaf And Bo Reed'>", ("Ada Leaf", "Bo Reed")),
        ("<h1>鳗鱼</h1><p class=author>【日報╱記者李小梅／整理】</p>", ("李小梅",)),
        ("<h1>鳗鱼</h1><p class=author>点击登录</p><p>(记者 李小梅 通讯员 王娟)</p>", ("李小梅", "王娟")),
    ],
)
def test_authors_of_bylines_as_they_are_drawn(html, authors):
    assert metadata(bs.parse(html, url="https://gull.example/a")).authors == authors


UTC_META = "<meta property=article:published_time content=2021-06-18T{}+00:00><h1>Eels</h1>"


@pytest.mark.parametrize(
    ("html", "published"),
    [
        (UTC_META.format("04:00:40") + "<time>June 17, 2021</time>", "2021-06-17"),
        (UTC_META.format("04:00:40") + "<time datetime=2021-06-17T22:00:40-06:00>17</time>",
         "2021-06-17T22:00:40-06:00"),
        (UTC_META.format("04:00:40") + "<time>June 18, 2021</time>", "2021-06-18T04:00:40+00:00"),
        # The day of the reader above an article of the day before.
        (UTC_META.format("15:27:00") + "<time>June 19, 2021</time><p>June 18, 2021</p>", "2021-06-18T15:27:00+00:00"),
        (UTC_META.format("00:00:00") + "<time>June 17, 2021</time>", "2021-06-18T00:00:00+00:00"),
        (UTC_META.format("14:00:00") + "<time>June 17, 2021</time>", "2021-06-18T14:00:00+00:00"),
        ("<div itemscope itemtype=https://schema.org/BlogPosting><abbr itemprop=datePublished "
         "title=2024-02-03T20:38:00Z>8:38 pm</abbr></div>", "2024-02-03T20:38:00+00:00"),
        ("<h1>Eels</h1><time class='entry-date updated' datetime=2022-05-31>31.05.</time>", "2022-05-31"),
        ("<article><h1>Eels</h1><footer><time>January 16, 2025</time></footer></article>", "2025-01-16"),
        ("<h1>Eels</h1><footer><time>January 16, 2025</time></footer>", ""),
    ],
)  # fmt: skip
def test_published_on_the_day_that_the_page_shows(html, published):
    assert metadata(bs.parse(html, url="https://gull.example/a")).published == published
