"""Snapshots are read as any JSON, but for the styles: each distinct one once."""

import gc
import json

import orjson
import pytest
from blocksight.render.devtools.messages import read, shared_styles


def message(*styles, strings=("a",)):
    """A snapshot of documents of which only the styles are known."""
    documents = [{"layout": {"nodeIndex": list(range(len(rows))), "styles": rows, "text": []}} for rows in styles]
    return {"id": 7, "result": {"documents": documents, "strings": list(strings)}}


def decoded(reply):
    """The styles of each node, document by document."""
    shared = shared_styles(reply)
    return [shared.rows[index].tolist() for index in shared.index]


@pytest.mark.parametrize("read_as", [lambda whole: read(orjson.dumps(whole))["result"], lambda whole: whole["result"]])
def test_each_distinct_style_is_read_once(read_as):
    reply = read_as(message([[1, 2], [3, 4], [1, 2]], [[3, 4]]))
    assert decoded(reply) == [[[1, 2], [3, 4], [1, 2]], [[3, 4]]]
    assert len(shared_styles(reply).rows) == 2


@pytest.mark.parametrize("read_as", [lambda whole: read(orjson.dumps(whole))["result"], lambda whole: whole["result"]])
@pytest.mark.parametrize("first", [[[], [1, 2]], [[1, 2], []], [[1, 2], [], [], [1, 2]]])
def test_boxes_without_style_have_none(read_as, first):
    reply = read_as(message(first, []))
    assert decoded(reply) == [[row or [-1, -1] for row in first], []]


def test_nothing_is_laid_out():
    assert decoded(read(orjson.dumps(message([], [])))["result"]) == [[], []]


def test_the_rest_of_a_snapshot_is_as_it_was():
    strings = ['"styles":[[', "]]", "\\", '{"id":1,"result":{"documents":[']
    whole = message([[1, 2]], strings=strings)
    found = read(orjson.dumps(whole))
    assert found["result"]["strings"] == strings
    assert found["id"] == 7
    assert found["result"]["documents"][0]["layout"]["nodeIndex"] == [0]


def test_what_a_page_says_is_no_snapshot():
    whole = {"id": 7, "result": {"result": {"value": {"documents": [{"styles": [["]]"]]}]}}}}
    assert read(orjson.dumps(whole)) == whole


def test_lone_surrogates_are_read():
    written = json.dumps(message([[1, 2]], strings=["\ud800"]), separators=(",", ":")).encode()
    assert read(written)["result"]["strings"] == ["\ud800"]


@pytest.mark.parametrize("is_enabled", [True, False])
def test_the_garbage_collector_is_as_it_was_after_a_snapshot(is_enabled):
    before = gc.isenabled()
    try:
        (gc.enable if is_enabled else gc.disable)()
        read(orjson.dumps(message([[1, 2]])))
        assert gc.isenabled() == is_enabled
        with pytest.raises(json.JSONDecodeError):
            read(orjson.dumps(message([[1, 2]])) + b"}")
        assert gc.isenabled() == is_enabled
    finally:
        (gc.enable if before else gc.disable)()
