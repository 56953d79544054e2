"""The bytes of a file as text: its compression, and its encoding."""

import codecs
import zlib
from collections.abc import Iterator

MOST_BYTES = 40 * 2**20


HEAD_CHARACTERS = 2**18  # The number of characters from which the separator is guessed.


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


def encoding_name(encoding: str) -> str:
    """Return the name of an encoding as a user knows it."""
    return encoding.upper().removesuffix("-SIG")


def detected_encoding(data: bytes) -> str:
    """Return the encoding of a text; ValueError where the bytes are no text."""
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


def checked_head(data: bytes, encoding: str) -> str:
    """Return the first characters of a text, all of which is decoded to find what is no text."""
    head = ""
    for text in decoded(data, encoding):
        head = head or text[:HEAD_CHARACTERS]
    return head


def decoded(data: bytes, encoding: str) -> Iterator[str]:
    """Yield a text in pieces; ValueError with the line where the bytes are no text."""
    decoder, view, line = codecs.getincrementaldecoder(encoding)(), memoryview(data), 1
    for start in range(0, len(data), _CHUNK_BYTES):
        piece = bytes(view[start : start + _CHUNK_BYTES])
        try:
            text = decoder.decode(piece, final=start + _CHUNK_BYTES >= len(data))
        except UnicodeDecodeError as error:
            line += error.object[: error.start].decode(error.encoding).count("\n")
            name, byte = encoding_name(encoding), error.object[error.start]
            raise ValueError(f"line {line}: byte 0x{byte:02x} is not {name} text; save the file as UTF-8") from None
        if "\0" in text:
            line += text[: text.index("\0")].count("\n")
            raise ValueError(f"line {line}: a zero character, so the file is binary; save it as UTF-8 text")
        line += text.count("\n")
        yield text
