"""Data of a session from which a report item is made and which no link contains."""

from dataclasses import dataclass, replace

from pages.framework.export.report_item import Item
from pages.framework.rendering.uploaded_files import NO_UPLOADS, UploadedFiles

_LONG = 200  # characters of a parameter that stays in the session with the data


@dataclass(frozen=True)
class ItemData:
    """The uploads of a page, and those texts of its parameters that are too long for the link of a report."""

    uploads: UploadedFiles = NO_UPLOADS
    entries: tuple[tuple[str, str], ...] = ()

    @property
    def n_bytes(self) -> int:
        """Return the approximate bytes of the data."""
        return len(self.uploads.packed) + sum(len(entry) for _, entry in self.entries)


def split_item(item: Item, uploads: UploadedFiles) -> tuple[Item, ItemData]:
    """Return an item without its long texts, and the data that it needs beside what is left of it.

    >>> from pages.framework.site import site
    >>> short, data = split_item(Item(site().pages[1], "ratio", (("epsilon", "2"), ("own", "a=1;" * 80))), NO_UPLOADS)
    >>> short.text(), data.entries == (("own", "a=1;" * 80),)
    ('Gaussian_bounds/ratio?epsilon=2', True)
    """
    is_long = {key: len(entry) > _LONG for key, entry in item.entries}
    short = tuple((key, entry) for key, entry in item.entries if not is_long[key])
    long = tuple((key, entry) for key, entry in item.entries if is_long[key])
    copy = UploadedFiles(uploads.token, (), uploads.packed) if uploads.token else NO_UPLOADS  # without its cache
    return replace(item, entries=short), ItemData(copy, long)
