"""Lines of a page's interface that are found between the paragraphs of a text, and are no part of it.

Each alternative is a whole block, in lower case, so "Advertisement" alone is one and "Advertisement is an art" is not.
"""

from __future__ import annotations

import re

# ruff: noqa: E501 (long alternatives are read as one)

#: Labels of advertisements, and what leads past them.
_ADVERTISEMENTS = (
    r"(?:paid )?advertisements?|advertising|sponsored(?: content)?|anzeige|werbung|publicité|publicidad|publicidade|anuncio|pubblicità"
    r"|advertentie|reclame|reklama?|annons|annonse|annonce|mainos|реклама|διαφήμιση|إعلان|广告|廣告|スポンサーリンク|광고",
    r"(?:skip|close|hide) (?:this )?(?:ad|advertisement)|advertisement\W+scroll to continue|scroll to continue(?: reading)?",
    r"(?:story|article|content|text) continues (?:below|after)(?: (?:this |the )?(?:ad|advert|advertisement|photo|video|gallery|slideshow))?"
    r"|(?:this )?(?:advertisement|ad) has not loaded yet(?:, but your article continues below)?|we apologi[sz]e, but this video has failed to load"
    r"|(?:continue|keep) reading (?:the main story|below)|continue reading the main story",
    r"(?:nach|unter) der (?:anzeige|werbung) (?:geht es weiter|weiterlesen)|(?:der )?artikel (?:geht nach der anzeige weiter|wird unten fortgesetzt)"
    r"|(?:la suite|l['’]article continue) après (?:cette|la) publicité|la suite après la publicité|continúa (?:después de|tras) la publicidad"
    r"|continua (?:após|depois d)[ao] publicidade|continua (?:a leggere )?dopo la pubblicità|(?:tekst|artikel) gaat (?:verder|door) onder de (?:advertentie|foto|video)"
    r"|dalsza część (?:artykułu|tekstu) pod (?:reklamą|materiałem wideo|zdjęciem)",
)
#: Labels of the parts that a template has.
_TEMPLATES = (
    r"article content|start of (?:article|main) content|end of (?:article|main) content",
    r"click to (?:expand|shrink|enlarge|view)(?: (?:image|gallery|photo|larger))?(?:\.\.\.|…)?|expand (?:image|photo)",
    r"thank you! your submission has been received!?|oops! something went wrong while submitting the form\.?",
    r"share this (?:post|article|story|page)(?: on)?:?|share (?:post|article|story):?|like this:|artikel teilen:?|beitrag teilen:?|partager (?:cet|l['’])\s?article:?"
    r"|compartir (?:este )?artículo:?|condividi (?:questo )?articolo:?|deel dit artikel:?|分享(?:到|至)[:：]?",
    r"\d+ ?(?:-\d+ )?(?:min(?:ute)?s?|minuten|minutes?|minutos?|minuti) (?:read|lesezeit|de lecture|de lectura|de leitura|di lettura)"
    r"|(?:reading time|read time|lesezeit|temps de lecture|tiempo de lectura|tempo de leitura|tempo di lettura|leestijd)\W+\d+ ?(?:-\d+ )?(?:min(?:ute)?s?|minuten|minutos?|minuti)?\.?",
    r"(?:(?:listen to|hear) (?:this|the) (?:article|story)|(?:artikel|beitrag) (?:anhören|vorlesen)|écouter (?:cet |l['’])article"
    r"|escuchar (?:este |el )?artículo|ascolta (?:questo |l['’])articolo|ouvir (?:este |o )?artigo|luister naar dit artikel)\W*(?:\d+(?::\d+)?(?: ?min(?:ute)?[ns]?)?)?",
    r"(?:was|is) this (?:page|article|answer|information|content|topic|post|section) (?:helpful|useful)\??(?: yes no)?|did (?:this|you find this) (?:page|article|answer).{0,20}(?:help|helpful|useful)\??(?: you\??)?|rate this (?:page|article)"
    r"|war (?:diese seite|dieser artikel|diese antwort) hilfreich\??|(?:cette page|cet article) vous a-t-(?:elle|il) été utile ?\??|¿(?:te|le) ha (?:resultado|sido) útil (?:esta página|este artículo)\??",
    r"your browser does not support the (?:audio|video)(?: element| tag)?\.?|this video file cannot be played\.?(?: \(error code: \d+\))?",
)  # fmt: skip
#: A whole line of a page's interface, in lower case.
INTERFACE = re.compile("|".join((*_ADVERTISEMENTS, *_TEMPLATES)))
