"""Files that a section offers at the end of its page, such as a program."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Download:
    """A file: its name, the words on its button, and its content, given the link of the page's setting."""

    name: str
    label: str
    content: Callable[[str], bytes]


@dataclass(frozen=True)
class Downloads:
    """Files under a name, with a sentence in Markdown on what they are."""

    name: str
    text: str
    files: tuple[Download, ...]


def no_downloads(_: object) -> None:
    """Return None, for a section that offers no files."""
    return
