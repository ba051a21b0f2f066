"""The files of the lexicon: each word and pattern has a language."""

import re
import tomllib
from pathlib import Path

import blocksight.lexicon
import pytest
from blocksight.lexicon.word_lists import entries

FILES = sorted(Path(blocksight.lexicon.__file__).parent.glob("*.toml"))
#: ISO 639-1.
LANGUAGES = set(
    "any ar bg cs da de el en es fi fr he hr hu id is it ja ko nl no pl pt ru sk sl sv th tr uk vi zh".split()
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_entries_of_each_file(path):
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    for name, of_language in tables.items():
        assert {language for key in of_language for language in key.split()} <= LANGUAGES, name
        found = entries(path.stem)[name]
        assert len(found) == len(set(found)), name
        assert all(map(re.compile, found)), name
        assert "" not in found, name
