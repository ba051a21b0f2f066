"""Types of short texts in many languages: dates, prices, ratings, ranks."""

from __future__ import annotations

import re
from functools import lru_cache

from ..lexicon.phrases import MONTHS, alternatives
from ..lexicon.word_lists import entries

#: Months in all languages, also without accents.
_MONTH = (
    rf"(?:(?:{alternatives(MONTHS)}|déz|fev|aout|май)[^\W\d_]{{0,8}}"
    rf"|(?:{alternatives(entries('dates')['OTHER_MONTHS'])})\b)\.?"
)
#: Units of time before "ago", days by name, times from now, and days in Chinese.
_UNIT = r"(?:s|sec|second|m|min|minute|h|hr|hour|d|day|w|wk|week|mo|month|y|yr|year)s?\.?\s?"
_DAY = rf"(?:{alternatives(entries('dates')['DAYS'])})\b"
_FROM_NOW = r"(?:(?:vor|il y a|hace|منذ)\s+\S+\s+\w+|\d+\s\w+\s(?:fa|temu|geleden|назад)\b)"
_CHINESE_DAY = "昨天|前天|今天|昨日|今日|어제|오늘"
#: All that starts at the start of a word has one test for it: most places of a text are within words. Months are many:
#: they are compared with words before a number only.
DATE = re.compile(
    rf"\b(?:(?:19|20)\d\d\s?[-/.年]\s?\d{{1,2}}(?:\s?[-/.月]\s?\d{{1,2}})?|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:19|20)?\d\d\b"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s+(?:de\s+)?{_MONTH},?(?:\s+(?:de\s+)?(?:19|20)?\d\d\b)?"
    rf"|(?=\w+\.?\s+'?\d)(?:{_MONTH}\s+'?\d{{1,2}}(?:st|nd|rd|th)?(?:[,\s']+(?:19|20)?\d\d\b)?|{_MONTH}\s+(?:19|20)\d\d\b)"
    rf"|(?:\d+|an?|one|last)\s?{_UNIT}(?:\d+\s?\w+\s)?(?:ago|old)\b|{_DAY}|{_FROM_NOW})"
    r"|\d+\s?(?:秒|分|小时|小時|時間|天|日|周|个月|年|분|시간|일)\s?(?:钟|鐘)?\s?(?:前|전)"
    rf"|\d{{1,2}}月\d{{1,2}}日|{_CHINESE_DAY}",
    re.IGNORECASE,
)
#: A date without a digit: :data:`DATE` is slow on texts that have neither.
_DATE_IN_WORDS = re.compile(
    rf"\b(?:(?:an?|one|last)\s?{_UNIT}(?:ago|old)\b|{_DAY}|{_FROM_NOW})|{_CHINESE_DAY}", re.IGNORECASE
)
#: Signs of currencies, codes and abbreviations of them before and after an amount.
_SIGN = "(?:(?:US|AU|CA|NZ|HK|NT|MX|AR|CL|CO|[ACRSZ])?[$＄]|\\bS/|[€£¢¥￥₹₽₩₺₴₫₪₱฿₦₡₸₾₼₲₵₭₮﷼])"
_CODE = "EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|JPY|RMB|CNY|INR|BRL|KRW|VND|AUD|CAD|NZD|HKD|SGD|ZAR|MXN|HUF|AED|SAR"
_AFTER = rf"(?:{_SIGN}|(?:{_CODE}|kr|zł|Kč|Ft|TL|lei|лв|грн|руб\.?|р\.)(?:\b|(?<=\.))|[円元원]|ر\.س|د\.إ)"
#: Between an amount and its cents that are set high, which have no mark of their own.
CENTS = "\u202f"
#: An amount whose groups of digits are whole, with cents, a dash for none, or cents alone.
AMOUNT = (
    r"(?:(?<![\d.,])(?:\d{1,3}(?:[ .,'’]\d{3})+|\d{1,2}(?:,\d\d)+,\d{3}|\d+)(?!\d)"
    rf"(?:[.,{CENTS}](?:\d{{1,2}}(?!\d)|[-–—]+))?|(?<![\d.,])\.\d\d(?!\d))"
)
#: What follows is no amount of its own without a sign: "Model 3 $400".
_LAST = rf"(?!\s?{AMOUNT}(?!\s?{_AFTER}))"
_ONE = (
    rf"(?:(?:\b(?:{_CODE}|Rs\.?|Rp\.?|kr\.?)|{_SIGN})\s?{AMOUNT}(?:\s?{_AFTER}{_LAST})?"
    rf"|{AMOUNT}\s?{_AFTER}(?:\d\d(?!\d)|{_LAST}))"
)
#: A price, or a range of two.
PRICE = re.compile(rf"(?:{_ONE}|{AMOUNT}(?=\s?[-–—~]\s?{_ONE}))(?:\s?[-–—~]\s?(?:{_ONE}|{AMOUNT}))?", re.IGNORECASE)
#: A text that may be a part of a price.
PRICE_PART = re.compile(rf"(?:[\d\s.,'’–—~-]|{_SIGN}|{_AFTER}|{_CODE})+", re.IGNORECASE)
#: Currencies by the signs and words that no other one has.
_CURRENCIES = dict(
    pair.split("=")
    for pair in "€=EUR £=GBP ₽=RUB руб=RUB р=RUB ₹=INR Rs=INR ₩=KRW 원=KRW ₺=TRY TL=TRY ₴=UAH грн=UAH ₫=VND ₪=ILS"
    " ₱=PHP ฿=THB ₦=NGN 円=JPY 元=CNY zł=PLN Kč=CZK Ft=HUF lei=RON лв=BGN R$=BRL A$=AUD AU$=AUD C$=CAD CA$=CAD US$=USD"
    " NZ$=NZD HK$=HKD S$=SGD NT$=TWD MX$=MXN S/=PEN ر.س=SAR د.إ=AED".split()
)
RATING = re.compile(
    r"\b\d(?:[.,]\d+)?\s?(?:/|of|out of|von|sur|de|su|из|z|من)\s?(?:5|10)\b(?:\s?stars?)?|[★⭐]{1,5}[☆]*"
    r"|\b\d(?:[.,]\d+)?\s?(?:stars?|Sterne)\b|\b\d\.\d\s?分(?!前)",
    re.IGNORECASE,
)
_DIGIT, _DIGIT_OR_STAR = re.compile(r"\d"), re.compile(r"[\d★⭐]")
#: A time of day alone.
CLOCK = re.compile(
    r"[\[(]?(?:[01]?\d|2[0-3])[:.h][0-5]\d(?::[0-5]\d)?\s?(?:[ap]\.?\s?m\.?|uhr|klo)?[\])]?", re.IGNORECASE
)
#: Most characters of a name or a date, and least of prose.
LONGEST, PROSE = 60, 28
#: Short texts, and class names, whose meanings are remembered: records repeat them.
CACHED = 1 << 12
#: A time of day in a line that may name a day in any language.
_CLOCKED = re.compile(r"(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:])")
_AGO = re.compile(
    r"\b(?:ago|yesterday|today|gestern|heute|hier|aujourd|ayer|hoy|ieri|oggi|вчера|сегодня|назад)\b"
    r"|^\W*(?:vor|il y a|hace)\b|[前전]|^\d+ ?(?:h|hrs?|min|m|d|w|std|j)\.?$",
    re.IGNORECASE,
)
#: What is before a date: "Posted:", "Posted on 2024-05-01".
_LABEL = re.compile(r"[^\W\d_][^\d:：]{0,30}(?:[:：]\s*(?=\S)|(?=(?:19|20)\d\d[-/.年]))")
#: How long ago as short as on timelines, and in languages whose word for it follows.
_NOW = alternatives(entries("dates")["NOW"])
_AGE = re.compile(rf"\d{{1,3}}\s?(?:h|d|m|w|y|mo|min|hr)|\d+\s\w+\s(?:fa|temu|назад)|{_NOW}")
#: What a time without a digit has.
_WHEN_IN_WORDS = re.compile(rf"{_DATE_IN_WORDS.pattern}|{_NOW}", re.IGNORECASE)
RANK = re.compile(r"^\s*#?\s*(\d{1,4})\s*[.)]?\s*$")
_BY = re.compile(
    r"^\W*(?:(?:written|posted|published|review(?:ed)?|asked|answered|par|von|by|de|por|da)\b[\s:]*)+(?=\S)",
    re.IGNORECASE,
)
_EDGES = " \t\r\n»«·•|,;:–—-"
#: Dates and prices in lower-case ASCII: without alternatives for each letter a search takes half the time.
_ASCII_DATE, _ASCII_PRICE = re.compile(DATE.pattern), re.compile(PRICE.pattern.lower())
#: Each of these prices has one of these signs and words, which are found ten times as fast.
_ASCII_MONEY = re.compile(rf"[$]|s/|{_CODE.lower()}|rs|rp|kr|ft|tl|lei")
#: Fields of a record, in the order in which they are written.
FIELDS = (
    "rank", "title", "author", "date", "iso_date", "text", "price", "amount", "currency", "old_price", "rating",
    "image", "link",
)  # fmt: skip


