"""The most frequent function words of twelve languages."""

from __future__ import annotations

#: By language code; words are separated by spaces.
FUNCTION_WORDS = {
    "en": "the of and to in a is that for it as was with on by at be this from are or an but not have has had which"
    " they you we he she his her their its were been who will would there when what if so can than then them"
    " these those",
    "de": "der die das und in den von zu mit sich des ist im dem nicht ein eine als auch es an er so dass aus bei"
    " nach wie hat für auf werden sie wird sind war einer einen einem um am noch nur oder aber vor bis durch"
    " wenn man",
    "fr": "le la les de des du et en un une que qui dans pour pas sur au aux avec ce cette il elle est sont par plus"
    " ne se son sa ses ou mais comme leur nous vous ils a été être ont y si même",
    "es": "el la los las de del y en un una que a por con para se no su sus al lo como más pero es son fue ha o este"
    " esta le ya sin sobre entre cuando muy también hasta desde",
    "it": "il lo la i gli le di del della dei delle e in un una che a da per con non si è sono al alla nel nella"
    " come più ma anche o ha suo sua questo questa se dal dalla ci",
    "pt": "o a os as de do da dos das e em um uma que para com por não se no na nos nas ao mais mas como foi é são"
    " seu sua ou já também pelo pela",
    "nl": "de het een en van in is dat op te zijn met voor niet aan er om ook als dan maar bij of uit nog naar door"
    " wordt werd heeft deze die was zich",
    "cs": "a v na se je že s z do o k i to za by pro ve po od jako při ale který která které jsou byl byla bylo jeho"
    " jej si až nebo také však již",
    "pl": "w i na z się do że nie to jest o jak za po od ale dla przez oraz który która które są był była było jego"
    " ich tym czy także już",
    "ru": "и в не на что с по как это к из у за от о для но же он она они его их был была было все так мы вы или при"
    " то бы если уже только",
    "zh": "的 了 是 在 和 有 不 我 这 他 也 就 都 而 与 为 对 从 但 以 及 被 把 你 她 它 们 这 那 之 于 将 还",
    "ja": "の に は を た が で て と し れ さ な る も い か ら こ そ ま す り だ よ",
}
