"""Words of bylines by language: what precedes a name, and what is no name."""

from __future__ import annotations

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
    "zh": ("(?:文章|本文)?作者", "文", "撰文", "記者", "记者", "责任编辑", "责编"),
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
REPORTS = "报道|報道|報導|报导"
#: Conjunctions between two names.
AND = {"en": "and", "de": "und", "fr": "et", "es": "y", "it": "e", "nl": "en", "sv": "och", "no": "og", "ru": "и"}
#: Accounts and placeholders that are no name at all, as patterns (en).
NO_NAMES = (
    "admin(?:istrator)?", "author", "unknown", "anonymous", "none", "null", "undefined", "staff", "editor", "guest",
    "authors?", "by", "home", "about", "no author", "discuz!?(?: team)?", "comsenz.*",
)  # fmt: skip
#: Words in lower case within names of many languages.
PARTICLES = frozenset(
    "a af al ap av bar ben bin bint d da das de degli dei del della den der des di do dos du e el et i ibn ij la las le"
    " los mac na nic o of op 't ten ter und van ven vom von y zu zum zur af".split()
)
#: Words of labels, buttons and sentences by language: a text with one of them is no name of a person.
NO_PERSON = {
    "en": "about account ad add admin advertisement advertising affiliate all also an and anonymous answer answers any"
    " are article articles as ask at author authors back be blog browse but buy by cart categories category check click"
    " comment comments community cons contact content continue cookie cookies copyright create credit credits date"
    " description details die discussion discussions download edit editor editorial editors email everyone facebook faq"
    " featured file files find follow followers for forum free from full gallery get guest guide hello help here home"
    " how if image images in info instagram introduction is it join last latest learn leave like likes link links"
    " linkedin list live log login logout mail main manufacturer member members menu message messages min minute"
    " minutes more my name new news newsletter next no not of offer on online open or order our page pages photo photos"
    " pinterest please popular post posted posts premium press previous price privacy product products profile profiles"
    " pros published question questions quick rate rating read recent recipe recipes register related replies reply"
    " report review reviewed reviewer reviews rights rss search see sell send settings share shipping shop show sign"
    " signup site sitemap skip sort source sources staff start statistics subscribe submit subscriber subscribers"
    " summary support tag tags team terms thanks that the these this thread threads tip tips to today top topic topics"
    " translate tweet twitter unknown update updated updates upload user users video videos view views visit vote votes"
    " was watch we webmaster website welcome what when where which who why widget wiki wikipedia will wishlist with"
    " work write writer youtube you your",
    "de": "alle autor autoren die kommentar kommentare redaktion und zur",
    "fr": "commentaires",
    "es": "autor con",
    "it": "articolo autore",
}
#: Ends of the names of newspapers, agencies and companies in scripts without spaces: no names of persons.
NO_PERSON_ENDS = "报|網|网|社|刊|财经|综合|编辑部|频道|公司|集团|新聞|新闻"
#: Words of offices that sign texts, by language.
OFFICES = {
    "en": "staff team editors editorial editor newsroom desk office board webmaster admin",
    "it": "redazione",
    "de": "redaktion",
    "nl": "redactie",
    "es": "redacción",
    "pt": "redacao redação",
    "fr": "rédaction",
    "cs": "redakce",
    "pl": "redakcja",
    "no": "redaksjonen",
    "ru": "редакция администрация",
    "uk": "редакції",
}
#: Words with which the motto of a site starts, and those within one (en).
MOTTO_STARTS, MOTTO_WORDS = ("A", "My", "Our", "Your"), "the on to is are your for my our with we".split()
