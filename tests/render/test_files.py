"""Files are whole or not there; only regular files are replaced."""

import os
import stat

import pytest
from blocksight.render.errors import OtherSettings
from blocksight.render.files import go_on, write_bytes, write_whole


def test_a_new_file_has_the_usual_rights_and_no_neighbour_stays(tmp_path):
    before = os.umask(0o022)
    try:
        write_bytes(tmp_path / "a.txt", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "a.txt").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o644
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    path.chmod(0o600)

    def fail(unfinished):
        unfinished.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_whole(path, fail)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.txt"]
    write_bytes(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    write_bytes(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_a_device_stays_a_device():
    write_bytes(os.devnull, b"gone")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_link_planted_under_the_old_name_is_not_followed(tmp_path):
    (tmp_path / "victim").write_bytes(b"mine")
    (tmp_path / ".a.txt.unfinished").symlink_to("victim")
    write_bytes(tmp_path / "a.txt", b"new")
    assert (tmp_path / "victim").read_bytes() == b"mine"


def test_a_run_goes_on_with_the_same_settings_only(tmp_path):
    folder = tmp_path / "new" / "run"
    go_on(folder, {"groups": ("a", "b"), "limit": 1})
    go_on(folder, {"limit": 1, "groups": ["a", "b"]})
    with pytest.raises(OtherSettings, match=r"\(limit, more\); take another folder"):
        go_on(folder, {"groups": ("a", "b"), "limit": 2, "more": 1})
    (folder / "settings.json").write_text("{")
    with pytest.raises(OtherSettings, match="cannot be read"):
        go_on(folder, {})