def is_date(text: str) -> bool:
    """Return whether a text contains a date, also a relative one ("2 days ago")."""
    return _has_date(text) if len(text) <= LONGEST else _has_date.__wrapped__(text)


@lru_cache(CACHED)
def _has_date(text: str) -> bool:
    """Search a text; the steps of a page read the same short ones one after another."""
    if not _DIGIT.search(text):
        return _DATE_IN_WORDS.search(text) is not None
    return (_ASCII_DATE.search(text.lower()) if text.isascii() else DATE.search(text)) is not None


def is_price(text: str) -> bool:
    """Return whether a text contains a price."""
    if not _DIGIT.search(text):
        return False
    if not text.isascii():
        return PRICE.search(text) is not None
    lowered = text.lower()
    return _ASCII_MONEY.search(lowered) is not None and _ASCII_PRICE.search(lowered) is not None


def is_just_price(text: str) -> bool:
    """Return whether a text is a price only."""
    return is_price(text) and not re.search(r"\w", PRICE.sub("", text))


def amount_of(price: str, language: str = "") -> tuple[str, str]:
    """Return the amount of a price, of a range its lower end, and its currency: the ISO code where the sign is clear.

    The language of the page is asked about yuan and yen only.

    >>> amount_of("1.249,50 €"), amount_of("A$ 5"), amount_of("12,– kr")
    (('1249.50', 'EUR'), ('5', 'AUD'), ('12', 'kr'))
    """
    # Loaded only where there are prices.
    from price_parser import Price

    one = re.match(_ONE, price, re.IGNORECASE)
    text = re.sub(r"(?<=\d)['’](?=\d)", "", one[0] if one else price)
    parsed = Price.fromstring(text.replace(CENTS, "," if "." in text else "."))
    sign = re.search(rf"{_SIGN}|{_AFTER}|{_CODE}", price, re.IGNORECASE)
    currency = sign[0].rstrip(".") if sign else parsed.currency or ""
    if currency in ("¥", "￥"):
        currency = {"zh": "CNY", "ja": "JPY"}.get(language[:2].lower(), currency)
    return "" if parsed.amount is None else str(parsed.amount), _CURRENCIES.get(currency, currency)


