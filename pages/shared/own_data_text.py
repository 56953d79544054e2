"""The sentences on where a user's own data are and how long: one wording for all pages."""

DATA_STAY = (
    "Your data stay on the machine that runs this page until the session ends, and in this tab of your browser, also "
    "through a reload, until you close it, unless they are too large for it. The link does not contain them."
)


def storage_text(subject: str, is_stored: bool) -> str:
    """Return where data of the session are that the link does not contain.

    >>> storage_text("The table", True), storage_text("The values", False)
    ('The table is not in the link. This tab stores it, also through a reload, until you close the tab.', \
'The values are not in the link, and too large for this tab to store: after a reload, upload them again.')
    """
    verb, pronoun = ("are", "them") if subject.endswith("s") else ("is", "it")
    outside = f"{subject} {verb} not in the link"
    if is_stored:
        return f"{outside}. This tab stores {pronoun}, also through a reload, until you close the tab."
    return f"{outside}, and too large for this tab to store: after a reload, upload {pronoun} again."
