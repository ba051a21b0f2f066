"""Files of rules that never end, explode or go in circles: each host is decided in time, and costs little."""

import gzip
import re
import time

import blocksight as bs
import pytest
from blocksight.batch.robots import ALLOW_ALL, RobotsRules, read_rules, rules_for_agent, truncate_rules
from blocksight.render.network.local_server import QuietHandler, serve

pytestmark = pytest.mark.long

ALL = "User-agent: *\nDisallow: /none\n"
#: Rules of which a naive matcher, or a naive parser, would not return.
RULES = {
    "a million rules": lambda: "".join(f"Disallow: /a{number}\n" for number in range(1_000_000)),
    "rules with wildcards": lambda: "".join("Disallow: /*a*a*a*a*a*b\n" for _ in range(20_000)),
    "many wildcards in a rule": lambda: "Disallow: /" + "*a" * 240_000 + "b\n",
    "nothing but wildcards": lambda: "Disallow: /" + "*" * 400_000 + "b\n",
    "regular expressions": lambda: "Disallow: /(a+)+$\nDisallow: /[z-a\nDisallow: /a{1000000000}\n",
    "odd characters": lambda: "Disallow: /\0\x85\u2028\ud7ff%zz\n" * 10_000,
    "a million agents": lambda: "".join(f"User-agent: b{number}\nDisallow: /\n" for number in range(1_000_000)),
    "delays": lambda: "".join(f"Crawl-delay: {value}\n" for value in ("1e309", "nan", "-5", "0x10", "1" * 5000)),
    "rates": lambda: "Request-rate: 1/0\nRequest-rate: 99999999999999999999/1s 0000-9999\nVisit-time: 9999-9999\n",
}


@pytest.mark.parametrize("name", RULES)
def test_rules_cost_little(name):
    address = "https://bomb.example/" + "a" * 2000
    text = ALL + RULES[name]()
    start = time.process_time()
    rules = RobotsRules(rules_for_agent(truncate_rules(text), "blocksight"))
    assert rules.forbids(address, "blocksight") == ""
    assert rules.delay("blocksight") >= 0
    # Measured: at most .2 s. What this excludes is minutes.
    assert time.process_time() - start < 10


class Bombs(QuietHandler):
    """Serves one kind of file for each host name: ``/robots.txt`` of ``KIND.localhost``."""

    def do_GET(self):
        kind = self.headers["Host"].partition(".")[0]
        try:
            getattr(self, kind)()
        except OSError:
            self.close_connection = True

    def head(self, status=200, **fields):
        self.send_response(status)
        for name, value in ({"Content-Type": "text/plain"} | fields).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def endless(self):
        self.head()
        while True:
            self.wfile.write(b"Disallow: /private\n" * 5000)

    def slow(self):
        self.head()
        for _ in range(300):
            self.wfile.write(b"#")
            time.sleep(0.2)

    def silent(self):
        time.sleep(60)

    def packed(self):
        self.head(Content_Encoding="gzip")
        self.wfile.write(gzip.compress(b"\n" * 400_000_000, 1))

    def circle(self):
        self.head(302, Location="/robots.txt")

    def chain(self):
        number = int(self.path.partition("?")[2] or 0) + 1
        self.head(302, Location=f"/robots.txt?{number}")

    def page(self):
        self.head(Content_Type="text/html")
        self.wfile.write(b"<script>for (;;) ;</script><meta http-equiv=refresh content=0>User-agent: *\nDisallow: /")

    def broken(self):
        self.head(503)

    def absent(self):
        self.head(404)


FORBIDDEN = {
    "endless": "(more than 5 MB|did not arrive in time)",
    "packed": "(more than 5 MB|did not arrive in time)",
    "slow": "did not arrive in time",
    "silent": "did not arrive in time",
    "broken": "HTTP 503",
}


@pytest.fixture(scope="module")
def answers():
    """The answer for each host; little time for those that only time ends."""
    found = {}
    with serve(Bombs) as address:
        port = address.rpartition(":")[2]
        for late in (True, False):
            options = bs.RenderOptions(allow_private=True, timeout=6.0 if late else 120.0)
            with bs.Browser(options=options) as browser:
                for kind in (*FORBIDDEN, "circle", "chain", "page", "absent"):
                    if (kind in ("slow", "silent")) is late:
                        found[kind] = read_rules(browser, f"http://{kind}.localhost:{port}", "blocksight")
    return found


@pytest.mark.browser
@pytest.mark.parametrize("kind", FORBIDDEN)
def test_a_host_whose_rules_do_not_come_is_closed(answers, kind):
    assert re.search(FORBIDDEN[kind], answers[kind].forbids("http://x/", "blocksight"))


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["circle", "chain", "absent"])
def test_a_host_without_rules_is_open(answers, kind):
    # RFC 9309, section 2.3.1.2: after five redirects the file may be treated as one that is not there.
    assert answers[kind] is ALLOW_ALL
