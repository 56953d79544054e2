"""All entries of the glossary, in the order of their names, and the parameter that has the open one."""

from dataclasses import dataclass

from pages.framework.parameters.parameter import Parameter, PartlyUsableError, excerpt
from pages.start.glossary import guarantee_data, noise_data, publication_data
from pages.start.glossary.text import Entry

_GREEK = {"α": "alpha", "δ": "delta", "ε": "epsilon", "μ": "mu", "ρ": "rho", "σ": "sigma"}


def index_name(entry: Entry) -> str:
    """Return the name by which an entry is sorted: without signs, and with Greek letters as words."""
    words = "".join(_GREEK.get(letter, letter) for letter in entry.name.lower())
    return words.lstrip("(")


MODULES = (guarantee_data, noise_data, publication_data)
_UNSORTED = {key: entry for module in MODULES for key, entry in module.ENTRIES.items()}
ENTRIES = {key: _UNSORTED[key] for key in sorted(_UNSORTED, key=lambda key: index_name(_UNSORTED[key]))}
"""The entries by their keys, which name them in links, in the order of their names."""


@dataclass(frozen=True)
class Term(Parameter):
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
            sentence = f"The glossary has no entry with the key {excerpt(entry) or 'of an empty text'}."
            raise PartlyUsableError(self.default, [f"{sentence} No entry is open; the search finds all of them."])
        return entry


TERM = Term()
