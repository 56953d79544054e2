"""All entries of the glossary, by their keys, in the order of their names."""

from pages.start.glossary import attack_data, composition_data, guarantee_data, noise_data, publication_data
from pages.start.glossary.text import Entry

_GREEK = {"α": "alpha", "δ": "delta", "ε": "epsilon", "μ": "mu", "ρ": "rho", "σ": "sigma"}


def index_name(entry: Entry) -> str:
    """Return the name by which an entry is sorted: without signs, and with Greek letters as words.

    >>> [index_name(entry) for entry in (guarantee_data.ENTRIES[1], guarantee_data.ENTRIES[4])]
    ['epsilon, the privacy loss parameter', 'epsilon, delta)-dp']
    """
    words = "".join(_GREEK.get(letter, letter) for letter in entry.name.lower())
    return words.lstrip("(")


MODULES = (guarantee_data, noise_data, publication_data, composition_data, attack_data)
ENTRIES = {
    entry.key: entry for entry in sorted((entry for module in MODULES for entry in module.ENTRIES), key=index_name)
}
