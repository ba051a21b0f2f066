"""Pictures of segmentations."""

from blocksight.app.commands.segment import segment
from click.testing import CliRunner


def test_segment_overlay_html_has_reasons(fixtures, tmp_path):
    out = tmp_path / "blocks.html"
    page = fixtures / "golden" / "article.page"
    done = CliRunner().invoke(
        segment, [str(page), "--method", "targets", "--content", "--overlay", str(out), "--timeout", "120"]
    )
    assert done.exit_code == 0, done.output
    html = out.read_text(encoding="utf-8")
    assert '"color":"verdict"' in html
    assert '"against":["' in html
