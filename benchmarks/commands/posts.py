"""Accuracy of posts and records."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

import blocksight as bs
import click
import orjson
from blocksight.document.records.record import Record
from blocksight.document.records.record_sets import page_records
from blocksight.gold.corpora import read_corpus
from blocksight.gold.rendered import read_page
from common import FILE, corpora_argument, rendered_option, share, split_option
from rapidfuzz.distance import Indel

#: The least similarity of the texts of a post and its gold.
SIMILAR = 0.9


def plain(text: str) -> str:
    """Return a text without white space, casefolded."""
    return re.sub(r"\s+", "", text).casefold()


def hashed(text: str) -> str:
    """Return a hash of the letters and digits of a text."""
    letters = re.sub(r"[\W_]+", "", text).casefold()
    return hashlib.blake2b(letters.encode(), digest_size=6).hexdigest()


def main_records(page: bs.Page, record_type: str = "") -> list[Record]:
    """Return the records of the main set with those nested in them; none if the set is of another type."""
    main = page_records(page).main
    if main is None or (record_type and main.record_type != record_type):
        return []
    return [record for _, record in main.every()]


def count_posts(records: list[Record], posts: list[dict[str, str]], counts: Counter[str]) -> list[str]:
    """Match each post of the gold to one record; return the errors."""
    remaining = [record for record in records if record.text]
    counts["found"] += len(remaining)
    counts["gold"] += len(posts)
    wrong = []
    for post in posts:
        reference = plain(post["text"])
        scores = [
            (Indel.normalized_similarity(plain(record.text), reference), -position)
            for position, record in enumerate(remaining)
        ]
        best = max(scores, default=(0.0, 0))
        if best[0] < SIMILAR:
            wrong.append(f"{best[0]:.2f} {post['text'][:60]!r}")
            continue
        record = remaining.pop(-best[1])
        counts["right"] += 1
        for name in ("author", "date"):
            if post.get(name):
                value = record.fields.get(name, "")
                right = plain(value) == plain(post[name])
                counts[f"{name} known"] += 1
                counts[f"{name} right"] += right
                wrong += [] if right else [f"{name}: {value!r}, gold {post[name]!r}"]
    return wrong


def count_records(
    records: list[Record], gold: list[dict[str, Any]], number: int, counts: Counter[str], *, hashes: bool
) -> list[str]:
    """Compare the number of records, and fields by position or by the stated number; return the errors."""
    counts["pages"] += 1
    counts["pages right"] += len(records) == number
    wrong = [] if len(records) == number else [f"{len(records)} records, {number} in the gold"]
    for position, entry in enumerate(gold, 1):
        position = int(entry.get("number", position)) if hashes else position  # noqa: PLW2901
        if position > len(records) and not hashes:
            break
        fields = records[position - 1].fields if position <= len(records) else {}
        for name in entry.keys() - ({"number"} if hashes else set()):
            value, reference = fields.get(name, ""), entry[name]
            if hashes:
                right = hashed(value) == reference
            else:
                right = value.endswith(reference) if name == "link" else plain(value) == plain(reference)
            counts["fields"] += 1
            counts["fields right"] += right
            wrong += [] if right else [f"{name} of {position}: {value!r}, gold {reference!r}"]
    return wrong


def count_corpus(
    folder: Path, split: str, rendered: Path | None, facts: dict[str, dict[str, Any]], *, print_wrong: bool
) -> Counter[str]:
    """Count on the pages of a corpus."""
    entries = {entry["id"]: entry for entry in map(orjson.loads, (folder / "gold.jsonl").read_bytes().splitlines())}
    counts: Counter[str] = Counter()
    for gold in read_corpus(folder):
        entry = facts.get(gold.name, {}) if facts else entries[gold.id]
        if gold.error or split not in ("all", gold.split) or not (entry.get("posts") or entry.get("records")):
            continue
        records = main_records(read_page(gold, rendered), "post" if entry.get("posts") else "")
        if entry.get("posts") and not facts:
            wrong = count_posts(records, entry["posts"], counts)
        else:
            number = entry["count"] if facts else len(entry["records"])
            wrong = count_records(records, entry["records"], number, counts, hashes=bool(facts))
        for line in wrong[:5] if print_wrong else ():
            print(f"{gold.name}: {line}")
    return counts


@click.command()
@corpora_argument
@split_option
@rendered_option
@click.option("--facts", "facts_file", type=FILE, help="Measure only the pages of this file, by its facts.")
@click.option("--wrong", "print_wrong", is_flag=True, help="Print what is wrong, up to five lines a page.")
def posts(
    corpora: tuple[Path, ...], split: str, rendered: Path | None, facts_file: Path | None, print_wrong: bool
) -> None:
    """Measure posts and records: by their text, and by their fields.

    CORPUS is a folder with gold.jsonl whose entries have posts (text, author, date) or records (any fields). A post is
    right if its text is similar to that of one post of the gold (normalised indel similarity of .9 without white
    space). Printed are precision, recall and F1 of posts, the share of right posts with the author and the date of the
    gold, the share of pages with the right number of records, and of right fields. benchmarks/records.jsonl holds facts
    about 68 pages of a public corpus, by rules written for each forum and shop software: the number of records, and
    fields of three of them, as hashes of their letters and digits; no text of the pages.
    """
    lines = [orjson.loads(line) for line in facts_file.read_bytes().splitlines()] if facts_file else []
    facts = {f"{line['corpus']}/{line['id']}": line for line in lines}
    for folder in corpora:
        counts = count_corpus(folder, split, rendered, facts, print_wrong=print_wrong)
        precision, recall = share(counts["right"], counts["found"]), share(counts["right"], counts["gold"])
        f1 = share(2 * precision * recall, precision + recall)
        cells = [f"posts {counts['gold']}: P {precision:.3f} R {recall:.3f} F1 {f1:.3f}"] if counts["gold"] else []
        for name in ("author", "date"):
            if known := counts[f"{name} known"]:
                cells.append(f"{name} {share(counts[f'{name} right'], known):.3f}")
        if counts["pages"]:
            right = share(counts["pages right"], counts["pages"])
            cells.append(f"pages with the right number of records {right:.3f} of {counts['pages']}")
            cells.append(f"fields {share(counts['fields right'], counts['fields']):.3f} of {counts['fields']}")
        print(f"{folder.name}: {'; '.join(cells)}", flush=True)
