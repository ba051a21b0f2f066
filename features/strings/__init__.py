"""features.strings: character counts of texts, and flags of words in names of elements."""
