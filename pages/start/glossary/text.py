"""An entry of the glossary: what is in sight, what is folded, and the pages where its word is used."""

from collections.abc import Mapping
from dataclasses import dataclass

from pages.framework.layout.page import load_page
from pages.framework.layout.section import Article
from pages.framework.site import PageEntry, site
from pages.shared.page_links import Link


def menu_name(page: PageEntry, section: str) -> str:
    """Return the name in the navigation of what a key of links opens on a page."""
    return site().menu_entry(page, load_page(page).merged_key(section)).name


@dataclass(frozen=True)
class Entry:
    """An entry of the glossary, whose `meaning` has at most 40 words and begins with a sentence for everybody.

    `more` is folded: an example and what only some need, with its `source`. `places` are the
    pages and sections where the word is used, and `other_names` those by which a search finds the entry too.
    """

    name: str
    meaning: str
    more: str = ""
    source: str = ""
    places: tuple[tuple[PageEntry, str], ...] = ()
    other_names: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All that the entry says, without its source."""
        return f"{self.meaning} {self.more}".strip()

    def article(self, key: str, entries: Mapping[str, str]) -> Article:
        """Return the entry of a key as the page shows it; its links to pages carry the shared parameters."""
        links = [
            Link(page, menu_name(page, section), {**entries, **({"section": section} if section else {})})
            for page, section in self.places
        ]
        source = f"Source: {self.source}." if self.source else ""
        used = f"Used on {' and '.join(link.markdown for link in links)}." if links else ""
        more = "\n\n".join(filter(None, (self.more, f"{source} {used}".strip())))
        return Article(key, self.name, self.meaning, more, self.other_names)
