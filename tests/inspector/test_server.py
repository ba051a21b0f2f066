"""The inspector over HTTP: what it shows, what it writes down, and whom it refuses."""

import json

import blocksight as bs
import pytest
from blocksight.errors import FolderUnsafe
from blocksight.gold.annotations import read_annotations
from blocksight.gold.corpora import read_corpus
from blocksight.inspector.server.app import STATIC, inspector_app

pytestmark = pytest.mark.browser
LINK = [(b"sec-fetch-mode", b"navigate"), (b"sec-fetch-dest", b"document")]
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("/wrong/", {}),
        ("/", {}),
        ("/secret2/api/session", {}),
        ("/secret/", {"host": "evil.org"}),
        ("/secret/", {"host": "127.0.0.1.evil.org:80"}),
        ("/secret/api/session", {"headers": [(b"origin", b"https://evil.org")]}),
        ("/secret/api/session", {"headers": [(b"sec-fetch-site", b"cross-site")]}),
        ("/secret/api/session", {"headers": [*LINK, (b"sec-fetch-site", b"cross-site")]}),
        ("/secret/", {"headers": [(b"sec-fetch-site", b"cross-site"), (b"sec-fetch-mode", b"no-cors")]}),
        ("/secret/", {"headers": [*LINK, (b"sec-fetch-site", b"cross-site")], "method": "POST"}),
        ("//secret/", {}),
        ("/secret%2f", {}),
    ],
)
def test_auth_refuses_other_hosts_and_tokens(ask, session, path, more):
    status, _, body = ask(inspector_app(session, "secret"), path, **more)
    assert status == 403
    assert b"blocksight" not in body


@pytest.mark.parametrize("host", ["127.0.0.1:9", "localhost:8710", "localhost", "[::1]:8710"])
def test_auth_takes_this_machine_by_any_port(ask, session, host):
    assert ask(inspector_app(session, "secret"), "/secret/", host=host)[0] == 200


def test_auth_takes_links_from_elsewhere(ask, session):
    """From a file that leads to the inspector, or from a message: it is opened whole, in a window of its own."""
    status, headers, _ = ask(
        inspector_app(session, "secret"), "/secret/", headers=[*LINK, (b"sec-fetch-site", b"cross-site")]
    )
    assert status == 200
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize("path", ["api/pages/..%2f..%2fsecrets", "api/pages/%2e%2e/labels", "api/pages/x%00y"])
def test_pages_refuse_paths_out_of_the_folder(asked, path):
    assert asked(path)[0] == 404


def test_labels_refuse_large_bodies(asked, identities):
    page = asked(f"api/pages/{identities['bar/0']}")[2]
    leaves = [[0, "x" * 1000, None, True]] * 11_000
    change = {"fingerprint": page["fingerprint"], "change": "set", "leaves": leaves}
    assert asked(f"api/pages/{identities['bar/0']}/labels", change)[0] == 413


def test_session_refuses_folders_with_links(in_process_session, tmp_path):
    """Somebody else may have prepared it: what is written to a link lands elsewhere."""
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "me.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FolderUnsafe, match="is a link"):
        in_process_session((), tmp_path, who="me", options=bs.RenderOptions())


