"""Words around blocks of code: buttons by language, and names of programming languages."""

from __future__ import annotations

from .word_lists import entries

#: Buttons that copy, fold or wrap a block, and others.
COPY, BUTTONS = entries("code_labels")["COPY"], entries("code_labels")["BUTTONS"]
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
