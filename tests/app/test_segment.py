"""Pictures of segmentations."""

import re

from blocksight.app.commands.segment import segment
from click.testing import CliRunner


def test_an_overlay_with_content_has_reasons(fixtures, tmp_path):
    out = tmp_path / "blocks.html"
    page = fixtures / "golden" / "article.page"
    done = CliRunner().invoke(segment, [str(page), "--content", "--overlay", str(out)])
    assert done.exit_code == 0, done.output
    reasons = re.findall(r'"for content":\[(.*?)\]', out.read_text(encoding="utf-8"))
    assert reasons
    assert all("; " in reason for reason in reasons)