def test_labels_are_read_again_when_the_file_grows(asked, identities, tmp_path):
    """Another inspector in the same folder may have written to it."""
    identity = identities["bar/0"]
    page = asked(f"api/pages/{identity}")[2]
    change = {"fingerprint": page["fingerprint"], "change": "set", "leaves": said(page, (0, "navigation", False))}
    asked(f"api/pages/{identity}/labels", change)
    more = {"page": identity, "who": "anna", "leaves": said(page, (1, "related", False))}
    with (tmp_path / "session" / "labels" / "anna.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(more) + "\n")
    assert asked(f"api/pages/{identity}/labels")[2]["content"][:2] == [0, 0]
    asked(f"api/pages/{identity}/labels", change | {"leaves": said(page, (3, "body", True))})
    assert asked(f"api/pages/{identity}/labels")[2]["content"][:4] == [0, 0, -1, 1]


def test_labels_make_a_corpus(asked, identities, tmp_path):
    identity = identities["bar/0"]
    page = asked(f"api/pages/{identity}")[2]
    assert not (tmp_path / "session" / "pages").exists()
    asked(
        f"api/pages/{identity}/labels",
        {"fingerprint": page["fingerprint"], "change": "set", "leaves": said(page, (3, "body", True))},
    )
    (gold,) = read_corpus(tmp_path / "session")
    assert (gold.error, gold.nodes.labels[3], gold.nodes.roles[3], gold.site) == ("", 1, "body", "bar.test")


def test_static_files_and_policy(asked):
    _, headers, body = asked("")
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert b"<style" not in body
    assert b" style=" not in body
    assert b"onclick" not in body
    for path in STATIC.iterdir():
        status, headers, found = asked(f"static/{path.name}")
        assert (status, found) == (200, path.read_bytes())
        assert b"innerHTML" not in found
        assert b"http://" not in found.replace(b"http://www.w3.org/2000/svg", b"")
    assert asked("static/..%2fapp.py")[0] == 404
    assert asked("static/nothing.js")[0] == 404


def test_view_of_a_page(asked, identities):
    status, _, page = asked(f"api/pages/{identities['bar/0']}")
    assert status == 200
    assert page["title"] == "Tides"
    leaves = page["leaves"]
    assert len({len(column) for column in leaves.values()}) == 1
    texts = dict(zip(leaves["text"], leaves["hidden"], strict=True))
    assert texts["Nobody sees this line of text."] == "display"
    assert texts["Home"] == ""
    assert "".join(text for text, _ in page["markdown"]).startswith("# Tides")
    assert page["picture"][0] >= page["size"][0] - 1
    status, headers, tile = asked(f"api/pages/{identities['bar/0']}/tiles/0.png")
    assert (status, headers["content-type"], tile[:4]) == (200, "image/png", b"\x89PNG")
    assert asked(f"api/pages/{identities['bar/0']}/tiles/9.png")[0] == 404
    assert asked("api/pages/nothing")[0] == 404


def test_view_of_a_hostile_page_is_json(asked, identities):
    _, headers, page = asked(f"api/pages/{identities['bar/1']}")
    assert page["title"] == HOSTILE
    assert headers["content-type"] == "application/json"


@pytest.mark.parametrize("method", ["paragraphs", "vips", "targets"])
def test_blocks_by_method(asked, identities, method):
    status, _, cut = asked(f"api/pages/{identities['bar/0']}/blocks?method={method}&pdoc=7")
    assert status == 200
    count = len(cut["parent"])
    assert all(len(cut[name]) == count for name in ("box", "doc", "rule", "tag", "selector", "drawn", "outline"))
    assert any(ring for ring in cut["outline"])
    assert max(cut["leaf_block"]) < count


@pytest.mark.parametrize("query", ["method=none", "method=vips&pdoc=11", "method=vips&pdoc=0", "method=vips&pdoc=x"])
def test_blocks_refuse_unknown_methods_and_degrees(asked, identities, query):
    status, _, body = asked(f"api/pages/{identities['bar/0']}/blocks?{query}")
    assert status == 400
    assert body["error"]["message"]


def said(page, *leaves):
    digests = page["leaves"]["digest"]
    return [[place, digests[place], role, content] for place, role, content in leaves]


def test_labels_are_saved_at_once(asked, identities, session, in_process_session, tmp_path):
    identity = identities["bar/0"]
    _, _, page = asked(f"api/pages/{identity}")
    change = {
        "fingerprint": page["fingerprint"],
        "change": "set",
        "leaves": said(page, (0, "navigation", False), (3, "body", True)),
    }
    assert asked(f"api/pages/{identity}/labels", change)[0] == 200
    kept = read_annotations(tmp_path / "session" / "labels" / "anna.jsonl")[identity]
    assert {place: label.role for place, label in kept.leaves.items()} == {0: "navigation", 3: "body"}
    _, _, labels = asked(f"api/pages/{identity}/labels")
    assert (labels["content"][0], labels["content"][3], labels["content"][1]) == (0, 1, -1)
    assert labels["changes"] == [{"change": "set", "leaves": [[0, "navigation", False], [3, "body", True]]}]
    items = tuple(session.items.values())
    with in_process_session(items, tmp_path / "session", who="anna", options=bs.RenderOptions()) as again:
        assert again.labels(identity)["content"] == labels["content"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"fingerprint": "another", "change": "set", "leaves": []}, 409),
        ({"change": "burn", "leaves": []}, 400),
        ({"change": "set", "leaves": [[0, "x"]]}, 400),
        ({"change": "set", "leaves": [[0, "x", "king", True]]}, 400),
        ({"change": "set", "leaves": "all"}, 400),
        ([], 400),
    ],
)
def test_labels_refuse_invalid_changes(asked, identities, change, status, tmp_path):
    identity = identities["bar/0"]
    if isinstance(change, dict):
        change = {"fingerprint": asked(f"api/pages/{identity}")[2]["fingerprint"]} | change
    assert asked(f"api/pages/{identity}/labels", change)[0] == status
    assert not (tmp_path / "session" / "labels").exists()


def test_labels_refuse_what_is_not_json(ask, session, identities):
    app = inspector_app(session, "secret")
    path = f"/secret/api/pages/{identities['bar/0']}/labels"
    assert ask(app, path, method="POST")[0] == 415
