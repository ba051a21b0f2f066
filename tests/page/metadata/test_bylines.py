"""Authors are named only by a witness: a wrong name is worse than none."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.roles import LeafRoles
from blocksight.document.document import LeafPrediction, document
from blocksight.page.metadata.authors import is_person, persons_in
from blocksight.page.role_names import ROLES

QUESTION = """
<title>How do eels find the river? - Fish &amp; Streams</title><header><nav><a href=/q>Questions</a>
<a href=/ask class=author>Ask Question</a></nav></header>
<main><h1>How do eels find the river?</h1><a class=ask-author href=/ask>Ask Question</a>
<div class=post><p>I have seen eels in a pond behind the house, far away from any river. How did they get there?</p>
<p class=user>asked May 3, 2021 at 7:10</p><p class=user-details>zaxter</p></div>
<h2>2 Answers</h2>
<div class=post><p>They walk over wet grass at night. It is well known among people who live near the water.</p>
<p class=user-details>ada1</p></div>
<div class=post><p>Birds carry their eggs, though not often, and not over long distances as some people say.</p>
<p class=user-details>mossy</p></div></main>"""

PRODUCT = """
<title>Eel trap, 40 cm - Gull Shop</title><meta property=og:type content=product><meta name=author content="Gull Shop">
<main><h1>Eel trap, 40 cm</h1><p class=brand>By River Works</p><p>A trap of willow for eels.</p>
<div class=review><h3 class=author>CONS</h3><p>Heavy.</p></div>
<div class=review><p class=author>PROS</p><p>Strong.</p></div></main>"""


def by_roles(html, *authors, url=""):
    """The authors of a document whose classifier takes the texts ``authors`` for bylines."""
    page = bs.parse(html, url=url)
    names = ["author" if text.strip() in authors else "body" for text in page.leaf_texts]
    roles = LeafRoles(
        role=np.asarray([ROLES.index(name) for name in names], dtype=np.int8), probability=np.full(len(names), 0.9)
    )
    return document(page, np.ones(len(names), dtype=bool), LeafPrediction(roles=roles)).metadata.authors


def authors_of(html):
    return bs.metadata(bs.parse(html)).authors


@pytest.mark.parametrize("read", [authors_of, lambda html: by_roles(html, "Ask Question", "zaxter", "ada1", "mossy")])
def test_buttons_of_a_question_are_no_authors(read):
    assert set(read(QUESTION)) <= {"zaxter"}


@pytest.mark.parametrize("read", [authors_of, lambda html: by_roles(html, "CONS", "PROS", "By River Works")])
def test_a_product_has_no_author(read):
    assert read(PRODUCT) == ()


def test_data_may_name_the_author_of_a_book():
    data = '<script type=application/ld+json>{"@type":["Book","Product"],"name":"Eels","author":"Ada Leaf"}</script>'
    assert authors_of(PRODUCT + data) == ("Ada Leaf",)


def test_a_question_in_microdata_has_an_author_and_its_answers_have_others():
    html = """<h1>Eels?</h1><div itemscope itemtype=https://schema.org/Question><p itemprop=text>How?</p>
    <p itemprop=author itemscope><b itemprop=name>zaxter</b><div itemprop=acceptedAnswer itemscope
    itemtype=https://schema.org/Answer><p itemprop=author itemscope><b itemprop=name>ada1</b></div></div>"""
    assert authors_of(html) == ("zaxter",)


@pytest.mark.parametrize(
    "line",
    ["Submitted by zaxter on Sat", "Submitted by zaxter on Sat, 2007-01-06 12:40", "Posted by zaxter at 6 May 2020"],
)
def test_a_name_ends_before_the_day(line):
    assert authors_of(f"<title>Eels</title><h1>Eels</h1><p class=submitted>{line}</p>") == ("zaxter",)


@pytest.mark.parametrize(
    "byline",
    [
        "<h2 class=author>Ada Leaf</h2>",  # a heading
        "<p class=author>Eels return</p>",  # the title
        "<p class=author>The Gull</p>",  # the site
        "<p class=author>Ask Question</p>",
        "<p class=author>CONS</p>",
        "<p class=author>View all posts</p>",
        "<p class=author>Eels live in rivers.</p>",
        "<p class=author>we met them at the river</p>",
        "<p class=author>Login 50% 50%</p>",
    ],
)
def test_authors_not_a_name(byline):
    html = f"<title>Eels return | The Gull</title><h1>Eels return</h1>{byline}<p>They are back in the river.</p>"
    assert authors_of(html) == ()


