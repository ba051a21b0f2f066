"""How a page sees its reader: user agents, client hints, languages and windows."""

import pytest
from blocksight.render.chromium.identity import (
    PRODUCT,
    brands,
    identity_commands,
    languages,
    user_agent,
    window_bounds,
    window_command,
)
from blocksight.render.render_options import RenderOptions
from blocksight.version import VERSION

FULL = "156.0.8078.79"


def hints(**given):
    commands = dict(identity_commands(RenderOptions(**given), FULL))
    return commands["Emulation.setUserAgentOverride"]


def test_user_agent_default():
    agent = user_agent(RenderOptions(), FULL)
    assert agent.endswith("AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36")
    assert "Headless" not in agent
    assert PRODUCT not in agent


def test_user_agent_identified():
    named = user_agent(RenderOptions(identify=True), FULL)
    assert f"(KHTML, like Gecko; compatible; {PRODUCT}/{VERSION}) Chrome/156.0.0.0 Safari/537.36" in named
    reachable = user_agent(RenderOptions(identify=True, contact="https://example.org/robot"), FULL)
    assert f"{PRODUCT}/{VERSION}; +https://example.org/robot) Chrome/" in reachable


def test_the_brands_are_those_of_browsers():
    assert brands("156.0.1.2") == [("Not:A-Brand", "8"), ("Chromium", "156")]
    assert brands("155.0.1.2") == brands("155.9")
    assert brands("155.0.1.2")[0] == ("Chromium", "155")


def test_client_hints_agree_with_the_user_agent():
    data = hints()["userAgentMetadata"]
    assert data["fullVersion"] == FULL
    assert {"brand": "Chromium", "version": FULL} in data["fullVersionList"]
    assert [one["brand"] for one in data["brands"]] == [one["brand"] for one in data["fullVersionList"]]
    assert PRODUCT not in str(data)
    assert {"brand": PRODUCT, "version": VERSION} in hints(identify=True)["userAgentMetadata"]["fullVersionList"]


def test_a_given_user_agent_is_sent_without_hints_of_ours():
    assert hints(user_agent="reader/1")["userAgent"] == "reader/1"
    assert "userAgentMetadata" not in hints(user_agent="reader/1")


@pytest.mark.parametrize(("locale", "sent"), [("en-US", "en-US,en"), ("de", "de"), ("zh-Hant-TW", "zh-Hant-TW,zh")])
def test_languages(locale, sent):
    assert languages(locale) == sent


def test_a_window_is_larger_than_its_viewport_and_lies_on_the_screen():
    options = RenderOptions(viewport=(1280, 800), device_scale=2.0)
    bounds = window_bounds(options)
    width, height = bounds["width"], bounds["height"]
    assert (width, height) == (1280, 887)
    _, metrics = window_command(options, 800)
    assert (metrics["width"], metrics["height"], metrics["deviceScaleFactor"]) == (1280, 800, 2.0)
    assert (metrics["screenWidth"], metrics["screenHeight"]) == (1920, 1080)
    _, tall = window_command(RenderOptions(viewport=(2500, 800)), 5000)
    assert (tall["screenWidth"], tall["screenHeight"]) == (2500, 5087)


def test_only_a_window_of_which_pictures_are_taken_is_painted_in_full():
    scales = [window_command(RenderOptions(), 800, is_painted=painted)[1]["scale"] for painted in (False, True)]
    assert scales[0] < 0.1
    assert scales[1] == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"identify": True, "user_agent": "reader/1"}, "give that or user_agent"),
        ({"contact": "https://example.org/"}, "needs identify"),
        ({"identify": True, "contact": "example.org"}, "http, https or mailto"),
        ({"identify": True, "contact": "https://example.org/\r\nX: y"}, "http, https or mailto"),
        ({"identify": True, "contact": "https://example.org/) Chrome/1"}, "http, https or mailto"),
    ],
)
def test_options_that_contradict_each_other(given, said):
    with pytest.raises(ValueError, match=said):
        RenderOptions(**given)
