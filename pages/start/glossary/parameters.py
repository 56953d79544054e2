"""The parameter of the glossary: the entry that is open."""

from dataclasses import dataclass

from pages.framework.parameters.parameter import PartlyUsableError, excerpt
from pages.start.glossary.entries_data import ENTRIES


@dataclass(frozen=True)
class Term:
    """The parameter that holds the key of the open entry of the glossary, "none" if none is open."""

    key: str = "term"
    symbol: str = "entry of the glossary"
    default: str = "none"

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        return "none or the key of an entry, such as median"

    def read(self, entry: str) -> str:
        """Return the key of an entry or "none".

        Raises
        ------
        PartlyUsableError
            if there is no such entry: with a sentence on that.
        """
        if entry != self.default and entry not in ENTRIES:
            sentence = f"The glossary has no entry with the key {excerpt(entry) or 'of an empty text'} ({self.key})."
            raise PartlyUsableError(self.default, [f"{sentence} No entry is open; the search finds all of them."])
        return entry


TERM = Term()
