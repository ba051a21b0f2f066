"""Pictures of signs come out as the signs."""

import pytest


@pytest.mark.parametrize(
    ("picture", "text"),
    [
        ("<img class=emoji alt='⛵' src=/e/26f5.png>", "A boat ⛵ left."),
        ("<img alt='👍🏽' src=/e.png width=20 height=20>", "A boat 👍🏽 left."),
        ("<img class=wp-smiley alt=':-)' src=/s.gif>", "A boat :-) left."),
        ("<img class=emoji style='display:none' alt='⛵' src=/e.png>", "A boat left."),
        ("<img alt='A boat' src=/e.png>", "A boat left."),
        ("for 5 <img alt=€ src=/e.png width=9>", "A boat for 5 € left."),
    ],
)
def test_signs(written, picture, text):
    assert written(f"<p>A boat {picture} left.</p>").text == text


def test_a_large_picture_is_a_picture(written):
    found = written("<p>A boat <img alt='⛵' src=/boat.jpg width=640 height=400> left.</p>")
    assert [picture.left_out for picture in found.images] == [""]
