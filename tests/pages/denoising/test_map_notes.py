"""What a reader notes on files of places is said in a sentence, for every note that there is."""

import doctest
from typing import get_args

import pytest

from dpcore.readers.notes import (
    AnonymousRows,
    CommentLines,
    CoordinateColumns,
    DecimalMark,
    EdgeColumns,
    GraphSize,
    NodeColumns,
    NodeCountColumn,
    NodesWithoutRow,
    PersonColumn,
    PlacedRows,
    PlaceNote,
    RowsAtZero,
    RowsOutsideGlobe,
    RowsWithoutCoordinates,
    TextFormat,
)
from pages.denoising.map import places as map_places
from pages.denoising.map.places import counted_sentence, place_sentences

EXTENT = "latitude 40.7000 to 51.5000, longitude -74.0000 to -0.1000."
NODES = "3 nodes and 1,004 edges, of which 1 join a node to itself and 2 repeat another: these are ignored."
SENTENCES = [
    (TextFormat("UTF-8", ","), "The text is UTF-8; its columns are separated by commas."),
    (CommentLines(1), "Lines at the top that begin with # are skipped: 1."),
    (CoordinateColumns("b_lat", "b_lon"), "Latitudes are in the column b_lat, longitudes in b_lon."),
    (PlacedRows(1, 1, (40.7, 51.5), (-74, -0.1), is_polar=False), f"Of 1 row, 1 have a place: {EXTENT}"),
    (
        PlacedRows(1002, 2, (40.7, 51.5), (-74, -0.1), is_polar=True),
        f"Of 1,002 rows, 2 have a place: {EXTENT} Half of the points lie in the Arctic or in Antarctica, so the "
        "columns may be swapped.",
    ),
    (RowsWithoutCoordinates(3), "Rows without a latitude or a longitude are left out: 3."),
    (RowsAtZero(2), "Rows at latitude 0, longitude 0, which devices write for an unknown place, are left out: 2."),
    (
        RowsOutsideGlobe(2, line=27, lat=95, lon=4),
        "Rows outside the globe are left out: 2; the first is line 27 (latitude 95, longitude 4).",
    ),
    (PersonColumn("w", 2, 0), "The column w names 2 persons."),
    (
        PersonColumn("who", 1, 1),
        "The column who names 1 person. Rows without a person cannot be capped and are not counted: 1.",
    ),
    (AnonymousRows(), "No column says whose row it is, so no cap on a person can be enforced."),
    (GraphSize(3, 1004, n_loops=1, n_repeated=2), NODES),
    (NodeColumns("id", "lat", "lon"), "Nodes are read from the columns id, lat, lon."),
    (EdgeColumns("a", "b"), "Edges are read from the columns a and b."),
    (NodeCountColumn("starts", 102.5), "The counts are in the column starts: 102.5 in all."),
    (
        DecimalMark(".", "1,200", 1200.0, "7.5 in line 3"),
        "The decimal mark is a point, as 7.5 in line 3 shows: 1,200 is 1200.",
    ),
    (DecimalMark(",", "1,200", 1.2), "The decimal mark is a comma, as you chose: 1,200 is 1.2."),
    (NodesWithoutRow(1, 3), "Nodes without a row count 0: 1 of 3."),
]


@pytest.mark.parametrize(("note", "sentence"), SENTENCES)
def test_a_note_on_places_has_its_sentence(note, sentence):
    assert place_sentences([note]) == (sentence,)


def test_every_note_on_places_has_a_sentence_and_a_test():
    assert set(get_args(PlaceNote)) == {type(note) for note, _ in SENTENCES}


def test_the_sentence_says_how_many_points_are_counted_and_where_the_others_are():
    assert counted_sentence(2, 2, "outside the box") == "All 2 points on the globe are counted."
    assert counted_sentence(1, 3, "outside the box").endswith("outside the box and not counted: 2.")


def test_the_examples_give_what_they_show():
    assert doctest.testmod(map_places).failed == 0
