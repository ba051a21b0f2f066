"""classify.systems.reading: how systems read a page: as a stream of words and tags, as lines, as text nodes."""
