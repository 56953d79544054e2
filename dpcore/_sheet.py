"""The rows of a text file: encoding, separator, names of columns, and one sentence where it can't be read."""

import codecs
import csv
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from itertools import islice

Row = tuple[int, list[str]]  # the line at which it begins, and its entries
Progress = Callable[[float], None]

MOST_BYTES = 40 * 2**20
MOST_COLUMNS = 1000
_MOST_CHARACTERS = 1_000_000  # of a line: what is longer is no table, and would take long to find out
_MOST_LINES = 4_000_000  # blank ones too, and those within quotes
_HEAD = 2**18  # bytes that settle the separator
_CHUNK = 2**20
_EVERY = 2**15  # lines between two reports of progress
_LIKE = re.compile(r"=.*|[-−+]?(?:[.,]?[0-9][0-9.,'’ \u00a0\u202f\u2009]*(?:e[-+]?[0-9]+)?%?|nan|inf(?:inity)?)", re.I)
_NO_SEPARATOR = "\x1f"
_SEPARATORS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", _NO_SEPARATOR: "nothing: there is one"}
_NO_TEXT = {
    b"PK\x03\x04": "is a zip archive or a workbook (.xlsx), not text; save the sheet as CSV",
    b"\x1f\x8b": "is compressed by gzip, not text; unpack it",
    b"%PDF": "is a PDF, not text; copy the table into a CSV",
    b"\xd0\xcf\x11\xe0": "is a workbook (.xls), not text; save the sheet as CSV",
    codecs.BOM_UTF32_LE: "is UTF-32 text; save it as UTF-8",
    codecs.BOM_UTF32_BE: "is UTF-32 text; save it as UTF-8",
}
_WHY = {
    "unexpected end of data": "a quote that opens in this row is never closed",
    "field larger than field limit (131072)": "an entry has more than 131,072 characters; a quote may not be closed",
}


@dataclass(frozen=True)
class Sheet:
    """The rows of a file that are not blank, all of one width, read as they are asked for, and what was taken."""

    rows: Iterator[Row]
    said: tuple[str, ...]


def sheet(data: bytes, progress: Progress) -> Sheet:
    """Open a file of separated values in UTF-8 or UTF-16; `progress` hears the share read, now and then.

    Lines at the top that begin with "# " are left out: so begin the files that the project's own pages save.

    Raises
    ------
    ValueError
        One sentence with the line and the reason, at once or when the row is asked for.
    """
    encoding = _encoding(data)
    head = _checked(data, encoding).splitlines(keepends=True)
    if len(data) > _HEAD and len(head) > 1:
        head.pop()  # it may be cut
    comments = sum(1 for _ in _top(head))
    separator = _separator(head[comments:])
    said = [f"The text is {encoding.upper().removesuffix('-SIG')}; its columns are apart by {_SEPARATORS[separator]}."]
    if separator == _NO_SEPARATOR:
        said = [f"The text is {encoding.upper().removesuffix('-SIG')} and has one column."]
    if comments:
        said.append(f"Lines at the top that begin with # are left out: {comments}.")
    return Sheet(_rows(_lines(data, encoding, comments, progress), separator), tuple(said))


def text_of(data: bytes) -> str:
    """Return the text of a file in UTF-8 or UTF-16, without the lines at the top that begin with "# ".

    Each of these lines is left blank, so that the others keep their numbers. ValueError names the line and the reason
    where the bytes are no text.

    >>> text_of("cell,count".encode("utf-16"))
    'cell,count'
    """
    lines = "".join(_decoded(data, _encoding(data))).splitlines(keepends=True)
    comments = sum(1 for _ in _top(lines))
    return "\n" * comments + "".join(lines[comments:])


def unpacked(data: bytes, most: int, too_much: str) -> bytes:
    """A file as it is, or unpacked where it is packed by gzip; ValueError with `too_much` above `most` bytes.

    >>> unpacked(b"lat,lon", 100, "too much")
    b'lat,lon'
    """
    if data.startswith(b"\x1f\x8b"):
        unpacker = zlib.decompressobj(wbits=31)  # 31: with gzip's header
        try:
            data = unpacker.decompress(data, most + 1)
        except zlib.error:
            data = b""
        if not unpacker.eof and len(data) <= most:
            raise ValueError("line 1: the file begins like one packed by gzip, but cannot be unpacked to its end")
    if len(data) > most:
        raise ValueError(too_much)
    return data


def _encoding(data: bytes) -> str:
    """How the bytes are text; ValueError where they are none."""
    if len(data) > MOST_BYTES:
        raise ValueError(f"the file has {len(data) / 2**20:,.1f} MB, more than {MOST_BYTES // 2**20} MB")
    for mark, what in _NO_TEXT.items():
        if data.startswith(mark):
            raise ValueError(f"line 1: the file {what}")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise ValueError(
            f"line {line}: a zero byte, so the file is binary, or UTF-16 without its mark; save it as UTF-8"
        )
    return "utf-8-sig"


