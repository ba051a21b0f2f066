"""Files of numbers, and everything that somebody may take for one."""

import io
import json
import pickle
import struct
import zipfile
from contextlib import suppress
from random import Random

import blocksight as bs
import numpy as np
import pytest
from blocksight.errors import ModelMissing
from blocksight.files.npz import FileKind, read_npz, write_npz

KIND = FileKind(format="test-sums", version=3, title="table of sums", remedy="make one with `sum`")


def zipped(**entries):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return packed.getvalue()


def arrays(**values):
    packed = io.BytesIO()
    np.savez(packed, **values)
    return packed.getvalue()


def head(**values):
    return np.frombuffer(json.dumps(values).encode(), dtype=np.uint8)


def single(values):
    packed = io.BytesIO()
    np.save(packed, values)
    return packed.getvalue()


def test_there_and_back(tmp_path):
    numbers = {"b": np.arange(3.0), "a": np.asarray(2)}
    write_npz(tmp_path / "m.npz", KIND, {"name": "Zürich"}, numbers)
    head_read, found = read_npz(str(tmp_path / "m.npz"), KIND)
    assert head_read == {"format": "test-sums", "version": 3, "name": "Zürich"}
    assert {name: values.tolist() for name, values in found.items()} == {"a": 2, "b": [0.0, 1.0, 2.0]}
    write_npz(tmp_path / "n.npz", KIND, {"name": "Zürich"}, dict(reversed(numbers.items())))
    assert (tmp_path / "m.npz").read_bytes() == (tmp_path / "n.npz").read_bytes()


OTHERS = {
    "text": b"slope = 2",
    "empty": b"",
    "pickle": pickle.dumps({"slope": 2}),
    "one array": single(np.arange(3)),
    "one array of objects": single(np.array([{}], dtype=object)),
    "arrays of others": arrays(weights=np.arange(3)),
    "objects": arrays(head=np.array([{}], dtype=object)),
    "objects next to a head": arrays(head=head(format="test-sums", version=3), a=np.array([{}], dtype=object)),
    "a head that is no JSON": arrays(head=np.zeros(3, dtype=np.uint8)),
    "a head that is a list": arrays(head=np.frombuffer(b"[1]", dtype=np.uint8)),
    "a head of many brackets": arrays(head=np.frombuffer(b"[" * 100_000, dtype=np.uint8)),
    "archive of others": zipped(**{"word/document.xml": b"<w/>"}),
    "archive with a head": zipped(head=b"{}"),
    "empty archive": zipped(),
    "a header that lies": zipped(**{"head.npy": b"\x93NUMPY\x01\x00" + struct.pack("<H", 10) + b"{'descr': "}),
    "another kind": arrays(head=head(format="blocksight-model", version=3)),
    "another version": arrays(head=head(format="test-sums", version=4)),
}


@pytest.mark.parametrize("data", OTHERS.values(), ids=OTHERS)
def test_every_other_file_is_refused_with_advice(data, tmp_path):
    path = tmp_path / "other.npz"
    path.write_bytes(data)
    with pytest.raises(bs.ModelMismatch) as caught:
        read_npz(path, KIND)
    message = str(caught.value)
    assert message.startswith(f"{path}: this ")
    assert "table of sums" in message
    assert "pickle" not in message


def test_what_is_there_is_named(tmp_path):
    path = tmp_path / "other.npz"
    path.write_bytes(OTHERS["another kind"])
    with pytest.raises(bs.ModelMismatch, match=r"no table of sums \(test-sums\) but blocksight-model"):
        read_npz(path, KIND)
    path.write_bytes(OTHERS["another version"])
    with pytest.raises(bs.ModelMismatch, match="another version of blocksight; make one with `sum`"):
        read_npz(path, KIND)


def test_what_is_no_file(tmp_path):
    with pytest.raises(ModelMissing, match="no such file; make one with `sum`"):
        read_npz(tmp_path / "none.npz", KIND)
    with pytest.raises(bs.ModelMismatch, match="this is a folder"):
        read_npz(tmp_path, KIND)
    for nothing in (None, 5.0, {"slope": 2}):
        with pytest.raises(TypeError, match="pass its path, not a value of type"):
            read_npz(nothing, KIND)


def test_damage_anywhere_is_refused_or_changes_nothing(tmp_path):
    write_npz(tmp_path / "m.npz", KIND, {"name": "x" * 50}, {"a": np.arange(40), "b": np.arange(7.0)})
    whole, random, path = (tmp_path / "m.npz").read_bytes(), Random(1), tmp_path / "damaged.npz"
    for _ in range(400):
        data = bytearray(whole)
        if random.random() < 0.3:
            del data[random.randrange(len(data)) :]
        else:
            for _ in range(random.choice([1, 1, 2, 8])):
                data[random.randrange(len(data))] = random.randrange(256)
        path.write_bytes(data)
        with suppress(bs.ModelMismatch):
            head_read, _ = read_npz(path, KIND)
            assert head_read["format"] == "test-sums"
