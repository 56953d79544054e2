"""The parameters of a report, all of them in its link: the items, the title and the notes."""

from dataclasses import dataclass

from pages.framework.export.report_item import SEPARATOR, Item, Items
from pages.framework.layout.page import load_page
from pages.framework.parameters.kinds import FreeText, HoldsData, PartlyUsableError


@dataclass(frozen=True)
class ReportItems(Items):
    """The items of a report, whose texts may hold data of the user's own that were included in the link of a page."""

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


def _data_in(item: Item) -> str:
    """Return what data of the user's own an item holds, in words; an empty text for none."""
    parameters = load_page(item.page).parameters
    with_data = {parameter.key: parameter for parameter in parameters if isinstance(parameter, HoldsData)}
    descriptions = (_readable_data(with_data[key], text) for key, text in item.entries if key in with_data)
    return next(filter(None, descriptions), "")


def _readable_data(parameter: HoldsData, text: str) -> str:
    try:
        return parameter.data_in(text)
    except ValueError:
        return "a text that can't be read"


TITLE = FreeText("title", "Title", "", max_length=120, min_length=0)
NOTES = FreeText("notes", "Notes", "", max_length=1500, min_length=0, lines=True)
ITEMS = ReportItems()
PARAMETERS = (TITLE, NOTES, ITEMS)
