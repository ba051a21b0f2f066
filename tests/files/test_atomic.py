"""Files are whole or not there; only regular files are replaced."""

import os
import shutil
import stat
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from blocksight.classify.model.model import shipped_model
from blocksight.errors import FolderUnsafe, SettingsMismatch
from blocksight.files.atomic import (
    append_line,
    atomic_path,
    complete_lines,
    create_folder,
    open_run_folder,
    refuse_links,
    write_atomic,
    write_bytes,
)
from blocksight.page.parse import parse
from blocksight.page.store import load, save
from conftest import equal_pages


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
        write_atomic(path, fail)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.txt"]
    write_bytes(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("exists", [True, False])
def test_write_bytes_link_is_written_through(tmp_path, exists):
    if exists:
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
    open_run_folder(folder, {"groups": ("a", "b"), "limit": 1})
    open_run_folder(folder, {"limit": 1, "groups": ["a", "b"]})
    with pytest.raises(SettingsMismatch, match=r"\(limit was 1, more was null\); give the same to go on"):
        open_run_folder(folder, {"groups": ("a", "b"), "limit": 2, "more": 1})
    # A folder of an earlier version, which had no such setting.
    open_run_folder(folder, {"groups": ["a", "b"], "limit": 1, "look": "doubt"}, {"look": "doubt", "limit": 2})
    with pytest.raises(SettingsMismatch, match=r"\(look was \"doubt\"\)"):
        open_run_folder(folder, {"groups": ["a", "b"], "limit": 1, "look": "never"}, {"look": "doubt"})
    for damaged in ("{", "5", "[1]", "[" * 200_000):
        (folder / "settings.json").write_text(damaged)
        with pytest.raises(SettingsMismatch, match="cannot be read"):
            open_run_folder(folder, {})


def test_a_pipe_stays_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    end = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_bytes(tmp_path / "pipe", b"new")
        assert os.read(end, 10) == b"new"
    finally:
        os.close(end)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_folder_is_not_replaced(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_bytes(tmp_path / "folder", b"new")
    assert os.listdir(tmp_path) == ["folder"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_closed_folder_keeps_its_file(tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"old")
    folder.chmod(0o500)
    try:
        with pytest.raises(PermissionError):
            write_bytes(folder / "a.txt", b"new")
        assert (folder / "a.txt").read_bytes() == b"old"
    finally:
        folder.chmod(0o700)


def test_what_was_private_is_never_open(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with atomic_path(path) as unfinished:
        assert stat.S_IMODE(unfinished.stat().st_mode) == 0o600


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 256 kB; only root may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "blocksight-test", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_pages_and_models_keep_the_old_file_on_a_full_disk(small_disk):
    noise = "".join(map(chr, np.random.default_rng(0).integers(33, 0xD000, 300_000)))
    small, large = parse("<p>small"), parse(f"<p>{noise}")
    save(small, small_disk / "a.page")
    with pytest.raises(OSError, match="No space left"):
        save(large, small_disk / "a.page")
    assert equal_pages(load(small_disk / "a.page"), small)
    model = shipped_model(visual=False)
    model.save(small_disk / "a.npz")
    before = (small_disk / "a.npz").read_bytes()
    with pytest.raises(OSError, match="No space left"):
        replace(model, about={"noise": noise}).save(small_disk / "a.npz")
    assert (small_disk / "a.npz").read_bytes() == before
    assert sorted(os.listdir(small_disk)) == ["a.npz", "a.page"]


def test_a_file_grows_line_by_line_and_what_was_torn_is_cut_off(tmp_path):
    path = tmp_path / "log.jsonl"
    append_line(path, b"one")
    with path.open("ab") as file:
        file.write(b"tw")
    assert complete_lines(path) == [b"one"]
    append_line(path, b"three")
    assert path.read_bytes() == b"one\nthree\n"
    path.write_bytes(b"torn")
    append_line(path, b"whole")
    assert path.read_bytes() == b"whole\n"


@pytest.mark.parametrize("name", ["settings.json", "rows", "rows/part-0.parquet"])
def test_an_output_folder_with_a_link_is_refused(tmp_path, name):
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    (folder / name).parent.mkdir(parents=True)
    (folder / name).symlink_to(elsewhere)
    with pytest.raises(FolderUnsafe, match="is a link"):
        open_run_folder(folder, {})
    assert not elsewhere.exists()


def test_an_output_folder_may_be_a_link_of_this_user(tmp_path):
    (tmp_path / "large").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "large")
    open_run_folder(tmp_path / "out", {})
    assert (tmp_path / "large" / "settings.json").is_file()


@pytest.fixture
def foreign(monkeypatch):
    """Make a link that belongs to another user: this one is somebody else, or, for root, it is given away."""
    if os.name != "posix":
        pytest.skip("files of Windows have no such owner")

    def make(link, target):
        link.symlink_to(target)
        if os.geteuid() == 0:
            os.lchown(link, 65534, 65534)
        else:
            user = os.geteuid() + 1
            monkeypatch.setattr(os, "geteuid", lambda: user)

    return make


def test_a_file_that_is_a_link_of_another_user_is_refused(tmp_path, foreign):
    (tmp_path / "target").write_bytes(b"old")
    foreign(tmp_path / "out.md", tmp_path / "target")
    with pytest.raises(FolderUnsafe, match="a link of another user"):
        write_bytes(tmp_path / "out.md", b"new")
    assert (tmp_path / "target").read_bytes() == b"old"


def test_a_folder_that_is_a_link_of_another_user_is_refused(tmp_path, foreign):
    (tmp_path / "target").mkdir()
    foreign(tmp_path / "out", tmp_path / "target")
    with pytest.raises(FolderUnsafe, match="a link of another user"):
        create_folder(tmp_path / "out")
    assert list((tmp_path / "target").iterdir()) == []


def test_output_folders_are_created(tmp_path):
    refuse_links(tmp_path / "a")
    for _ in range(2):
        create_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
