"""Dates as machines and people write them."""

import pytest
from blocksight.page.metadata.dates import address_date, is_local, iso_date


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024-05-20", "2024-05-20"),
        ("2024-05-20 07:09", "2024-05-20T07:09:00"),
        ("2024-05-20 7:09", "2024-05-20T07:09:00"),
        ("2024-05-20 7:09:30", "2024-05-20T07:09:30"),
        ("2024-05-20T07:09:00.123", "2024-05-20T07:09:00"),
        ("2024-05-20T07:09:00,5Z", "2024-05-20T07:09:00+00:00"),
        ("2024-05-20 07:09 GMT", "2024-05-20T07:09:00+00:00"),
        ("2024-05-20 07:09 UTC", "2024-05-20T07:09:00+00:00"),
        ("2024-05-20 07:09 +0530", "2024-05-20T07:09:00+05:30"),
        ("20240520", "2024-05-20"),
        ("20240520T070900Z", "2024-05-20"),
        ("2024年5月20日", "2024-05-20"),
        ("2024/5/20", "2024-05-20"),
        ("Mon, 20 May 2024 07:09:00 +0800", "2024-05-20T07:09:00+08:00"),
    ],
)
def test_dates_of_machines(text, iso):
    assert iso_date(text) == iso


@pytest.mark.parametrize(
    "text", ["2024-02-30", "2024-05-20 25:09", "20241320", "2024/13/20", "Mon, 20 Foo 2024", "Mon, 20 May", ""]
)
def test_a_date_that_does_not_exist_is_none(text):
    assert iso_date(text) == ""


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("1899-12-31", ""),
        ("1900-01-01", "1900-01-01"),
        ("2100-12-31", "2100-12-31"),
        ("2101-01-01", ""),
        ("2101/1/1", ""),
        ("Tue, 31 Dec 1899 07:09:00 +0000", ""),
    ],
)
def test_years_of_pages_are_1900_to_2100(text, iso):
    assert iso_date(text) == iso


@pytest.mark.parametrize("language", ["en", "EN", "en-us", "en-US", "en-CA", "en-PH"])
def test_in_american_english_the_month_precedes_the_day(language):
    assert iso_date("03/05/2021", language) == "2021-03-05"


@pytest.mark.parametrize("language", ["", "en-gb", "en-AU", "de", "fr-CA", "es", "pt-BR"])
def test_in_other_languages_the_day_precedes_the_month(language):
    assert iso_date("03/05/2021", language) == "2021-05-03"


def test_a_number_above_twelve_is_the_day_in_either_order():
    assert iso_date("13/05/2021", "en-US") == iso_date("05/13/2021", "de") == "2021-05-13"


@pytest.mark.parametrize(
    ("text", "language", "iso"),
    [
        ("3. Mai 2021", "de", "2021-05-03"),
        ("3. Mai 2021", "DE-at", "2021-05-03"),
        ("3 maggio 2021", "it", "2021-05-03"),
        ("5 de mayo de 2021", "es", "2021-05-05"),
        ("Posted on May 3, 2021 by Ada", "en", "2021-05-03"),
        # English is read on pages of all languages, also of those whose months have no list of names.
        ("3 May 2021", "fi", "2021-05-03"),
        ("3 May 2021", "xx", "2021-05-03"),
        ("3. Mai 2021", "en", ""),
        ("32 May 2021", "en", ""),
        ("31/31/2021", "de", ""),
        ("May 2021", "en", ""),
    ],
)
def test_dates_in_words(text, language, iso):
    assert iso_date(text, language) == iso


@pytest.mark.parametrize(
    ("url", "iso"),
    [
        ("https://gull.example/2021/05/03/wall", "2021-05-03"),
        ("https://gull.example/2021-5-3", "2021-05-03"),
        ("https://gull.example/2021/13/03/wall", ""),
        ("https://gull.example/2021/05/wall", ""),
        ("https://gull.example/wall", ""),
    ],
)
def test_dates_in_addresses(url, iso):
    assert address_date(url) == iso


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("Friday, 04/12/2019", "en", "2019-04-12"),
        ("Friday, 04/12/2019", "de", "2019-04-12"),
        ("Wednesday, 04/12/2019", "en", "2019-12-04"),
        ("vendredi 04/12/2019", "fr", "2019-04-12"),
        ("Monday 03/12/2018", "en", "2018-03-12"),  # both are Mondays: as the language has it
        ("Monday 03.12.2019", "en", "2019-12-03"),  # dots are never the other way round
        ("about 03/12/2019", "xx", "2019-12-03"),
    ],
)
def test_a_weekday_decides_the_order(text, language, day):
    assert iso_date(text, language) == day


@pytest.mark.parametrize(
    ("date", "universal", "is_it"),
    [
        ("2021-06-17", "2021-06-18T11:59:00+00:00", True),
        ("2021-06-17", "2021-06-18T12:00:01+00:00", False),
        ("2021-06-19", "2021-06-18T10:00:00+00:00", True),
        ("2021-06-19", "2021-06-18T09:59:00+00:00", False),
        ("2021-06-17T22:00:00-06:00", "2021-06-18T04:00:00+00:00", True),
        ("2021-06-17T21:00:00-06:00", "2021-06-18T04:00:00+00:00", False),
        ("2021-06-17T04:00:00+00:00", "2021-06-18T04:00:00+00:00", False),
    ],
)
def test_a_day_at_the_place_of_a_time_in_utc(date, universal, is_it):
    assert is_local(date, universal) is is_it
