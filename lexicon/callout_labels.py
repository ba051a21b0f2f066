"""Kinds of callouts (admonitions), and titles that only name the kind, by language."""

from __future__ import annotations

#: The five kinds of GitHub, and the names of kinds in markup that are one of them.
KINDS = {
    "note": "note info information seealso abstract summary tldr todo example question help faq secondary primary",
    "tip": "tip hint success check done",
    "important": "important",
    "warning": "warning attention",
    "caution": "caution danger error bug failure fail missing",
}
LABELS = {
    "en": "seealso pleasenote",
    "de": "hinweis notiz tipp wichtig achtung warnung vorsicht gefahr",
    "fr": "remarque astuce attention avertissement",
    "es": "nota consejo importante aviso advertencia cuidado precaución",
    "pt": "dica atenção perigo",
    "it": "suggerimento attenzione avviso avvertenza",
    "nl": "opmerking waarschuwing let op belangrijk",
    "ru": "примечание совет важно внимание предупреждение",
    "zh": "注意 提示 警告 重要 危险 信息 说明",
    "ja": "情報 ヒント 補足 危険",
    "ko": "참고 팁 주의 경고",
}
