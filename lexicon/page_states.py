"""Phrases of pages that are not what a reader asked for: challenges, logins, paywalls, errors, consent, waiting.

Regular expressions for lower-case text in several languages, one a line. A phrase alone decides nothing: articles are
about all of these, so each is evidence together with the structure of the page.
"""

from __future__ import annotations


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.strip().splitlines())


#: A person, not a robot, is to be proved.
CHALLENGE = _lines(r"""
checking (?:if the site connection|your browser)
just a moment
verif(?:y|ying) (?:that )?you are (?:a )?human
(?:i'm|i am|you are|you're) not a robot
are you (?:a )?(?:human|robot)
human verification
prove (?:that )?you(?:'re| are) (?:a )?human
unusual (?:traffic|activity)
security check
complete the (?:security|captcha|challenge)
press (?:and|&) hold
enable javascript and cookies to continue
attention required
bot (?:detection|protection)
automated (?:access|requests|queries)
needs to review the security of your connection
pardon our interruption
access to this page has been denied
(?:enter|type) the (?:characters|letters|text) (?:you see|below|shown|in the image)
(?:sie )?(?:sind )?kein(?:en)? robot
sicherheitsüberprüfung
browser wird (?:geprüft|überprüft)
dass sie ein mensch sind
ungewöhnliche(?:n)? (?:datenverkehr|aktivität)
einen moment,? bitte
vérifi\w+ que vous êtes (?:un )?humain
vous n'êtes pas un robot
vérification de (?:votre navigateur|sécurité)
trafic (?:inhabituel|inusual)
no (?:soy|eres) un robot
verifi\w+ que (?:eres|es) (?:un )?human
comprobando (?:su|tu) navegador
verificaci[óo]n de seguridad
non sono un robot
verifica di sicurezza
n[ãa]o sou um rob[ôo]
verificando (?:seu|o seu|o) navegador
ik ben geen robot
nie jestem robotem
я не робот
проверка (?:вашего )?браузера
подтвердите,? что вы (?:не робот|человек)
необычн\w+ (?:трафик|активность)
安全验证
安全驗證
人机验证
人機驗證
请完成(?:安全)?验证
访问过于频繁
ロボットではありません
セキュリティ(?:チェック|確認)
로봇이 아닙니다
보안 (?:확인|검사)
لست روبوت
robot olmadığınızı
""")
#: Parts of names (class, id, address) of a challenge's elements.
CHALLENGE_NAMES = _lines(r"""
captcha
challenge(?!r|s-)
turnstile
human-?verif
bot-?(?:check|detect|protect)
proof-?of-?work
""")
#: Labels and headings of forms to sign in, or to open an account.
LOGIN = _lines(r"""
(?:log|sign)[ -]?(?:in|on|up)\b
(?:your )?password
create (?:an|your) account
forgot(?:ten)? (?:your )?password
members? (?:only|area|login)
anmeld(?:en|ung)
einlogg?en
passwor[dt]
kennwort
registrieren
connexion
se connecter
identifi(?:ez-vous|ant)
mot de passe
iniciar sesi[óo]n
inicia(?:r)? sesi[óo]n
contrase[ñn]a
acced(?:er|i)\b
accesso
entrar\b
senha
iniciar sess[ãa]o
inloggen
wachtwoord
zaloguj
logowanie
hasło
войти
вход\b
авторизация
пароль
登录
登入
密码
密碼
ログイン
サインイン
パスワード
로그인
비밀번호
تسجيل الدخول
כניסה
giriş yap
przihlášení|přihlá
""")
#: Buttons of a form that asks for a name or an address alone, to sign in.
NEXT_STEPS = _lines(r"""
continue
next
weiter
suivant
continuar
avanti
(?:send|e-?mail|text|get)\b.{0,20}\b(?:link|code)\b
magic link
(?:link|code) (?:an)?(?:fordern|senden)
(?:recevoir|envoyer)\b.{0,20}\b(?:lien|code)\b
(?:enviar|recibir|receber)\b.{0,20}\b(?:enlace|link|código)
(?:wyślij|отправить|получить)\b.{0,20}(?:link|kod|ссылк|код)
发送验证码
获取验证码
""")
#: The rest of a text is for subscribers, or must be paid.
PAYWALL = _lines(r"""
(?:subscribe|sign up|register|log in) (?:now )?to (?:continue|keep|read|unlock)
continue reading (?:with|by|for)
to (?:continue|keep) reading
(?:this|the full) (?:article|story|content|text) is (?:only )?(?:for|available to|reserved for|exclusive)
for subscribers only
subscribers?[- ]only
(?:exclusive|only) (?:to|for) (?:subscribers|members)
you(?:'ve| have) (?:read|reached|used) (?:all )?(?:your |of your )?(?:last |free |limit)
already a (?:subscriber|member)
unlock (?:this|the full|unlimited)
read the (?:full|whole|rest of) (?:this )?(?:article|story)
weiterlesen (?:mit|für)
(?:jetzt )?weiterlesen mit
nur für abonnent
exklusiv für abonnent
bereits abonn
(?:diesen|den ganzen|den vollständigen) artikel (?:weiter)?lesen
réservé (?:aux|à nos) abonné
déjà abonné
il vous reste .{1,20}à lire
pour lire la suite
s(?:o|ó)lo para suscriptores
exclusivo para suscriptores
ya (?:eres|soy) suscriptor
para (?:seguir|continuar) leyendo
sigue leyendo
(?:contenuto )?riservat\w+ agli abbonati
sei già abbonat
per continuare a leggere
exclusivo para assinantes
já [ée] assinante
continue lendo
alleen voor abonnees
verder lezen
tylko dla (?:prenumeratorów|subskrybentów)
czytaj dalej z
только для подписчиков
чтобы (?:читать|прочитать) (?:дальше|полностью)
订阅(?:后|以)(?:继续)?阅读
会员专享
付费(?:阅读|内容)
會員專屬
(?:この記事は)?有料会員(?:限定|記事)
続きを読むには
구독자 전용
유료 (?:기사|회원)
""")
#: Something is not there, not allowed, or broken.
ERROR = _lines(r"""
(?:error|fehler|erreur|ошибка|错误|エラー)[ :#-]*(?:40[0134]|410|429|50[0234])\b
(?:40[0134]|410|429|50[0234])(?:\W{0,3}$|\W*(?:error\b|fehler|[-–—|:]|not found|forbidden|page\b))
(?:page|file|article|content|resource|document|url|site)\b.{0,30}\bnot (?:be )?found
(?:page|file|article|content|resource|document|url|site)\b.{0,30}\bdoes(?:n't| not) exist
(?:page|file|article|content|resource|document|url|site)\b.{0,30}\bno longer (?:exists|available)
(?:page|file|article|content|resource|document|url|site)\b.{0,12}\b(?:unavailable|missing)
^not found
(?:can't|cannot|couldn't|could not|can not) (?:be found|find (?:the|that|this|your) page)
nothing (?:was )?found(?: here)?$
access (?:denied|forbidden)
^forbidden
internal server error
bad (?:gateway|request)
service (?:temporarily )?unavailable
(?:temporarily )?down for maintenance
under maintenance
something went wrong
an error (?:has )?occurred
oops
gateway time-?out
too many requests
this (?:site|domain|account) (?:has been|is) (?:suspended|disabled|expired)
seite (?:wurde )?nicht gefunden
nicht gefunden
zugriff verweigert
wartungsarbeiten
ein fehler ist aufgetreten
page (?:introuvable|non trouvée|inexistante)
accès (?:refusé|interdit)
une erreur (?:s'est produite|est survenue)
página no (?:encontrada|existe)
no (?:se )?(?:ha )?encontr(?:ada|ado|ó)
acceso denegado
ha ocurrido un error
pagina non trovata
accesso negato
si è verificato un errore
página não (?:encontrada|existe)
acesso negado
pagina niet gevonden
toegang geweigerd
strona nie (?:istnieje|została znaleziona)
nie znaleziono
brak dostępu
страница не (?:найдена|существует)
доступ (?:запрещ[её]н|закрыт)
произошла ошибка
页面(?:不存在|未找到|找不到)
頁面不存在
找不到(?:页面|網頁|该页|您)
访问被拒绝
ページが見つかりません
お探しのページ
アクセスが拒否
페이지를 찾을 수 없
접근이 거부
""")
#: Scripts are wanted.
ENABLE_SCRIPTS = _lines(r"""
(?:enable|turn on|activate|requires?|needs?|without|use) (?:\w+ ){0,3}(?:javascript|js)\b
javascript (?:is |must be )?(?:\w+ )?(?:required|enabled|disabled|needed)
javascript (?:ist |est |está )?(?:\w+ )?(?:aktiviert|deaktiviert|erforderlich|nötig|activé|désactivé|nécessaire)
javascript (?:está |es )?(?:\w+ )?(?:activado|desactivado|necesario)
javascript (?:aktivieren|einschalten)
activ\w+ (?:le )?javascript
habilit\w+ (?:o |el )?javascript
abilit\w+ javascript
включите javascript
(?:启用|開啟|打开) ?javascript
javascript ?を有効
자바스크립트
""")
#: Text of a page until its scripts have run.
WAITING = _lines(r"""
(?:page is |please wait,? |app is )?loading
please wait
redirecting
you (?:are|will be) (?:being )?redirected
laden
wird geladen
bitte warten
chargement(?: en cours)?
veuillez patienter
cargando
espere
caricamento
carregando
aguarde
ładowanie
загрузка
подождите
加载中
載入中
正在加载
読み込み中
로딩
불러오는 중
""")
#: Buttons by which a reader agrees, or does not.
AGREE = _lines(r"""
(?:i )?(?:accept|agree|allow)(?: (?:all|and (?:close|continue)|cookies|all cookies))*
(?:reject|decline|refuse)(?: all| cookies)*
consent
got it
ok(?:ay)?
manage (?:options|preferences|cookies|settings)
(?:alle(?:s)? )?(?:akzeptieren|zustimmen|ablehnen)
einverstanden
(?:tout )?(?:accepter|refuser)(?: tout)?
j'accepte
(?:aceptar|rechazar)(?: todo| todas)?
acept(?:o|ar y continuar)
(?:accetta|rifiuta)(?: tutto| tutti)?
(?:aceitar|rejeitar)(?: tudo| todos)?
(?:alles )?(?:accepteren|weigeren)
akkoord
(?:zaakceptuj|odrzuć)(?: wszystk\w+)?
zgadzam się
(?:принять|отклонить)(?: все)?
согласен
(?:全部)?(?:同意|接受|拒绝|拒絕)
(?:すべて)?(?:同意する|許可する|拒否する)
(?:모두 )?(?:동의|수락|거부)
""")
