"""Make a corpus of pages with labelled blocks, whose content is stated by blocks.

    python tests/generators/layout_corpus.py fixtures/layouts... -o OUT [--split train]

A folder has pages whose elements name blocks (``data-block``), and ``content.json``: for each page its ``kind``, the
blocks that are its ``main`` content, selectors of parts of these ``without`` which it is the content, and selectors of
``title``, ``author`` and ``date``. OUT becomes a corpus of whole sites (docs/corpora.md), each page a site: pages
without the names of blocks, ``gold.jsonl`` with ``gold_text`` and a label for each text. A page that scripts build is
written as it is rendered.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import blocksight as bs
import turbohtml
from blocksight.page.to_html import to_html

#: Elements without text that a person could see.
_NO_TEXT = frozenset(("head", "script", "style", "template", "noscript", "option", "title", "textarea"))
_SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL)
_TAG = re.compile(r"<[a-zA-Z][^<>]*>")
_BLOCK = re.compile(r"""\s+data-block\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)""")


def built(html: str) -> str:
    """Return a page as its scripts build it, without them; a page without scripts as it is."""
    if "<script" not in html:
        return html
    with bs.Browser(options=bs.RenderOptions(offline=True)) as browser:
        return _SCRIPT.sub("", to_html(browser.open(html.encode())))


def without_names(html: str) -> str:
    """Return a page without the names of its blocks, and nothing else changed."""
    return _TAG.sub(lambda tag: _BLOCK.sub("", tag[0]), html)


def labelled_texts(html: str, content: dict[str, Any]) -> list[tuple[str, bool]]:
    """Return the texts of a page in its order, and whether each is content.

    Raises ValueError for a block or a selector that the page does not have: the labels are wrong then.
    """
    page = turbohtml.parse(html)
    names = {element.attrs["data-block"] for element in page.select("[data-block]")}
    if unknown := sorted(set(content["main"]) - names):
        raise ValueError(f"no block is called {', '.join(unknown)}")
    for selector in content.get("without", ()):
        if not page.select(selector):
            raise ValueError(f"nothing matches {selector}")
    left_out = ", ".join(content.get("without", ()))
    main, texts = set(content["main"]), []
    for node in page.descendants:
        if not isinstance(node, turbohtml.Text) or not str(node.text).strip():
            continue
        above = [parent for parent in node.ancestors if isinstance(parent, turbohtml.Element)]
        if _NO_TEXT & {parent.tag for parent in above}:
            continue
        block = next((name for parent in above if (name := parent.attrs.get("data-block"))), None)
        outside = bool(left_out) and any(parent.matches(left_out) for parent in above)
        texts.append((str(node.text), block in main and not outside))
    return texts


def entry(name: str, html: str, content: dict[str, Any], split: str) -> dict[str, Any]:
    """Return the gold of a page with the keys of ``gold.jsonl``."""
    texts = labelled_texts(html, content)
    address = f"sites/{name}/index.html"
    gold = {
        "id": name,
        "path": address,
        "url_path": f"/{address}",
        "split": split,
        "kind": content["kind"],
        "gold_text": "\n".join(" ".join(text.split()) for text, is_content in texts if is_content),
        "labels": [{"text": text, "label": "content" if own else "boilerplate"} for text, own in texts],
    }
    page = turbohtml.parse(html)
    for field in ("title", "author", "date"):
        if selector := content.get(field):
            found = page.select(selector)
            if not found:
                raise ValueError(f"nothing matches {selector}, the {field}")
            gold[field] = " ".join(found[0].text.split())
    return gold


def write_corpus(folders: list[Path], out: Path, split: str) -> int:
    """Write the pages of some folders as a corpus, and return their number."""
    lines = []
    for folder in folders:
        contents = json.loads((folder / "content.json").read_text(encoding="utf-8"))
        for stem, content in contents.items():
            html = built((folder / f"{stem}.html").read_text(encoding="utf-8"))
            name = f"{folder.name}-{stem}"
            try:
                lines.append(json.dumps(entry(name, html, content, split), ensure_ascii=False))
            except ValueError as error:
                raise SystemExit(f"{folder}/{stem}: {error}") from error
            page = out / "sites" / name / "index.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(without_names(html), encoding="utf-8")
    (out / "gold.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--split", default="dev")
    given = parser.parse_args()
    print(f"{write_corpus(given.folders, given.out, given.split)} pages in {given.out}")


if __name__ == "__main__":
    main()
