"""What a report is made of, all of it in its link: the items, the title and the notes."""

from pages.shared.items import Items
from pages.shared.parameters import Words

TITLE = Words("title", "Title", "", most=120, least=0)
NOTES = Words("notes", "Notes", "", most=1500, least=0, lines=True)
ITEMS = Items()
OWN = (TITLE, NOTES, ITEMS)
