"""Words of bylines by language: what precedes a name, and what is no name."""

from __future__ import annotations

from .word_lists import entries

#: What an author has done, before "by" (en).
DONE = (
    "written", "posted", "published", "story", "words", "text", "article", "review", "submitted", "asked", "started",
    "created", "contributed", "uploaded", "shared", "reported", "recipe",
)  # fmt: skip
#: Patterns of labels before a name, by language, besides the prepositions of :data:`~.phrases.BY`.
AUTHOR_LABELS = {
    "pl": ("przez",),
    "it": ("autore?s?",),
    "es": ("autor(?:es|a)?",),
    "fr": ("auteurs?",),
    "en": ("author",),
    "ru": ("автор", "текст"),
    "zh": ("(?:文章|本文)?作者", "文", "撰文", r"(?:本[報报网網刊台]|\w{2,4}社)?(?:記者|记者)", "责任编辑", "责编"),
    "ko": ("글",),
    "ja": ("投稿者", "著者"),
}
#: The same in a line with other text, where some need a colon.
LINE_LABELS = {
    "en, it, fr, de": ("(?:author|autore?|auteur|verfasser)(?=:)",),
    "ru": ("автор",),
    "zh": ("(?:文章|本文)?作者", "撰文"),
}
#: Labels of those who wrote a text, reported it, or edited it, in scripts without spaces: patterns, the best first.
SIGNED = ("作者|撰文|文字", "记者|記者|通讯员|编译", "责任编辑|責任編輯|责编|编辑|編輯")
#: What follows the names of reporters: the place they report from.
REPORTS = "报道|報道|報導|报导|整理"
#: Conjunctions between two names.
AND = {"en": "[Aa]nd", "de": "und", "fr": "et", "es": "y", "it": "e", "nl": "en", "sv": "och", "no": "og", "ru": "и"}
#: Accounts, placeholders and days that are no name at all, as patterns (en, it, zh).
NO_NAMES = (
    "admin(?:istrator)?", "unknown", "anonymous", "none", "null", "undefined", "staff", "editor", "guest", "authors?",
    "by", "home", "about", "no author", "wp", "team", "redazione", "connect directly", "discuz!?(?: team)?",
    "comsenz.*", "(?:mon|tues|wednes|thurs|fri|satur|sun)day", "通讯员", "本报记者",
)  # fmt: skip
#: Words with which the office of a person starts, behind the name, as patterns (en).
OFFICES = (
    "former", "deputy", "senior", "political", "managing", "staff writer", "chief", "founder", "co-founder", "director",
    "reporter", "correspondent", "columnist", "contributor", "editor", "CEO", "MBE", "VP of",
)  # fmt: skip
#: Degrees and other letters behind a name, as patterns.
DEGREES = (
    r"[MB]\.?[AS]c?\.?", "[MB]BA", "[MD]PH", r"Ph\.?\s?D\.?", r"M\.?D\.?", "RDN?", "RN", "LDN?", "CHN", "CNE?", "CPA",
    "DO", "JD", "LLM", r"Esq\.?", "FRCP", "CFP", "CSCS", "DVM", r"Ed\.?D\.?",
)  # fmt: skip
#: Words in lower case within names of many languages.
PARTICLES = frozenset(
    "a af al ap av bar ben bin bint d da das de degli dei del della den der des di do dos du e el et i ibn ij la las le"
    " los mac na nic o of op 't ten ter und van ven vom von y zu zum zur af".split()
)
#: Words of labels, buttons and sentences, and names of sections: a text with one of them is no name of a person.
NO_PERSON, SECTIONS = (frozenset(" ".join(entries("names")[name]).split()) for name in ("NO_PERSON", "SECTIONS"))
#: Ends of the names of newspapers, agencies and companies in scripts without spaces: no names of persons.
NO_PERSON_ENDS = "报|报道|網|网|社|刊|财经|综合|编辑部|频道|公司|集团|新聞|新闻"
#: Words with which the motto of a site starts, and those within one (en).
MOTTO_STARTS, MOTTO_WORDS = ("A", "My", "Our", "Your"), "the on to is are your for my our with we".split()
