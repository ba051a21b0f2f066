"""Words in names of files, classes and ids of pictures that are no content (all en, as markup is)."""

from __future__ import annotations

#: Of small pictures, and of those whose size is not known; the latter may be logos or arrows of the content.
ICON_NAMES = "icons?|ico|emoji|smil(?:ey|ies)|smileys?|sprite|bullet|arrow|button|btn|badge|logo"
SURE_ICON_NAMES = r"(?:^|[^A-Za-z]|[a-z])Icons?(?![a-z])|(?:^|[^A-Za-z])(?:icons?|ico|sprite|btn)(?![a-z])"
#: Files of buttons to share a page.
SHARE_FILES = (
    r"\A(?:(?:facebook|twitter|whatsapp|linkedin|pinterest|instagram|youtube|rss|email|print)\.\w+\Z"
    r"|(?:[\w.-]*[-_])?(?:share|sns)[-_])"
)
#: Of blurred pictures that are shown until the picture itself is there.
PREVIEW_NAMES = "preview|placeholder|blur(?:red|ry)?|lqip|thumb(?:nail)?"
AVATAR_NAMES = "avatars?|gravatar|userpic|author|byline|profile(?:[-_]?(?:pic|photo|image|picture))?"
ADVERTISEMENT_NAMES = "ads?|advert(?:s|isement|isements|ising)?|sponsor(?:ed|s)?|promo"
#: Addresses of counters of visits.
TRACKER_ADDRESSES = (
    r"doubleclick|googlesyndication|scorecardresearch|quantserve|facebook\.com/tr|stats\.wp\.com|google-analytics"
    r"|/(?:pixel|beacon|track(?:er|ing)?|count(?:er)?)(?:[./?]|$)"
)
#: Files of the logo of a site.
LOGO_FILES = r"(?:.*[-_])?(?:site|header)?[-_]?logo(?:[-_.@].*)?\Z"
#: Paths of the home page of a site.
HOME_PATHS = r"(?:/|\.{1,2}(?:/\.\.)*/?|(?:[^?#]*/)?(?:index|default|home)(?:\.\w+)+)?\Z"
