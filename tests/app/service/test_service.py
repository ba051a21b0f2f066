"""The service over HTTP, asked without a network."""

import asyncio
import json
from dataclasses import replace

import blocksight as bs
import pytest
from blocksight.app.page_runner import PageRunner
from blocksight.app.service.service import Service, ServiceRequest, failure
from blocksight.classify.systems import system_named
from blocksight.errors import HttpFailed, Refused, TimedOut
from blocksight.version import VERSION

PAGE = "<title>Tea</title><p>Fresh water is boiled, the pot is warmed, and the leaves draw for three minutes.</p>"
TOKEN = ("authorization", "Bearer secret")


def ask(service, path, body=b"", *headers, method="POST", query=b""):
    """Send one request; return status, headers and body."""
    sent, bodies = [], [body]
    scope = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": query,
        "headers": [(name.encode(), value.encode()) for name, value in headers], "http_version": "1.1",
        "scheme": "http", "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1), "root_path": "",
    }  # fmt: skip

    async def receive():
        if not bodies:
            await asyncio.Event().wait()  # the client stays
        return {"type": "http.request", "body": bodies.pop(), "more_body": False}

    async def send(message):
        sent.append(message)

    async def talk():
        await service.app(scope, receive, send)

    asyncio.run(talk())
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:])


def served(runner, most_body=100_000):
    return Service(runner, system_named("bte"), token="secret", most_body=most_body, workers=1, queue=1)


@pytest.fixture(scope="module")
def runner():
    with PageRunner(bs.RenderOptions(max_bytes=50_000), browser=False) as made:
        yield made


@pytest.fixture
def service(runner):
    return served(runner)


def as_json(fields):
    return json.dumps(fields).encode(), TOKEN, ("content-type", "application/json")


def test_html_in_json_and_as_it_is(service):
    status, headers, body = ask(service, "/extract", *as_json({"html": PAGE, "url": "https://a.org/tea"}))
    assert (status, headers["content-type"]) == (200, "application/json")
    found = json.loads(body)
    assert (found["title"], found["url"]) == ("Tea", "https://a.org/tea")
    assert found["text"].startswith("Fresh water")
    kind = ("content-type", "text/html")
    body = ask(service, "/extract", PAGE.encode(), TOKEN, kind, query=b"url=http://b/")[2]
    assert json.loads(body)["url"] == "http://b/"


def test_a_saved_page_comes_out_and_goes_in(service):
    status, headers, saved = ask(service, "/render", PAGE.encode(), TOKEN)
    assert (status, headers["content-type"]) == (200, "application/vnd.blocksight.page")
    assert json.loads(ask(service, "/extract", saved, TOKEN)[2])["title"] == "Tea"


@pytest.mark.parametrize("header", [(), (("authorization", "Bearer wrong"),), (("authorization", "Basic secret"),)])
@pytest.mark.parametrize(("path", "method"), [("/extract", "POST"), ("/render", "POST")])
def test_nothing_without_the_token(service, header, path, method):
    status, headers, body = ask(service, path, PAGE.encode(), *header, method=method)
    assert (status, headers["www-authenticate"]) == (401, "Bearer")
    assert b"Tea" not in body


@pytest.mark.parametrize(
    ("body", "kind", "status", "why"),
    [
        (b"{", "application/json", 400, "not JSON"),
        (b"[]", "application/json", 400, "must be an object"),
        (b"{}", "application/json", 400, "neither url nor html"),
        (b"", "text/html", 400, "send JSON"),
        (b"x" * 100_001, "text/html", 413, "more than 100000 bytes"),
        (b"<p>" + b"x" * 60_000, "text/html", 403, "above the limit"),
        (b"%PDF-1.7", "text/html", 422, "this is a PDF"),
        (b'{"url": "https://a.org/"}', "application/json", 422, "needs the browser"),
        (b'{"url": 7, "html": "<p>a"}', "application/json", 400, "must be a string"),
        (b'{"url": "https://a.org/", "html": ["<p>a"]}', "application/json", 400, "must be a string"),
    ],
)
def test_what_is_not_answered_says_why(service, body, kind, status, why):
    found, _, said = ask(service, "/extract", body, TOKEN, ("content-type", kind))
    assert found == status
    assert why in json.loads(said)["error"]["message"]


@pytest.mark.parametrize(
    "address", ["/etc/hostname", "../secret.html", "-", "", "file:///etc/hostname", "file:/etc/hostname"]
)
def test_files_of_the_machine_are_out_of_reach(address, tmp_path):
    made = served(PageRunner(bs.RenderOptions(), executable=str(tmp_path / "none")))
    with pytest.raises(Refused):
        made.work(ServiceRequest(address=address))


def test_a_fault_is_logged_and_not_sent(service, caplog):
    def broken(asked, *, is_page):
        raise KeyError("secret of ours")

    service.work = broken
    status, _, body = ask(service, "/extract", b"<p>a", TOKEN)
    assert status == 500
    assert b"secret of ours" not in body
    assert "secret of ours" in caplog.text


