"""The parameters of a report, all of them in its link: the items, the title, the notes and the appendix."""

from dataclasses import dataclass, replace

from pages.framework.export.exhibit import MAX_ITEMS, MAX_TEXT, SEPARATOR, Item, read_item
from pages.framework.layout.page import load_page, redirected_link
from pages.framework.parameters.kinds import Choice, FreeText
from pages.framework.parameters.parameter import Parameter, PartlyUsableError


@dataclass(frozen=True)
class ReportItems(Parameter):
    """The parameter that holds the items of a report in their order; unusable items are left out, with a sentence.

    Their texts may hold data of the user's own that were included in the link of a page.
    """

    key: str = "items"
    symbol: str = "items"
    default: str = ""

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        form = f"page/exhibit?parameters#note, separated by {SEPARATOR}"
        return f"at most {MAX_ITEMS} items {form}, {MAX_TEXT:,} characters"

    def read(self, entry: str) -> tuple[Item, ...]:
        """Return the items that a text lists, none if it is empty; PartlyUsableError if some cannot be used."""
        items: list[Item] = []
        problems: list[str] = []
        size = 0
        parts = [part for part in entry.split(SEPARATOR) if part.strip()]
        for place, part in enumerate(parts[:MAX_ITEMS], 1):
            size += len(part) + 1
            try:
                if size > MAX_TEXT:
                    raise ValueError(f"The items have {MAX_TEXT:,} characters at most.")
                items.append(_redirected(read_item(part.strip())))
            except ValueError as error:
                problems.append(f"Item {place}: {error} It is left out.")
        if len(parts) > MAX_ITEMS:
            problems.append(f"The link lists {len(parts):,} items; only the first {MAX_ITEMS} are shown.")
        if problems:
            raise PartlyUsableError(SEPARATOR.join(item.text() for item in items), problems)
        return tuple(items)

    def data_in(self, entry: str) -> str:
        """Return what data of the user's own the items hold, in words; an empty text for none.

        >>> ReportItems().data_in("Tables/answer?table=own&own=North%3D12%3BSouth%3D3")
        'a table of 2 cells, in an item that is removed with it'
        """
        texts = dict.fromkeys(filter(None, map(_data_in, self._readable(entry))))
        removed = "an item that is removed with it" if len(texts) == 1 else "items that are removed with them"
        return f"{' and '.join(texts)}, in {removed}" if texts else ""

    def without_data(self, entry: str) -> str:
        """Return the text of the items that hold no data of the user's own."""
        return SEPARATOR.join(item.text() for item in self._readable(entry) if not _data_in(item))

    def _readable(self, entry: str) -> tuple[Item, ...]:
        try:
            return self.read(entry)
        except PartlyUsableError as error:
            return self.read(error.entry)


def _redirected(item: Item) -> Item:
    """Return an item with the page and the parameters to which its section has moved."""
    target, entries = redirected_link(item.page, {key: [text] for key, text in item.entries})
    if target == item.page:
        return item
    moved = load_page(item.page).moved_sections[dict(item.entries)["section"].strip()]
    new_entries = tuple((key, texts[-1]) for key, texts in entries.items())
    return replace(item, page=target, entries=new_entries, name=moved.exhibits.get(item.name, item.name))


def _data_in(item: Item) -> str:
    """Return what data of the user's own an item holds, in words; an empty text for none."""
    parameters = {parameter.key: parameter for parameter in load_page(item.page).parameters}
    for key, text in item.entries:
        try:
            if key in parameters and (data := parameters[key].data_in(text)):
                return data
        except ValueError:
            return "a text that can’t be read"
    return ""


TITLE = FreeText("title", "Title", "", max_length=120, min_length=0)
NOTES = FreeText("notes", "Notes", "", max_length=1500, min_length=0, lines=True)
ITEMS = ReportItems()
APPENDIX = Choice("appendix", "appendix", {"with": "Formulas and proofs", "without": "None"}, "with")
PARAMETERS = (TITLE, NOTES, ITEMS, APPENDIX)
