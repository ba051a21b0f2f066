"""Words around blocks of code: buttons by language, and names of programming languages."""

from __future__ import annotations

#: Buttons that copy, fold or wrap a block.
COPY = {
    "en": (
        "copy", "copied", "copy code", "copy to clipboard", "copied to clipboard", "click to copy", "wrap", "expand",
        "collapse", "raw", "view raw",
    ),
    "fr": ("copier",),
    "de": ("kopieren",),
    "es, pt": ("copiar",),
    "it": ("copia",),
    "ru": ("копировать",),
    "zh": ("复制", "复制代码", "複製"),
    "ja": ("コピー",),
    "ko": ("복사",),
}  # fmt: skip
#: Other buttons of a block, as patterns (en).
BUTTONS = (
    "try(?: it(?: yourself)?)?", "run", "open", "edit", "download", "playground", "open in playground",
    "open cloud ?shell", "explain", "toggle word wrap", "toggle wrap", "show more", "show less", r"open in [\w ]{2,20}",
)  # fmt: skip
#: Names of languages in labels, and in classes next to that of a highlighter; those of no language.
LANGUAGES = frozenset(
    "bash c c# c++ clojure cmake cpp cs csharp css dart diff docker dockerfile elixir elm erlang fish fortran "
    "fsharp go golang graphql groovy haskell hcl html http ini java javascript js json json5 jsonc jsx julia "
    "kotlin latex less lisp lua makefile markdown matlab md mermaid nginx nim nix objc objective-c ocaml perl php "
    "powershell proto protobuf python py python3 r rb rst ruby rust rs sass scala scheme scss sh shell shell-session "
    "solidity sql svelte swift terraform tex toml ts tsx typescript vb vim vue wasm xml yaml yml zig zsh console "
    "text".split()
)
NO_LANGUAGES = frozenset({"default", "none", "plain", "plaintext", "text", "txt", "wrapper", "auto", "nohighlight"})
