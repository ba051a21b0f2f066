"""A thread, a shop and a menu."""

import blocksight as bs
import pytest

NAMES = ("Arvo", "Bruna", "Cemal")
TEXTS = (
    "The kettle that I bought last week whistles far too loudly, is there anything that can be done about it?",
    "Mine did the same. Take the lid off before it boils and it will be quiet, I promise you.",
    "Thank you both, that works very well, and the tea is as good as it ever was before.",
)
SENTENCES = " ".join(TEXTS)


def post(number, quote=""):
    return (
        f"<div class='post' id=p{number}><div class=user-card><img src=/faces/{number}.png>"
        f"<a class=username href=/members/{number}>{NAMES[number]}</a>"
        f"<small>Joined: May 3, 200{number}</small><small>Posts: {number * 7 + 3}</small></div>"
        f"<time>{number + 1} May 2024</time><div class=post-content>{quote}<p>{TEXTS[number]}</p></div>"
        f"<div class=signature>{NAMES[number]} was here</div>"
        f"<div class=actions><a href=#r>Reply</a> <a href=#s>Share</a></div></div>"
    )


def item(number):
    return (
        f"<li class=product-card><a href=/item/{number}><img src=/{number}.jpg></a>"
        f"<h3><a href=/item/{number}>Kettle {number}</a></h3>"
        f"<span class=price>${number + 10}.50</span><span class=stars>{number % 5}.5 out of 5</span>"
        f"<button>Add to cart</button></li>"
    )


MENU = (
    "<nav><ul>" + "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "Tea", "Coffee")) + "</ul></nav>"
)


@pytest.fixture
def thread():
    posts = post(0) + post(1, f"<blockquote>{TEXTS[0]}</blockquote>") + post(2)
    return bs.parse(
        f"<title>Loud kettle</title>{MENU}<main><h1>Loud kettle</h1><div class=posts>{posts}</div></main>",
        url="https://forum.example/threads/loud-kettle.12/",
    )


@pytest.fixture
def shop():
    items = "".join(map(item, range(8)))
    return bs.parse(
        f"<title>Kettles</title>{MENU}<main><h1>Kettles</h1><ul class=products>{items}</ul></main>",
        url="https://shop.example/collections/kettles",
    )
