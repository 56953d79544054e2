"""The names of the files of a report."""

from pages.framework.export.report_item import Item


def file_name(place: int, item: Item) -> str:
    """The name of what an item shows, without its ending: its place from 1, its page, its exhibit; letters that no
    system of files minds.
    """
    path = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in item.page.path or "Start")
    return f"{place + 1:02}_{path}_{item.name}"
