"""Pages with clutter of known roles: where the clutter is put."""

from tests.generators.clutter import Design, cluttered

TEXT = "The kettle sings before the water is hot enough for tea, and nobody in the house has noticed it yet."


def test_the_clutter_of_a_short_page_is_next_to_its_only_paragraph():
    page = f"<body><nav>Home</nav><main><article><p>{TEXT}</p></article></main></body>"
    for seed in range(20):
        made = cluttered(page, TEXT, Design("en", str(seed)))
        assert made is not None
        assert f"<p>{TEXT}</p>" in made


def test_a_page_whose_text_is_the_whole_body_has_no_place_for_clutter():
    assert cluttered(f"<body><p>{TEXT}</p></body>", TEXT, Design("en", "1")) is None
