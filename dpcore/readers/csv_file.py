"""The one reader of CSV files: compression, encoding, separator, rows, and one sentence where a file cannot be read."""

import codecs
import csv
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from itertools import islice, takewhile

from dpcore.readers.notes import CommentLines, FileNote, TextFormat
from dpcore.readers.number_columns import is_number, looks_numeric, n_columns_text

MOST_BYTES = 40 * 2**20


HEAD_CHARACTERS = 2**18  # The number of characters from which the separator is guessed.


Row = tuple[int, list[str]]
"""The line at which a row begins, and its entries."""
Progress = Callable[[float], None]
"""A function that is called now and then with the share of the file that is read, a number in [0, 1]."""

MOST_ROWS = 1_000_000
MOST_COLUMNS = 1000
ANY_SEPARATOR = "any"
"""The separator of `open_csv` that stands for every run of spaces, tabs, commas and semicolons."""
_MOST_CHARACTERS = 1_000_000  # A longer line is no row of a table, and parsing it would take long.
_MOST_LINES = 4_000_000  # Blank lines and lines within quotes count too.
_CHUNK_ROWS = 2**9  # With larger chunks, Python's garbage collector takes longer than the work on a chunk.
_LINES_PER_REPORT = 2**15
_SEPARATOR_RUN = re.compile(r"[\s,;]+")
NO_SEPARATOR = "\x1f"
"""The separator of `open_csv` for lines that are one entry each."""
_SEPARATORS = ("\t", ";", "|", ",", NO_SEPARATOR)
_REASONS = {
    "unexpected end of data": "a quote that opens in this row is never closed",
    "field larger than field limit (131072)": "an entry has more than 131,072 characters; a quote may not be closed",
}


@dataclass(frozen=True)
class CsvFile:
    """The rows of a file that are not blank, which are read when they are requested, and how the file was read."""

    rows: Iterator[Row]
    notes: tuple[FileNote, ...]


def ignore_progress(_: float) -> None:
    """Ignore the share of the file that is read."""


def open_csv(
    data: bytes, progress: Progress = ignore_progress, separator: str = "", same_width: bool = True
) -> CsvFile:
    r"""Open a file of separated values in UTF-8 or UTF-16.

    Lines at the top that begin with "# " are left out, because the files that the pages save begin with such lines.

    Parameters
    ----------
    data : at most 40 MB.
    progress : is called now and then with the share of the file that is read.
    separator : a character, or `ANY_SEPARATOR`; if it is empty, the first lines decide between tabs, semicolons, bars
        and commas.
    same_width : whether a row with another number of entries than the first row is refused.

    Raises
    ------
    ValueError
        One sentence with the line and the reason, at once or when the row is requested.

    Examples
    --------
    >>> list(open_csv(b"cell;count\nNorth;12\n").rows)
    [(1, ['cell', 'count']), (2, ['North', '12'])]
    """
    encoding = _detected_encoding(data)
    head = _checked_head(data, encoding).splitlines(keepends=True)
    if len(data) > HEAD_CHARACTERS and len(head) > 1:
        head.pop()  # The last line may be cut.
    comments = len(list(takewhile(lambda line: line.startswith("# "), head)))
    lines = _lines(data, encoding, comments, progress)
    if separator == ANY_SEPARATOR:
        lines, separator = map(_tab_separated, lines), "\t"
    separator = separator or _separator(head[comments:])
    notes: list[FileNote] = [TextFormat(_encoding_name(encoding), separator.replace(NO_SEPARATOR, ""))]
    if comments:
        notes.append(CommentLines(comments))
    return CsvFile(_rows(lines, separator, same_width), tuple(notes))


def chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield rows in lists of at most 512; ValueError for more than a million of them.

    >>> [len(chunk) for chunk in chunks([(line, ["x"]) for line in range(600)])]
    [512, 88]
    """
    left, n_rows = iter(rows), 0
    while chunk := list(islice(left, _CHUNK_ROWS)):
        n_rows += len(chunk)
        if n_rows > MOST_ROWS:
            raise ValueError(f"line {chunk[MOST_ROWS - n_rows][0]}: more than {MOST_ROWS:,} rows")
        yield chunk


def _tab_separated(line: str) -> str:
    return "\t".join(filter(None, _SEPARATOR_RUN.split(line))) + "\n"


def _separator(head: list[str]) -> str:
    """Return the first separator that cuts each of the first rows into the same number of entries, at least two.

    The order is tab, semicolon, bar, comma. Without such a separator, it is the one that cuts most of the rows so, and
    more than half of them.
    """
    widths = {separator: _widths(head, separator) for separator in _SEPARATORS}
    for separator, row_widths in widths.items():
        if len(set(row_widths)) == 1 and row_widths[0] > 1:
            return separator
    numbers = all(looks_numeric(line) for line in head[1:] if line.strip())
    agreement = {separator: _n_agreeing(row_widths) for separator, row_widths in widths.items()}
    agreeing = max(agreement, key=lambda separator: agreement[separator])
    if not numbers and 2 * agreement[agreeing] > len(widths[agreeing]):
        return agreeing
    if all(is_number(line) for line in head if line.strip()):
        return NO_SEPARATOR
    first = {separator: row_widths[0] for separator, row_widths in widths.items() if row_widths}
    if max(first.values(), default=2) > 1:
        return max(first, key=lambda separator: first[separator], default=",")
    widest = {separator: max(row_widths) for separator, row_widths in widths.items() if row_widths}
    if numbers or max(widest.values()) == 1:
        return NO_SEPARATOR
    return max(widest, key=lambda separator: widest[separator])


def _n_agreeing(row_widths: list[int]) -> int:
    """Return how many rows have the most frequent number of entries among those with at least two."""
    widths = [width for width in row_widths if width > 1]
    return max(map(widths.count, set(widths)), default=0)


def _widths(head: list[str], separator: str) -> list[int]:
    rows = csv.reader(head, delimiter=separator, skipinitialspace=True)
    try:
        return [len(row) for row in islice(rows, 200) if "".join(row).strip()]
    except csv.Error:  # With this separator a quote is at the wrong place or never closed.
        return []


def _lines(data: bytes, encoding: str, comments: int, progress: Progress) -> Iterator[str]:
    """Yield the lines of a text; comment lines are blank, so that the other lines keep their numbers."""
    raw = BytesIO(data)
    for line, text in enumerate(TextIOWrapper(raw, encoding, newline=""), 1):
        if len(text) > _MOST_CHARACTERS:
            raise ValueError(f"line {line}: more than {_MOST_CHARACTERS:,} characters, so it is not a row of a table")
        if line > _MOST_LINES:
            raise ValueError(f"line {line}: more than {_MOST_LINES:,} lines")
        if line % _LINES_PER_REPORT == 0:
            progress(raw.tell() / len(data))
        yield text if line > comments else "\n"
    progress(1.0)


def _rows(lines: Iterator[str], separator: str, same_width: bool) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    width, first, next_line = 0, 0, 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            default = "after a quote that closes there must be a separator or the end of the line"
            raise ValueError(f"line {next_line}: {_REASONS.get(str(error), default)}") from None
        if row is None:
            return
        line, next_line = next_line, reader.line_num + 1
        if not (row and row[0].strip()) and not "".join(row).strip():  # The first entry is mostly enough, and fast.
            continue
        if not width:
            width, first = len(row), line
            if width > MOST_COLUMNS:
                raise ValueError(f"line {line}: {width:,} columns, more than {MOST_COLUMNS:,}")
        if len(row) != width and same_width:
            raise ValueError(f"line {line}: {n_columns_text(len(row))}, where line {first} has {width:,}")
        yield line, row


_CHUNK_BYTES = 2**20


_NO_TEXT = {
    b"PK\x03\x04": "is a zip archive or a workbook (.xlsx), not text; save the sheet as CSV",
    b"\x1f\x8b": "is compressed by gzip, not text; unpack it",
    b"%PDF": "is a PDF, not text; copy the table into a CSV",
    b"\xd0\xcf\x11\xe0": "is a workbook (.xls), not text; save the sheet as CSV",
    codecs.BOM_UTF32_LE: "is UTF-32 text; save it as UTF-8",
    codecs.BOM_UTF32_BE: "is UTF-32 text; save it as UTF-8",
}


def decompress(data: bytes, most: int, too_much: str) -> bytes:
    """Return a file as it is, or its content where it is compressed by gzip.

    ValueError with the sentence `too_much` is raised above `most` bytes.

    >>> decompress(b"lat,lon", 100, "too much")
    b'lat,lon'
    """
    if data.startswith(b"\x1f\x8b"):
        decompressor = zlib.decompressobj(wbits=31)  # 31 stands for a stream with gzip's header.
        try:
            data = decompressor.decompress(data, most + 1)
        except zlib.error:
            data = b""
        if not decompressor.eof and len(data) <= most:
            raise ValueError("line 1: the file begins like one packed by gzip, but cannot be unpacked to its end")
    if len(data) > most:
        raise ValueError(too_much)
    return data


def _encoding_name(encoding: str) -> str:
    """Return the name of an encoding as a user knows it."""
    return encoding.upper().removesuffix("-SIG")


def _detected_encoding(data: bytes) -> str:
    """Return the encoding of a text; ValueError where the bytes are no text."""
    if len(data) > MOST_BYTES:
        raise ValueError(f"the file has {len(data) / 2**20:,.1f} MB, more than {MOST_BYTES // 2**20} MB")
    for mark, reason in _NO_TEXT.items():
        if data.startswith(mark):
            raise ValueError(f"line 1: the file {reason}")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise ValueError(
            f"line {line}: a zero byte, so the file is binary, or UTF-16 without its mark; save it as UTF-8"
        )
    return "utf-8-sig"


def _checked_head(data: bytes, encoding: str) -> str:
    """Return the first characters of a text, all of which is decoded to find what is no text."""
    head = ""
    for text in _decoded(data, encoding):
        head = head or text[:HEAD_CHARACTERS]
    return head


def _decoded(data: bytes, encoding: str) -> Iterator[str]:
    """Yield a text in pieces; ValueError with the line where the bytes are no text."""
    decoder, view, line = codecs.getincrementaldecoder(encoding)(), memoryview(data), 1
    for start in range(0, len(data), _CHUNK_BYTES):
        piece = bytes(view[start : start + _CHUNK_BYTES])
        try:
            text = decoder.decode(piece, final=start + _CHUNK_BYTES >= len(data))
        except UnicodeDecodeError as error:
            line += error.object[: error.start].decode(error.encoding).count("\n")
            name, byte = _encoding_name(encoding), error.object[error.start]
            raise ValueError(f"line {line}: byte 0x{byte:02x} is not {name} text; save the file as UTF-8") from None
        if "\0" in text:
            line += text[: text.index("\0")].count("\n")
            raise ValueError(f"line {line}: a zero character, so the file is binary; save it as UTF-8 text")
        line += text.count("\n")
        yield text
