"""Some of the pages of benchmarks/hostile.py, those that are soon over: each gives its text or is refused by name."""

import blocksight as bs
import pytest
from blocksight.render.network.loopback import Quiet, serve

SENTENCE = "The heron stands at the weir."
#: Scripts after the sentence, and whether the page is then refused.
SCRIPTS = {
    "signs of another kind": ("Object.prototype.toJSON = () => 1; Map.prototype.set = 0", False),
    "stopped clock": ("Date.now = performance.now = () => 0; setTimeout = requestAnimationFrame = () => 0", False),
    "names of members": (
        "for (const name of ['body', 'fonts', 'querySelectorAll', 'getAnimations', 'documentElement']) "
        "document.body.append(Object.assign(document.createElement('img'), {name, id: name}))",
        False,
    ),
    "poisoned signs": ("performance.getEntriesByType = () => ({filter: () => ({length: 1})}); URL = 1", False),
    "nodes by script": ("for (;;) document.body.append(document.createElement('p'))", True),
    "leaving at once": ("location.href = '?' + Math.random()", False),
}


class Site(Quiet):
    def do_GET(self):
        script = SCRIPTS[self.path[1:].partition("?")[0].replace("%20", " ")][0]
        body = f"<!doctype html><title>t</title><body><p>{SENTENCE}</p><script>{script}</script>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def site():
    with serve(Site) as address:
        yield address


@pytest.fixture(scope="module")
def hasty():
    with bs.Browser(pages=1, options=bs.RenderOptions(timeout=15, allow_private=True, max_nodes=20_000)) as browser:
        yield browser


@pytest.mark.browser
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_hostile_page(site, hasty, name):
    if SCRIPTS[name][1]:
        with pytest.raises(bs.Refused, match="nodes"):
            hasty.open(f"{site}/{name.replace(' ', '%20')}")
    else:
        assert SENTENCE in hasty.open(f"{site}/{name.replace(' ', '%20')}").leaf_texts
