"""Every file that a user brings is opened alike: the same encodings, and the same sentence for what is no text."""

import codecs
import re
from functools import partial
from itertools import product

import pytest

from dpcore import readers
from dpcore.readers.csv_file import _separator

ADULT = (
    "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0, 40, "
    "United-States, <=50K\n"
)


def table(data, kind="", columns=()):
    return readers.read_table(data, columns, kind).frame.to_dict("list")


def scores(data):
    attack = readers.read_attack(data)
    return attack.alpha.tolist(), attack.beta.tolist()


def points(data):
    return [column.tolist() for column in readers.read_curve_points(data)]


def on_a_map(data):
    table = readers.read_points(data)
    return table.lat.tolist(), table.lon.tolist()


def junctions(data):
    return readers.read_graph(data, b"u,v\na,b\n").ids


def roads(data):
    return readers.read_graph(b"id,lat,lon\na,45.5,-73.6\nb,45.6,-73.5\n", data).ids


def node_counts(data):
    return readers.read_node_counts(data, ("a", "b")).count.tolist()


def values(data):
    return readers.read_values(data).values.tolist()


READERS = {
    "column of counts": (table, "region,count\nSüd,12\nNorth,3\n"),
    "raw records": (partial(table, columns=("sex",)), "sex,age\nF,3\nM,4\nF,5\n"),
    "attack scores": (scores, "member,score\n1,0.9\n0,0.4\n1,0.6\n"),
    "attack counts": (scores, "false_positives,non_members,false_negatives,members\n3,1000,930,1000\n"),
    "points of a curve": (points, "alpha,beta\n0.1,0.6\n0.4,0.2\n"),
    "points on a map": (on_a_map, "lat,lon\n45.5,-73.6\n45.6,-73.5\n"),
    "junctions": (junctions, "id,lat,lon\na,45.5,-73.6\nb,45.6,-73.5\n"),
    "roads": (roads, "u,v\na,b\n"),
    "counts at junctions": (node_counts, "node,starts\na,3\nb,4\n"),
    "values": (values, "name,income\nAnn,3\nBob,4\n"),
    "Adult": (lambda data: readers.read_adult(data).to_dict("list"), ADULT),
}
every_reader = pytest.mark.parametrize(("read", "text"), READERS.values(), ids=READERS)


@every_reader
def test_a_file_in_utf_8_or_utf_16_of_either_byte_order_is_read_everywhere(read, text):
    content = read(text.encode())
    for encoding, end in product(("utf-8-sig", "utf-16"), ("\n", "\r\n")):
        assert read(text.replace("\n", end).encode(encoding)) == content, (encoding, end)
    for mark, order in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        assert read(mark + text.encode(order)) == content, order


@every_reader
def test_comments_of_the_pages_are_left_out_and_semicolons_or_tabs_may_separate_columns(read, text):
    content = read(text.encode())
    assert read(f"# link: /x\n# seed: 1\n{text}".encode()) == content
    if text is not ADULT:  # which has one form, UCI's
        for separator in (";", "\t"):
            assert read(text.replace(",", separator).encode()) == content, separator


SPOILT = (
    (lambda text: b"PK\x03\x04", "line 1: the file is a zip archive or a workbook (.xlsx), not text; save the "),
    (lambda text: b"%PDF-1.7", "line 1: the file is a PDF, not text; copy the table into a CSV"),
    (lambda text: text.encode("utf-32"), "line 1: the file is UTF-32 text; save it as UTF-8"),
    (
        lambda text: text.encode("utf-16-le"),
        "line 1: a zero byte, so the file is binary, or UTF-16 without",
    ),
    (lambda text: text.encode() + b"\xfc,1\n", "byte 0xfc is not UTF-8 text; save the file as UTF-8"),
)


@every_reader
def test_an_option_that_is_not_a_text_gets_the_same_sentence_everywhere(read, text):
    for spoil, sentence in SPOILT:
        with pytest.raises(ValueError, match=f"^[^\n]*{re.escape(sentence)}[^\n]*$"):
            read(spoil(text))


def test_the_separator_of_rows_of_unlike_widths_is_the_one_of_the_widest_row():
    assert _separator(["a", "b;c;d", "d|e", "f"]) == ";"


def messages(read, text):
    """Yield what a reader says when one entry of a text has characters that cannot be printed."""
    marks = re.findall(r"[\w.<>=-]+", text)
    for start in range(len(marks)):
        for spoil in ("\x07\x1b[31m\u202e", '"a\nb\r\x85\u2028c"', "1\x0b2"):
            pieces = [*marks[:start], spoil, *marks[start + 1 :]]
            separators = re.split(r"[\w.<>=-]+", text)[1:]
            try:
                read("".join(map("".join, zip(pieces, separators, strict=True))).encode())
            except ValueError as error:
                yield str(error)


@every_reader
def test_no_message_has_a_character_that_cannot_be_printed(read, text):
    sentences = [*messages(read, text)]
    assert [sentence for sentence in sentences if not sentence.isprintable()] == []
    assert sentences or read is points or text.startswith("sex"), "no entry is refused"


def test_names_of_columns_and_problems_have_no_character_that_cannot_be_printed():
    assert readers.read_values(b'"a\x07\nb",n\n1,2\n').columns == ("a b", "n")
    with pytest.raises(ValueError, match=r"^there is no column a b$"):
        readers.read_values(b"n\n1\n", "a\x07b")
    problems = readers.table_problems('area,"n\x1b"\nNorth\x1b,"1\n2\x07"\nSouth,x\u202ey\n'.encode(), kind="column")
    assert all("".join((problem.name, problem.text, problem.detail)).isprintable() for problem in problems)
    assert [problem.text for problem in problems] == ["1 2", "x y"]
