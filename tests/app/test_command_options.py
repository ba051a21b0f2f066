"""The options that several commands share: the same defaults as the functions that they set."""

from dataclasses import fields

import click
import pytest
from blocksight.app.command_options import render_options
from blocksight.gold.rendered import OFFLINE
from blocksight.render.render_options import RenderOptions

#: Chosen by what a command writes, for measuring only, or a function.
NOT_GIVEN = {"screenshot", "mhtml", "settle_cap", "fetch_only", "follow", "conditions"}


def test_options_without_a_word_are_the_defaults_of_rendering(commands):
    given = commands["extract"].make_context("extract", ["page.html"]).params
    assert render_options(given) == RenderOptions()
    assert {field.name for field in fields(RenderOptions)} - set(given) == NOT_GIVEN | {"javascript", "alternate"}


def test_every_option_of_rendering_arrives(commands, tmp_path):
    state = tmp_path / "state.json"
    state.write_text("{}")
    words = (
        f"page.html --timeout 7 --settle 1 --scroll 2 --viewport 800x600 --device-scale 2 --no-javascript --offline "
        f"--allow-private --wait-for p --user-agent me --header A:b --user me:secret --storage-state {state} "
        f"--locale de --timezone Europe/Berlin --proxy http://a:3128 --deterministic --any-status "
        f"--max-bytes 5 --max-nodes 6 --max-requests 7 --proxy-resolves "
        "--any-certificate --block ping,image --look never --reveal --no-alternate"
    ).split()
    found = render_options(commands["extract"].make_context("extract", words).params)
    same = {field.name for field in fields(RenderOptions) if getattr(found, field.name) == field.default}
    # A robot's name and another user agent exclude each other.
    assert same == NOT_GIVEN | {"identify", "contact"}
    assert (found.viewport, found.headers, found.credentials) == ((800, 600), (("A", "b"),), ("me", "secret"))
    assert found.block == ("image", "ping")
    words = ["page.html", "--identify", "--contact", "https://example.org/robot"]
    found = render_options(commands["extract"].make_context("extract", words).params)
    assert (found.identify, found.contact) == (True, "https://example.org/robot")


def test_data_sets_are_rendered_as_gold_is(commands, tmp_path):
    given = commands["dataset"].make_context("dataset", [str(tmp_path), "-o", str(tmp_path)]).params
    assert (given["timeout"], given["viewport"]) == (OFFLINE.timeout, OFFLINE.viewport)


@pytest.mark.parametrize("words", [["--viewport", "wide"], ["--header", "nothing"], ["--user", ":x"], ["--proxy", "x"]])
def test_wrong_values_say_how_they_should_look(commands, words):
    with pytest.raises(click.BadParameter, match=r"(should|must) look like"):
        commands["extract"].make_context("extract", ["page.html", *words])