@pytest.mark.parametrize(
    ("declared", "authors"),
    [
        ("The Gull", ("The Gull",)),  # the site, which data declare
        ("gull.example", ()),
        ("Eels return to the river", ()),  # the title
        ("We are a paper that writes about eels daily", ()),
        ("Ada Leaf", ("Ada Leaf",)),
        ("Eels on the River", ()),
        ("A River Full of Eels", ()),
        ("Gull News Agency", ("Gull News Agency",)),
    ],
)
def test_declared_names_of_the_page_itself_are_no_authors(declared, authors):
    html = f"<title>Eels return to the river | The Gull</title><meta name=author content='{declared}'><p>Back."
    assert bs.metadata(bs.parse(html, url="https://gull.example/eels")).authors == authors


def test_reviews_have_other_authors():
    html = """<h1>Eels</h1><div itemscope itemtype=https://schema.org/Product><p itemprop=name>Trap</p><div itemscope
    itemtype=http://schema.org/Review><p itemprop=author>fanny848</p></div></div>"""
    assert authors_of(html) == ()


def test_several_bylines_far_from_the_headline_are_those_of_teasers():
    teasers = "".join(f"<p>Line {n}</p>" for n in range(20))
    teasers += "<a rel=author href=/a>Ada Leaf</a><p>More.</p><a rel=author href=/b>Bo Reed</a>"
    assert authors_of(f"<title>Eels</title><h1>Eels</h1>{teasers}") == ()
    assert authors_of(f"<title>Eels</title><h1>Eels</h1><p><a rel=author href=/c>Cy Moss</a>{teasers}") == ("Cy Moss",)


def test_roles_name_authors_of_articles_near_the_headline():
    text = "<p>The eels are back in the river, say those who live there, and they are many this year.</p>" * 20
    html = f"<title>Eels</title><h1>Eels</h1><p>Ada Leaf</p>{text}<p>Bo Reed</p>"
    assert by_roles(html, "Ada Leaf", "Bo Reed") == ("Ada Leaf",)
    assert by_roles(html, "Bo Reed") == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Leaf", ("Ada Leaf",)),
        ("By Ada Leaf and Bo Reed, Science Editor", ("Ada Leaf", "Bo Reed")),
        ("Ada Leaf, Nairobi", ("Ada Leaf",)),
        ("J. R. R. Leaf", ("J. R. R. Leaf",)),
        ("Ada Leaf Jr.", ("Ada Leaf Jr.",)),
        ("Ludwig van der Leaf", ("Ludwig van der Leaf",)),
        ("Henriëtte d'Eel", ("Henriëtte d'Eel",)),
        ("Ada Leaf (The Gull)", ("Ada Leaf",)),
        ("李白", ("李白",)),
        ("by zaxter", ("zaxter",)),
        ("zaxter", ()),
        ("ada leaf", ()),
        ("One Two Three Four Five Six", ()),
        (f"Ada {'L' * 37}", ()),
        ("12 May", ()),
    ],
)
def test_persons_in(text, names):
    assert persons_in(text) == names


def test_is_person_single_word():
    assert is_person("zaxter")
    assert not is_person("zaxter", single=False)
    assert not is_person("Ada: Leaf")
    assert persons_in("zaxter", single=True) == ("zaxter",)


def with_data(data, site="The Gull"):
    return authors_of(
        f"<meta property=og:site_name content='{site}'><title>Eels</title><h1>Eels</h1>"
        f"<script type=application/ld+json>{data}</script><p>Text."
    )


def test_authors_of_other_entity():
    article = '{"@type":"Article","author":{"@type":"Person","name":"Green Gull"}}'
    recipe = '{"@type":"Recipe","author":{"@type":"Person","name":"Ada Leaf"}}'
    assert with_data(f"[{article},{recipe}]", "Green Gull") == ("Ada Leaf",)
    assert with_data(article, "Green Gull") == ("Green Gull",)  # the only one declared as a person
    assert with_data(article.replace("Person", "Organization"), "Green Gull") == ("Green Gull",)


def test_a_site_may_have_the_name_of_its_author_as_data_say():
    person = '{"@type":"Article","author":{"@type":"Person","name":"Ada Leaf"}}'
    assert with_data(person, "Ada Leaf") == ("Ada Leaf",)
    assert with_data(person.replace("Person", "Organization"), "Ada Leaf") == ("Ada Leaf",)
    assert with_data(person.replace("Ada Leaf", "Gull"), "Gull") == ("Gull",)


def test_offices_of_a_site_give_way_to_a_person():
    for name in ("Gull Staff", "Redazione Gull", "Editorial Team", "Gull"):
        data = f'{{"@type":"Article","author":{{"@type":"Organization","name":"{name}"}}}}'
        assert with_data(data) == (name,), name
        byline = "<title>Eels</title><h1>Eels</h1><p>By Ada Leaf</p><p>They swim.</p>"
        site = "<meta property=og:site_name content=Gull>"
        assert authors_of(f"{byline}{site}<script type=application/ld+json>{data}</script>") == ("Ada Leaf",), name


