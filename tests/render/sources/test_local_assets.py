"""Which files in a page's folder it may use, and as what."""

import os

import pytest
from blocksight.render.sources.local_assets import LocalAssets

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c6338c1c001000306010116bfc6a20000000049454e44ae426082"
)


@pytest.fixture
def folder(tmp_path):
    """A folder with all sorts of files in it, next to it and above it."""
    site = tmp_path / "site"
    for place in (".git", "sub/.deep", "sub/deep"):
        (site / place).mkdir(parents=True)
    texts = {
        "style.css": ".a { color: red }", "script.js": "1", "module.mjs": "1", "saved.js.download": "1",
        "copied.css?v=1.2": "x", "UPPER.CSS": "x", "picture.svg": "<svg/>", "notes.txt": "notes", "data.json": "{}",
        "page.html": "<p>", "sub/deep/far.css": "x", ".hidden.css": "x", ".env": "KEY=1", ".git/config.css": "x",
        "sub/.deep/far.css": "x", "../above.css": "x", "../above.js": "x", "a b.css": "x", "50%.css": "x",
        "\u00fc.css": "x", "no_suffix": "text", "css": "x",
    }  # fmt: skip
    for name, text in texts.items():
        (site / name).write_text(text)
    for name in ("picture.png", "saved_resource", ".hidden.png", "looks.like.css"):
        (site / name).write_bytes(PNG)
    (site / "font.bin").write_bytes(b"wOF2....")
    return site


GOOD = {
    ("/style.css", "Stylesheet"): "text/css",
    ("/UPPER.CSS", "Stylesheet"): "text/css",
    ("/copied.css%3Fv=1.2", "Stylesheet"): "text/css",
    ("/sub/deep/far.css", "Stylesheet"): "text/css",
    ("//sub//deep/far.css", "Stylesheet"): "text/css",
    ("/a%20b.css", "Stylesheet"): "text/css",
    ("/50%25.css", "Stylesheet"): "text/css",
    ("/%C3%BC.css", "Stylesheet"): "text/css",
    ("/script.js", "Script"): "text/javascript",
    ("/module.mjs", "Script"): "text/javascript",
    ("/saved.js.download", "Script"): "text/javascript",
    ("/picture.png", "Image"): "image/png",
    ("/saved_resource", "Image"): "image/png",
    ("/picture.svg", "Image"): "image/svg+xml",
    ("/font.bin", "Font"): "font/woff2",
}
KINDS = (
    "Document Stylesheet Image Media Font Script TextTrack XHR Fetch Prefetch EventSource Manifest Ping Other".split()
)
#: Not to be had as anything.
BAD = """
    /notes.txt /data.json /page.html /.env /.hidden.css /.hidden.png /.git/config.css /sub/.deep/far.css /no_suffix /css
    / /sub /missing.css /../above.css /%2e%2e/above.css /..%2fabove.css /..%2Fabove.js /sub/..%2f..%2fabove.css
    /..%5cabove.css /%252e%252e/above.css /sub/../../above.css //..//above.css /sub/..%2fstyle.css /./style.css
    /style.css%00.png /%00 /style.css%20
""".split()


@pytest.mark.parametrize(("path", "kind"), GOOD)
def test_what_is_had_and_as_what(folder, path, kind):
    assert LocalAssets(folder, max_bytes=1_000).find(path, kind)[1] == GOOD[path, kind]


@pytest.mark.parametrize(("path", "kind"), GOOD)
def test_nothing_is_had_as_something_else(folder, path, kind):
    for other in KINDS:
        if other != kind:
            assert LocalAssets(folder, max_bytes=1_000).find(path, other) is None


@pytest.mark.parametrize("path", BAD)
def test_what_is_not_had(folder, path):
    for kind in KINDS:
        assert LocalAssets(folder, max_bytes=1_000).find(path, kind) is None


def test_content_decides_for_pictures_and_endings_for_text(folder):
    assets = LocalAssets(folder, max_bytes=1_000)
    assert assets.find("/looks.like.css", "Image") == (PNG, "image/png")
    assert assets.find("/looks.like.css", "Stylesheet") == (PNG, "text/css")
    assert assets.find("/style.css", "Image") is None
    assert assets.find("/script.js", "Stylesheet") is None


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
def test_links_and_pipes(folder):
    (folder / "out.css").symlink_to(folder.parent / "above.css")
    (folder / "outer").symlink_to(folder.parent)
    (folder / "in.css").symlink_to(folder / "style.css")
    (folder / "in-to-hidden.css").symlink_to(folder / ".hidden.css")
    (folder / "loop.css").symlink_to(folder / "loop.css")
    (folder / "nowhere.css").symlink_to(folder / "missing.css")
    os.mkfifo(folder / "pipe.css")
    assets = LocalAssets(folder, max_bytes=1_000)
    for path in ("out.css", "outer/above.css", "in-to-hidden.css", "loop.css", "nowhere.css", "pipe.css"):
        assert assets.find(f"/{path}", "Stylesheet") is None
    assert assets.find("/in.css", "Stylesheet")
    # The folder itself may be had by a link.
    (folder.parent / "link").symlink_to(folder)
    assert LocalAssets(folder.parent / "link", max_bytes=1_000).find("/style.css", "Stylesheet")


def test_size_is_limited_for_each_file_and_for_all(folder):
    (folder / "large.css").write_text("x" * 11)
    assert LocalAssets(folder, max_bytes=10).find("/large.css", "Stylesheet") is None
    assets = LocalAssets(folder, max_bytes=11)
    assert [assets.find("/large.css", "Stylesheet") is not None for _ in range(21)] == [True] * 20 + [False]