def is_rating(text: str) -> bool:
    """Return whether a text contains a rating: "4.5 out of 5", stars."""
    return _DIGIT_OR_STAR.search(text) is not None and RATING.search(text) is not None


def is_when(text: str) -> bool:
    """Return whether a text has a date or a time of day."""
    if is_date(text) or CLOCK.fullmatch(text) is not None or _CLOCKED.search(text) is not None:
        return True
    return _AGE.fullmatch(text.strip()) is not None


def count_when(texts: list[str]) -> int:
    """Return the number of texts that have a date or a time of day, faster than one by one: most have no digit."""
    in_words = _WHEN_IN_WORDS.search("\n".join(texts))
    return sum(map(is_when, texts if in_words else filter(_DIGIT.search, texts)))


def is_moment(text: str) -> bool:
    """Return whether a text says when something was written: a day with its hour, or how long ago."""
    return (_CLOCKED.search(text) is not None and CLOCK.fullmatch(text) is None) or _AGO.search(text) is not None


def written_value(name: str, text: str) -> str:
    """Return the value of a field in the text of its column."""
    text = text.strip(_EDGES)
    pattern = {"price": PRICE, "old_price": PRICE, "rating": RATING}.get(name)
    if pattern is not None and (found := pattern.search(text)):
        return found[0].strip(_EDGES)
    if name == "rank" and (number := RANK.match(text)):
        return number[1]
    if name == "author":
        return _BY.sub("", text).strip(_EDGES) or text
    if name == "date" and (labelled := _LABEL.match(text)) and is_when(text[labelled.end() :]):
        text = text[labelled.end() :].strip(_EDGES)
    if name == "date" and len(text) > LONGEST and (found := DATE.search(text)):
        return found[0].strip(_EDGES)
    return text
