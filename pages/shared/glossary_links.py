"""Links from texts and from the help of fields to the entry of the glossary on a word."""


def glossary_link(term: str, words: str) -> str:
    """Return the link to an entry of the glossary in Markdown: the key of the entry, and the words of the link.

    >>> glossary_link("median", "medians")
    '[medians](./?section=glossary&term=median)'
    """
    return f"[{words}](./?section=glossary&term={term})"


def more_text(term: str, words: str) -> str:
    """Return the sentence that ends the help of a field: the link to the entry on its word.

    >>> more_text("delta", "δ")
    ' More in the glossary: [δ](./?section=glossary&term=delta).'
    """
    return f" More in the glossary: {glossary_link(term, words)}."
