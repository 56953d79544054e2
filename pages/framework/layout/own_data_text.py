"""The sentences on where a user's own data are and how long: one wording for all pages. A noun on s is a plural."""

DATA_STAY = (
    "Your data stay on the machine that runs this page until the session ends, and in this tab of your browser, also "
    "through a reload, until you close it, unless they are too large for it. The link does not contain them."
)
_SET_ASIDE = (
    "The page uses the {noun} in the link. The session also has the {noun} that you uploaded last, and uses {pronoun} "
    "if the link contains none, for example one step forward in the history. If you take the {noun} out of the link, "
    "{verb} in the session instead of the uploaded {noun}."
)


def these(noun: str) -> str:
    """Return a noun after this or these.

    >>> these("table"), these("values")
    ('this table', 'these values')
    """
    return f"these {noun}" if noun.endswith("s") else f"this {noun}"


def storage_text(noun: str, is_stored: bool) -> str:
    """Return where data of the session are that the link does not contain.

    >>> storage_text("table", True), storage_text("values", False)
    ('The table is not in the link. This tab stores it, also through a reload, until you close the tab.', \
'The values are not in the link, and too large for this tab to store: after a reload, upload them again.')
    """
    verb, pronoun = ("are", "them") if noun.endswith("s") else ("is", "it")
    outside = f"The {noun} {verb} not in the link"
    if is_stored:
        return f"{outside}. This tab stores {pronoun}, also through a reload, until you close the tab."
    return f"{outside}, and too large for this tab to store: after a reload, upload {pronoun} again."


def link_text(noun: str) -> str:
    """Return that the link contains data.

    >>> link_text("values")
    'The values are in the link: whoever gets it can read them.'
    """
    verb, pronoun = ("are", "them") if noun.endswith("s") else ("is", "it")
    return f"The {noun} {verb} in the link: whoever gets it can read {pronoun}."


def set_aside_text(noun: str) -> str:
    """Return that the data of the link stand before those of the session."""
    verb, pronoun = ("they stay", "them") if noun.endswith("s") else ("it stays", "it")
    return _SET_ASIDE.format(noun=noun, verb=verb, pronoun=pronoun)


def unlinkable_text(noun: str, reason: str) -> str:
    """Return why a link can't contain data; an empty text where it can.

    >>> unlinkable_text("table", "a link holds 64 cells"), unlinkable_text("table", "")
    ('This table can’t be included: a link holds 64 cells.', '')
    """
    return reason and f"{these(noun).capitalize()} can’t be included: {reason}."
