"""Files and pasted texts of the user's own: what is read from them, offers to repair it, and their packed copies."""

import base64
import binascii
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from pages.framework.parameters.parameter import excerpt

MAX_PACKED = 3_000_000  # characters of one copy: browsers give a tab some 5 million
MAX_IN_ALL = 400_000_000  # bytes for all sessions of the process


@dataclass(frozen=True, eq=False)
class Copy:
    """A packed copy that the browser stores, a token that changes with it, and the bytes that the copy counts as.

    The text and the token are empty if the user has removed the data.
    """

    token: str = ""
    packed: str = ""
    size: int = 0


_copies: WeakSet[Copy] = WeakSet()


def copy_within_limit(token: str, packed: str, size: int) -> Copy | None:
    """Return a copy that counts towards the limit as long as it exists; None if the limit leaves no room for it.

    `size` is that of the unpacked data if it is known, since a session also holds what is read from them.
    """
    copy = Copy(token, packed, max(size, len(packed)))
    if len(packed) > MAX_PACKED or sum(other.size for other in list(_copies)) + copy.size > MAX_IN_ALL:
        return None
    _copies.add(copy)
    return copy


T = TypeVar("T")
OWN = "own"
"""The text of the parameter that chooses data which says that they are the user's own."""
LINKED = "link"
"""The field of `DataFiles` of data that came with the link, as the text of its parameter."""
NOTHING_DRAWN = "Nothing is drawn in its place."
MAX_RAW = 12_000_000  # bytes of the largest files that are packed
_MAX_HEAD = 1_000_000  # bytes of their names and choices
MAX_FILES = 16
_LEVEL = 6  # of compression


def box_key(slot: str) -> str:
    """Return the key of the box with the fields for own data of a slot, by which a link unfolds it."""
    return f"own_{slot}_box"


@dataclass(frozen=True, eq=False)
class DataFiles:
    """Files and pasted texts, each a name and bytes, by the field that they came through, and how they are to be read.

    `choices` are what the user chose for them: texts, tuples of texts, or None for what is still open. `memory` is what
    a reader remembers of them for the next time that it reads them; no copy contains it.
    """

    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)
    memory: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Return the approximate bytes of the files and of the choices."""
        return sum(len(content) for _, content in self.files.values()) + len(str(self.choices))

    def with_choices(self, defaults: Mapping[str, Any]) -> "DataFiles":
        """Return the files with those of their choices that are of the kind of their defaults, else the default.

        >>> DataFiles(choices={"kind": 7, "columns": ["a"], "x": ""}).with_choices({"kind": "", "columns": ()}).choices
        {'kind': '', 'columns': ('a',)}
        """
        choices = dict(defaults)
        for name, default in defaults.items():
            choice = self.choices.get(name)
            if isinstance(default, tuple) and isinstance(choice, list | tuple):
                choices[name] = tuple(map(str, choice))
            elif not isinstance(default, tuple) and isinstance(choice, str):
                choices[name] = choice
        return replace(self, choices=choices)

    @property
    def file(self) -> tuple[str, bytes]:
        """Return the name and the bytes of the only file."""
        return next(iter(self.files.values()))


@dataclass(frozen=True)
class FileInput:
    """A field for a file; another file in it makes the choices `resets` void, which are all where it names none."""

    name: str
    label: str
    types: tuple[str, ...]
    help: str = ""
    resets: tuple[str, ...] | None = None


@dataclass(frozen=True)
class TextInput:
    """A field for a text; with `text_in_use`, it shows the data in use as that function writes them, to be edited."""

    name: str
    label: str
    help: str
    placeholder: str = ""
    subject: str = "The pasted text"
    text_in_use: Callable[[], str] | None = None


@dataclass(frozen=True)
class Offer:
    """A button that repairs a problem or takes a repair back: choices for the reader, and texts of parameters."""

    key: str
    label: str
    choices: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    is_primary: bool = False


@dataclass(frozen=True)
class ChoiceField:
    """A field for a choice on how data are read: one of `options`, or several, or a text where there are no options.

    `labels` are what options are called where it is not their text; `resets` are other choices that this one changes.
    """

    name: str
    label: str
    used: Any
    options: tuple[Any, ...] | None = None
    labels: Mapping[Any, str] = field(default_factory=dict)
    help: str | None = None
    is_multiple: bool = False
    resets: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ReadData(Generic[T]):
    """What was read: the content for the page, the sentence on what is wrong with it, and offers to repair that.

    `details` is a longer text on the problems, and `notes` say how the data were read. `link_text` is the text of a
    parameter that holds the content in a link; where there is none, `unlinkable` says why. `copy` is what the tab of
    the browser stores instead of files that are too large for it; `memory` is for the reader itself (see `DataFiles`).
    """

    content: T
    problem: str = ""
    details: str = ""
    offers: tuple[Offer, ...] = ()
    notes: tuple[str, ...] = ()
    link_text: str = ""
    unlinkable: str = ""
    copy: DataFiles | None = None
    memory: Mapping[str, Any] = field(default_factory=dict)


def for_link(make_text: Callable[[], str]) -> dict[str, Any]:
    """Return the text of data for a link, or why a link can't hold them, as the fields of `ReadData`."""
    try:
        return {"link_text": make_text()}
    except ValueError as error:
        return {"unlinkable": str(error)}


def unreadable_text(name: str, error: object) -> str:
    """Return why a file can't be read."""
    return f"{excerpt(name)} can’t be read: {error}. {NOTHING_DRAWN}"


def pack(data: DataFiles) -> str:
    """Return data as a packed text for the browser; an empty text if it would be too long to store.

    >>> copy = unpack(pack(DataFiles({"file": ("a.csv", b"x,1")}, {"kind": "column"})))
    >>> copy.files, copy.choices
    ({'file': ('a.csv', b'x,1')}, {'kind': 'column'})
    """
    if data.size > MAX_RAW:
        return ""
    sizes = [[name, len(content), source] for source, (name, content) in data.files.items()]
    head = json.dumps({"files": sizes, "options": dict(data.choices)}).encode()
    body = b"".join(content for _, content in data.files.values())
    packed = base64.b64encode(zlib.compress(len(head).to_bytes(4, "big") + head + body, _LEVEL)).decode()
    return packed if len(packed) <= MAX_PACKED else ""


def unpack(packed: str) -> DataFiles:
    """Return the data of a packed text of the browser, which may be anything; ValueError if it is no copy."""
    try:
        expander = zlib.decompressobj()
        raw = expander.decompress(base64.b64decode(packed, validate=True), MAX_RAW + _MAX_HEAD)
        if not expander.eof:
            raise ValueError("the copy is too long or was cut")
        start = 4 + int.from_bytes(raw[:4], "big")
        head = json.loads(raw[4:start])
        choices, files = head["options"], {}
        for name, size, *source in head["files"][:MAX_FILES]:
            if not isinstance(name, str) or not isinstance(size, int) or not 0 <= size <= len(raw) - start:
                raise ValueError("the copy names no file")
            files[str(source[0]) if source else "file"] = (name, raw[start : start + size])
            start += size
    except (binascii.Error, zlib.error, UnicodeDecodeError, RecursionError, KeyError, TypeError) as error:
        raise ValueError("the copy can’t be unpacked") from error
    if not isinstance(choices, dict):
        raise ValueError("the copy has no choices")
    return DataFiles(files, choices)
