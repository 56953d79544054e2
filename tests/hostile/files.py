"""Hostile files and pasted tables: tables of all kinds, damaged ones, and other content."""

import gzip
import json

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.hostile.texts import HOST, NAMES, NO_NUMBERS

File = tuple[str, bytes]
_FILE_NAMES = (
    "a.csv",
    "../../etc/passwd",
    "C:\\Users\\x\\secret.csv",
    "/root/.ssh/id_rsa",
    "a\r\nb.csv",
    "x" * 300 + ".csv",
    *NAMES,
)
_NODES = st.sampled_from(("a", "b", "c", "d"))
_COUNTS = st.one_of(st.integers(0, 9), st.integers(0, 10**6)).map(str)
_RATES = st.floats(0, 1).map("{:.3g}".format)
_LABELS = st.one_of(st.sampled_from(("North", "South", "F", "M", "30", "")), st.sampled_from(NAMES))
_COLUMNS = {  # what mostly stands under a name
    "member": st.sampled_from(("0", "1")),
    "score": _RATES,
    "false_positives": st.integers(0, 50).map(str),
    "false_negatives": st.integers(0, 50).map(str),
    "non_members": st.integers(50, 99).map(str),
    "members": st.integers(50, 99).map(str),
    "alpha": st.floats(0, 0.4).map("{:.3g}".format),
    "beta": st.floats(0, 0.6).map("{:.3g}".format),
    "lat": st.floats(45.4, 45.5).map("{:.5f}".format),
    "lon": st.floats(-73.7, -73.6).map("{:.5f}".format),
    **dict.fromkeys(("id", "u", "v", "node"), _NODES),
    **dict.fromkeys(("count", "men", "women", "starts", "fare"), _COUNTS),
}
TABLES = (("area", "count"), ("count",), ("region", "men", "women"), ("sex", "region", "age"), ())
POINTS_ON_A_MAP = (("lat", "lon"), ("lat", "lon", "fare", "driver"))
NODES, EDGES, NODE_COUNTS = (("id", "lat", "lon"),), (("u", "v"), ("edge", "id", "u")), (("node", "starts"),)
ATTACKS = (("member", "score"), ("false_positives", "non_members", "false_negatives", "members"))
CURVES = (("alpha", "beta"),)
_WHOLE = (  # nothing of which is a table
    b"",
    b"\n\n\n",
    b"\0" * 1000,
    bytes(range(256)) * 4,
    b"PK\x03\x04" + bytes(100),
    b"%PDF-1.7\n",
    b"\xd0\xcf\x11\xe0" + bytes(100),
    b"\x1f\x8b" + bytes(50),
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xff\xfe\x00\xd8",
    b"\xed\xa0\x80,1\n",
    b"," * 1_000_000,
    b'"' + b"a" * 200_000,
    b"a,b\n" + b'"x\n' * 2000,
    b"[" * 20_000,
    json.dumps({"type": "FeatureCollection", "features": [{"geometry": {"coordinates": [1, 2]}}]}).encode(),
    f"<graphml xmlns='https://{HOST}'><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;".encode(),
    gzip.compress(bytes(42_000_000), 1, mtime=0),  # more than is unpacked of it
    gzip.compress(gzip.compress(b"lat,lon\n1,2\n", mtime=0), mtime=0),
)


@st.composite
def _tables(draw: DrawFn, heads: tuple[tuple[str, ...], ...]) -> bytes:
    """Generate a table with one of the headers, mostly with fitting entries."""
    head = draw(st.sampled_from(heads))
    columns = [_COLUMNS.get(name, _LABELS) for name in head] or [_LABELS, _COUNTS]
    rows = draw(st.lists(st.tuples(*columns), max_size=8).map(lambda rows: [list(row) for row in rows]))
    if rows and draw(st.integers(0, 2)) == 0:
        row = draw(st.sampled_from(rows))
        row[draw(st.integers(0, len(row) - 1))] = draw(st.sampled_from(NO_NUMBERS) | _COUNTS)
    mark = draw(st.sampled_from((",", ",", ",", ";", "\t")))
    quoted = draw(st.integers(0, 3)) > 0
    lines = [mark.join(_cell(cell, quoted) for cell in row) for row in ([list(head)] if head else []) + rows]
    text = draw(st.sampled_from(("\n", "\r\n", "\n"))).join(lines) + draw(st.sampled_from(("\n", "", "\n\n,\n")))
    start = draw(st.sampled_from(("", "", "", "# link: /x\n")))
    return (start + text).encode(draw(_ENCODINGS), "replace")


def _cell(entry: str, quoted: bool) -> str:
    return '"' + entry.replace('"', '""') + '"' if quoted else entry


_ENCODINGS = st.sampled_from((*["utf-8"] * 20, "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1"))


def contents(heads: tuple[tuple[str, ...], ...]) -> SearchStrategy[bytes]:
    """Generate the bytes of a file: mostly a table, whole, compressed, truncated or damaged at one place."""
    tables = _tables(heads)
    spoiled = st.builds(
        lambda data, place, byte: data[: place % (len(data) + 1)] + byte + data[place % (len(data) + 1) :],
        tables,
        st.integers(0, 500),
        st.binary(min_size=1, max_size=3),
    )
    cut = st.builds(lambda data, place: data[: place % (len(data) + 1)], tables, st.integers(0, 500))
    packed = st.one_of(tables, cut).map(lambda data: gzip.compress(data, mtime=0))
    return st.one_of(*[tables] * 12, spoiled, cut, packed, packed.map(lambda data: data[:-5]), st.sampled_from(_WHOLE))


def files(heads: tuple[tuple[str, ...], ...]) -> SearchStrategy[File]:
    """Generate files with arbitrary names; most are tables with or without one of these headers."""
    return st.tuples(st.sampled_from(_FILE_NAMES), contents(heads))