def _checked(data: bytes, encoding: str) -> str:
    """Return the first characters of a text, all of which is decoded to see that it can be."""
    head = ""
    for text in _decoded(data, encoding):
        head = head or text[:_HEAD]
    return head


def _decoded(data: bytes, encoding: str) -> Iterator[str]:
    """Yield a text in pieces; ValueError with the line where the bytes are no text."""
    decoder, view, line = codecs.getincrementaldecoder(encoding)(), memoryview(data), 1
    for start in range(0, len(data), _CHUNK):
        piece = bytes(view[start : start + _CHUNK])
        try:
            text = decoder.decode(piece, final=start + _CHUNK >= len(data))
        except UnicodeDecodeError as error:
            line += error.object[: error.start].decode(error.encoding).count("\n")
            name, byte = encoding.upper().removesuffix("-SIG"), error.object[error.start]
            raise ValueError(f"line {line}: byte 0x{byte:02x} is no {name} text; save the file as UTF-8") from None
        if "\0" in text:
            line += text[: text.index("\0")].count("\n")
            raise ValueError(f"line {line}: a zero character, so the file is binary; save it as UTF-8 text")
        line += text.count("\n")
        yield text


def _top(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith("# "):
            return
        yield line


def _separator(head: list[str]) -> str:
    """The first of tab, semicolon, bar and comma that cuts all of the first rows into as many entries, at least two."""
    widths = {each: _widths(head, each) for each in _SEPARATORS}
    for each, found in widths.items():
        if len(set(found)) == 1 and found[0] > 1:
            return each
    first = {each: found[0] for each, found in widths.items() if found}
    if max(first.values(), default=2) > 1:
        return max(first, key=lambda each: first[each], default=",")
    widest = {each: max(found) for each, found in widths.items() if found}
    numbers = all(like_a_number(line) for line in head[1:] if line.strip())
    return _NO_SEPARATOR if numbers or max(widest.values()) == 1 else max(widest, key=lambda each: widest[each])


def _widths(head: list[str], separator: str) -> list[int]:
    rows = csv.reader(head, delimiter=separator, skipinitialspace=True)
    try:
        return [len(row) for row in islice(rows, 200) if "".join(row).strip()]
    except csv.Error:  # a quote that isn't one with this separator, or is never closed
        return []


def _lines(data: bytes, encoding: str, comments: int, progress: Progress) -> Iterator[str]:
    """The lines of a text, blank for a comment, so that they keep their numbers."""
    raw = BytesIO(data)
    for line, text in enumerate(TextIOWrapper(raw, encoding, newline=""), 1):
        if len(text) > _MOST_CHARACTERS:
            raise ValueError(f"line {line}: more than {_MOST_CHARACTERS:,} characters, so it is no row of a table")
        if line > _MOST_LINES:
            raise ValueError(f"line {line}: more than {_MOST_LINES:,} lines")
        if line % _EVERY == 0:
            progress(raw.tell() / len(data))
        yield text if line > comments else "\n"
    progress(1.0)


def _rows(lines: Iterator[str], separator: str) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    width, first, began = 0, 0, 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            why = _WHY.get(str(error), "after a quote that closes there must be a separator or the end of the line")
            raise ValueError(f"line {began}: {why}") from None
        if row is None:
            return
        line, began = began, reader.line_num + 1
        if not (row and row[0].strip()) and not "".join(row).strip():  # the first entry mostly settles it, soon
            continue
        if not width:
            width, first = len(row), line
            if width > MOST_COLUMNS:
                raise ValueError(f"line {line}: {width:,} columns, more than {MOST_COLUMNS:,}")
        if len(row) != width:
            raise ValueError(f"line {line}: {len(row):,} entries, where line {first} has {width:,}")
        yield line, row


def like_a_number(entry: str) -> bool:
    """Whether an entry looks like a number or a formula, so that its column may be one of counts.

    >>> like_a_number("-3.5"), like_a_number("12 %"), like_a_number("=SUM(A1:A3)"), like_a_number("2020-01-01")
    (True, True, True, False)
    """
    return _LIKE.fullmatch(entry.strip()) is not None


def distinct(names: list[str]) -> tuple[list[str], int]:
    """Names on one line each, of which none is twice, and how many had to get a number for that.

    >>> distinct(["North", "South", "North"])
    (['North', 'South', 'North (2)'], 1)
    """
    taken: dict[str, int] = {}
    result = [name if name.isprintable() and "  " not in name else " ".join(name.split()) for name in names]
    if len(set(result)) == len(result):
        return result, 0
    known, changed = set(result), 0
    for place, name in enumerate(result):
        number = taken[name] = taken.get(name, 0) + 1
        if number == 1:
            continue
        while f"{name} ({number})" in known:
            number += 1
        taken[name], changed = number, changed + 1
        result[place] = f"{name} ({number})"
        known.add(result[place])
    return result, changed


def shown(text: str) -> str:
    """A stranger's text on one line, short enough for a sentence.

    >>> shown("a" * 50) == "a" * 40 + "…"
    True
    """
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:40] + "…"
