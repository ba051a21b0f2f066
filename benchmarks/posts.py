"""How many posts and records come out right: by their text, and by their fields.

    python benchmarks/posts.py CORPUS... [--split dev] [--rendered FOLDER] [--facts FILE] [--wrong]

CORPUS is a folder with ``gold.jsonl`` whose entries have ``posts`` (text, author, date) or ``records`` (any
fields). A post is right when its text is at least .9 alike to that of the
gold's post (normalised indel similarity of the texts without white space); each counts once. Printed are precision,
recall and F1 over all posts, the share of right posts whose author and date are those of the gold, the share of pages
whose number of records is right, and of the fields of records that are.

With ``--facts`` only the pages that the file names are measured, by what it says of them: ``benchmarks/records.jsonl``
holds facts of 68 pages of a public corpus, taken by rules made by hand for each program of a forum or shop: the number
of records, and fields of three of them, as hashes of the letters and digits in them; none of the pages' text.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

import blocksight as bs
import orjson
from blocksight.document.records.record import Record
from blocksight.document.records.record_sets import page_records
from blocksight.gold.corpora import read_corpus
from blocksight.gold.rendered import read_page
from rapidfuzz.distance import Indel

ALIKE = 0.9


def plain(text: str) -> str:
    """Return a text without white space, in small letters."""
    return re.sub(r"\s+", "", text).casefold()


def main_records(page: bs.Page, record_type: str = "") -> list[Record]:
    """Return the records of the main set, those inside of others among them; none where it is of another type."""
    main = page_records(page).main
    return (
        []
        if main is None or (record_type and main.record_type != record_type)
        else [record for _, record in main.every()]
    )


def count_posts(found: list[Record], posts: list[dict[str, str]], counts: Counter[str]) -> list[str]:
    """Match posts to those of the gold, each to one; return the beginnings of those that were missed."""
    rest = [record for record in found if record.text]
    counts["found"] += len(rest)
    counts["gold"] += len(posts)
    missed = []
    for post in posts:
        wanted = plain(post["text"])
        scored = [
            (Indel.normalized_similarity(plain(record.text), wanted), -place) for place, record in enumerate(rest)
        ]
        best = max(scored, default=(0.0, 0))
        if best[0] < ALIKE:
            missed.append(f"{best[0]:.2f} {post['text'][:60]!r}")
            continue
        record = rest.pop(-best[1])
        counts["right"] += 1
        for name in ("author", "date"):
            if post.get(name):
                counts[f"{name} known"] += 1
                right = plain(record.fields.get(name, "")) == plain(post[name])
                counts[f"{name} right"] += right
                if not right:
                    missed.append(f"{name}: {record.fields.get(name, '')!r}, gold {post[name]!r}")
    return missed


def hashed(text: str) -> str:
    """Return a hash of the letters and digits of a text."""
    kept = re.sub(r"[\W_]+", "", text).casefold()
    return hashlib.blake2b(kept.encode(), digest_size=6).hexdigest()


def count_facts(found: list[Record], fact: dict[str, Any], counts: Counter[str]) -> list[str]:
    """Compare the number of records, and the fields of some."""
    counts["pages"] += 1
    counts["pages right"] += len(found) == fact["count"]
    wrong = [] if len(found) == fact["count"] else [f"{len(found)} records, {fact['count']} in the gold"]
    for stated in fact["records"]:
        fields = found[stated["number"] - 1].fields if stated["number"] <= len(found) else {}
        for name in stated.keys() - {"number"}:
            right = hashed(fields.get(name, "")) == stated[name]
            counts["fields"] += 1
            counts["fields right"] += right
            if not right:
                wrong.append(f"{name} of {stated['number']}: {fields.get(name, '')!r}")
    return wrong


def count_records(found: list[Record], gold: list[dict[str, Any]], counts: Counter[str]) -> list[str]:
    """Compare records in their order; return what is wrong."""
    counts["pages"] += 1
    counts["pages right"] += len(found) == len(gold)
    wrong = [] if len(found) == len(gold) else [f"{len(found)} records, {len(gold)} in the gold"]
    for record, wanted in zip(found, gold, strict=False):
        for name, value in wanted.items():
            said = record.fields.get(name, "")
            right = said.endswith(value) if name == "link" else plain(said) == plain(value)
            counts["fields"] += 1
            counts["fields right"] += right
            if not right:
                wrong.append(f"{name}: {said!r}, gold {value!r}")
    return wrong


def measure(
    folder: Path, split: str, rendered: Path | None, facts: dict[str, dict[str, Any]], *, wrong: bool
) -> Counter[str]:
    """Count on the pages of a corpus."""
    entries = {entry["id"]: entry for entry in map(orjson.loads, (folder / "gold.jsonl").read_bytes().splitlines())}
    counts: Counter[str] = Counter()
    for gold in read_corpus(folder):
        entry = facts.get(gold.name, {}) if facts else entries[gold.id]
        if gold.error or split not in ("all", gold.split) or not (entry.get("posts") or entry.get("records")):
            continue
        found = main_records(read_page(gold, rendered), "post" if entry.get("posts") else "")
        if facts:
            missed = count_facts(found, entry, counts)
        elif entry.get("posts"):
            missed = count_posts(found, entry["posts"], counts)
        else:
            missed = count_records(found, entry["records"], counts)
        for line in missed[:5] if wrong else ():
            print(f"{gold.name}: {line}")
    return counts


def share(part: float, whole: float) -> float:
    """Return a share, 0 of nothing."""
    return part / whole if whole else 0.0


def main() -> None:
    """Print one line a corpus."""
    parser = argparse.ArgumentParser(description="Posts and records that are right.")
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--rendered", type=Path, help="folder with rendered pages, CORPUS/ID.page")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--facts", type=Path)
    given = parser.parse_args()
    lines = [orjson.loads(line) for line in given.facts.read_bytes().splitlines()] if given.facts else []
    facts = {f"{line['corpus']}/{line['id']}": line for line in lines}
    for folder in given.corpora:
        counts = measure(folder, given.split, given.rendered, facts, wrong=given.wrong)
        precision, recall = share(counts["right"], counts["found"]), share(counts["right"], counts["gold"])
        f1 = share(2 * precision * recall, precision + recall)
        said = [f"posts {counts['gold']}: P {precision:.3f} R {recall:.3f} F1 {f1:.3f}"] if counts["gold"] else []
        said += [
            f"{name} {share(counts[f'{name} right'], counts[f'{name} known']):.3f}"
            for name in ("author", "date")
            if counts[f"{name} known"]
        ]
        if counts["pages"]:
            right = share(counts["pages right"], counts["pages"])
            said += [f"pages with the right number of records {right:.3f} of {counts['pages']}"]
            said += [f"fields {share(counts['fields right'], counts['fields']):.3f} of {counts['fields']}"]
        print(f"{folder.name}: {'; '.join(said)}", flush=True)


if __name__ == "__main__":
    main()