def test_health(service):
    ask(service, "/extract", PAGE.encode(), TOKEN)
    ask(service, "/extract", PAGE.encode())
    status, _, body = ask(service, "/health", method="GET")
    assert (status, json.loads(body)) == (200, {"status": "ok"})
    _, _, body = ask(service, "/health", b"", ("authorization", "Bearer wrong"), method="GET")
    assert json.loads(body) == {"status": "ok"}
    _, _, body = ask(service, "/health", b"", TOKEN, method="GET")
    assert json.loads(body) == {"status": "ok", "blocksight": VERSION, "under_way": 0}


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (TimedOut("a", "late"), 504, "timeout"),
        (Refused("a", "private"), 403, "refused"),
        (HttpFailed("a", "HTTP 404", 404), 502, "http"),
        (KeyError("secret of ours"), 500, "fault"),
    ],
)
def test_errors_have_their_statuses(error, status, kind):
    found, body = failure(error)
    assert (found, body["error"]["kind"]) == (status, kind)
    assert "secret of ours" not in body["error"]["message"]


def test_errors_name_fields_of_the_request_and_options_of_the_command():
    _, body = failure(TimedOut("a", "not done within 3 s (timeout sets it)"))
    assert "(timeout sets it)" in body["error"]["message"]
    _, body = failure(Refused("a", "above the limit (max_bytes raises it)"))
    assert "(--max-bytes of `blocksight serve` raises it)" in body["error"]["message"]


@pytest.mark.browser
def test_addresses_are_guarded_as_ever(address):
    with PageRunner(bs.RenderOptions(timeout=120.0)) as runner:
        made = served(runner)
        with pytest.raises(Refused):
            made.work(ServiceRequest(address=f"{address}/news/page.html"))
        assert json.loads(made.work(ServiceRequest(address="", data=PAGE.encode())))["title"] == "Tea"


# -- fields of requests -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "media", "start"),
    [("markdown", "text/markdown; charset=utf-8", "# Tea"), ("text", "text/plain; charset=utf-8", "Fresh water"),
     ("chunks", "application/jsonl", '{"markdown"'), ("json", "application/json", '{"')],
)  # fmt: skip
def test_formats_of_answers(service, form, media, start):
    status, headers, body = ask(service, "/extract", *as_json({"html": PAGE, "format": form}))
    assert (status, headers["content-type"]) == (200, media)
    assert body.decode().startswith(start)
    query = f"format={form}".encode()
    assert ask(service, "/extract", PAGE.encode(), TOKEN, ("content-type", "text/html"), query=query)[2] == body


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"formats": "text"}, "no field is called formats; did you mean format"),
        ({"format": "pdf"}, "no format is called pdf"),
        ({"keep": "titel"}, "no role is called titel"),
        ({"timeout": 31}, "at most 30"),
        ({"timeout": 0}, "above 0"),
        ({"timeout": True}, "must be a number"),
        ({"timeout": "3"}, "must be a number"),
        ({"browser": "no"}, "must be a boolean"),
        ({"wait_for": 1}, "must be a string"),
    ],
)
def test_fields_that_are_wrong_are_named(service, values, why):
    status, _, body = ask(service, "/extract", *as_json({"html": PAGE} | values))
    assert status == 400
    assert why in json.loads(body)["error"]["message"].replace("'", "")


@pytest.mark.parametrize("query", [b"encoding=utf-8", b"timeout=soon", b"browser=maybe", b"format=pdf"])
def test_queries_that_are_wrong_are_refused(service, query):
    assert ask(service, "/extract", PAGE.encode(), TOKEN, query=query)[0] == 400


def test_fields_reach_the_browser_and_the_system(service):
    asked = []

    def note(request, *, is_page):
        asked.append(replace(request, timeout=None if request.timeout == 30 else round(request.timeout)))
        return b"{}"

    service.work = note
    fields = {"keep": "title", "wait_for": "p", "timeout": 2, "browser": False, "format": "text"}
    ask(service, "/extract", *as_json({"url": "https://a.org/"} | fields))
    assert asked[0] == ServiceRequest(address="https://a.org/", **fields)
    query = b"url=https://a.org/&keep=title&wait_for=p&timeout=2&browser=false&format=text"
    ask(service, "/extract", b"<p>a", TOKEN, query=query)
    assert asked[1] == ServiceRequest(address="https://a.org/", data=b"<p>a", **fields)
    assert ask(service, "/etc/hostname", b"", TOKEN, method="GET")[0] == 404
    assert len(asked) == 2


def test_roles_are_refused_for_systems_without_them(service):
    status, _, body = ask(service, "/extract", *as_json({"html": PAGE, "keep": "title"}))
    assert status == 422
    assert "has no roles" in json.loads(body)["error"]["message"]