def test_names_that_are_escaped_twice_or_named_by_their_identifier():
    assert with_data('{"@type":"Article","author":"H&#233;ctor Leaf"}') == ("Héctor Leaf",)
    graph = '[{"@type":"Person","@id":"#a","name":"Ada Leaf"},{"@type":"Article","author":"#a"}]'
    assert with_data(graph) == ("Ada Leaf",)


def test_a_label_and_a_name_in_a_line_with_a_date():
    line = "<title>Eels</title><h1>Eels</h1><p>Author: Ada Leaf 2021-12-23 [2 min read]</p><p>Text."
    assert authors_of(line) == ("Ada Leaf",)
    assert authors_of(line.replace("Author:", "Author")) == ()


def test_authors_publisher_declared_as_person():
    publisher = '"publisher":{"@type":"Organization","name":"Green Gull"}'
    article = f'{{"@type":"Article","author":{{"@type":"Person","name":"Green Gull"}},{publisher}}}'
    assert with_data(article, "Green Gull") == ("Green Gull",)
    assert with_data(article.replace('"Organization"', '["Person","Organization"]'), "Green Gull") == ("Green Gull",)


def test_authors_of_many_other_entities_wrote_comments():
    posts = ",".join(
        f'{{"@type":"SocialMediaPosting","author":{{"@type":"Person","name":"{name} Leaf"}}}}'
        for name in ("Ada", "Bo", "Cy", "Di")
    )
    assert with_data(f'[{{"@type":"Article","headline":"Eels"}},{posts}]') == ()


def test_a_reviewer_is_no_author_of_a_product():
    review = "<div itemprop=review><b itemprop=author>Jimbo</b></div>"
    data = f"<div itemscope itemtype=https://schema.org/Product>{review}</div>"
    assert authors_of(f"<title>Eel trap</title><h1>Eel trap</h1>{data}") == ()


def test_authors_trade_marks():
    assert with_data('{"@type":"Article","author":"RECIPES FOR YOU ®"}') == ()


def ld(data):
    return f"<script type=application/ld+json>{data}</script>"


def test_authors_declared_organization():
    publisher = ld(
        '{"@type": "Article", "headline": "Eels", "publisher": {"@type": "Organization", "name": "River Press"}}'
    )
    html = f"<title>Eels</title><meta name=author content='River Press'>{publisher}<h1>Eels</h1><p>They swim.</p>"
    assert authors_of(html) == ("River Press",)
    assert authors_of(html.replace("<h1>Eels</h1>", "<h1>Eels</h1><p>By Ada Leaf</p>")) == ("Ada Leaf",)
    author = ld('{"@type": "Article", "author": {"@type": "Person", "name": "River Press"}}')
    assert authors_of(html + author) == ("River Press",)


def test_authors_site_name_with_separator():
    site = "<meta property=og:site_name content='River News | All of the Coast'>"
    name = "<meta name=author content='River News | All of the Coast'>"
    assert authors_of(f"<title>Eels</title>{site}{name}<h1>Eels</h1><p>They swim.</p>") == (
        "River News | All of the Coast",
    )


def test_a_byline_below_the_headline_counts_in_a_list():
    others = "".join(
        f"<h3>Line {n}</h3><a rel=author href=/{n}>{name} Reed</a>" for n, name in enumerate(("Bo", "Cy", "Di", "Ed"))
    )
    html = f"<title>Eels</title><h1>Eels</h1><p><a rel=author href=/a>Ada Leaf</a></p><p>They swim.</p>{others}"
    assert authors_of(html) == ("Ada Leaf",)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("作者：王小河 责任编辑：李闸", ("王小河",)),
        ("新华社东京五月三十日电（记者姜小梅　王可）鳗鱼回来了。", ("姜小梅", "王可")),
        ("本报记者 王 珂 李小闸 北京报道", ("王珂", "李小闸")),
        ("(责编：赵小爽、王河)", ("赵小爽", "王河")),
        ("记者了解到，鳗鱼回来了。", ()),
    ],
)
def test_signatures_of_chinese_texts(line, names):
    text = "<p>磨坊上方的堰在春天重建，因为前一年的洪水冲走了两扇闸门和大部分人行桥。</p>"
    assert authors_of(f"<title>堰在春天重建</title><h1>堰在春天重建</h1>{text}<p>{line}</p>") == names


def test_markup_is_no_name():
    name = "&lt;img src=a.png height=49 /&gt;Author Ada Leaf"
    assert authors_of(f"<meta name=author content='{name}'><p>x") == ("Ada Leaf",)
