"""The command features."""

import pandas as pd
import pytest

pytestmark = pytest.mark.usefixtures("in_the_repository")
NEWS = "fixtures/news/page.html"


def test_features_without_a_browser(run, tmp_path):
    for name, read in (("b.csv", pd.read_csv), ("b.parquet", pd.read_parquet)):
        done = run("features", "--no-browser", NEWS, "-o", tmp_path / name)
        assert done.exit_code == 0
        assert done.stdout == ""
        frame = read(tmp_path / name)
        assert frame["source"].unique().tolist() == [NEWS]
        assert frame["text"].str.contains("northern footbridge").any()
        assert frame["width"].isna().all()
        assert frame["selector"].is_unique
        assert frame["xpath"].str.startswith("/html").all()
