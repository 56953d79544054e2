import gzip
import re

import numpy as np
import pytest

from dpcore.readers import point_columns, read_graph, read_node_counts, read_points
from dpcore.readers.notes import (
    AnonymousRows,
    CoordinateColumns,
    EdgeColumns,
    GraphSize,
    NodeColumns,
    NodeCountColumn,
    NodesWithoutRow,
    PersonColumn,
    PlacedRows,
    RowsAtZero,
    RowsOutsideGlobe,
    RowsWithoutCoordinates,
)

NODES = b"node_id,lat,lon\na,40.70,-74.00\nb,40.71,-74.01\nc,40.72,-74.02\n"


def read(text, **options):
    return read_points(text.encode(), **options)


@pytest.mark.parametrize(
    ("header", "pairs"),
    [
        ("lat,lon", [("lat", "lon")]),
        ("Longitude,Latitude", [("Latitude", "Longitude")]),
        ("name,lng,lat", [("lat", "lng")]),
        ("decimalLatitude,decimalLongitude", [("decimalLatitude", "decimalLongitude")]),
        ("pickuplatitude,pickuplongitude", [("pickuplatitude", "pickuplongitude")]),
        ("centroid_lat,centroid_lon,car_hours", [("centroid_lat", "centroid_lon")]),
        ("START_LAT,START_LONG,END_LAT,END_LONG", [("START_LAT", "START_LONG"), ("END_LAT", "END_LONG")]),
        ("x,y", [("y", "x")]),
        ("x,y,lat,lon", [("lat", "lon"), ("y", "x")]),
        ("coord_y,coord_x", [("coord_y", "coord_x")]),
        ("ycoord,xcoord", [("ycoord", "xcoord")]),
        ("lat (deg),gps lon", [("lat (deg)", "gps lon")]),
        ("lat_a,lat_b,lon", []),
        ("platform,salon,extra", []),
        ("balance,along", []),
    ],
)
def test_a_pair_of_columns_is_offered_where_names_differ_by_latitude_and_longitude_alone(header, pairs):
    n = header.count(",") + 1
    assert list(point_columns(f"{header}\n{','.join('1' * n)}\n".encode()).pairs) == pairs


def test_columns_of_numbers_are_offered_apart_from_coordinates():
    columns = point_columns(b"lat,lon,fare,driver,\n1,2,3.5,Ann,7\n1,2,,Bob,\n")
    assert (columns.names, columns.numbers) == (("lat", "lon", "fare", "driver", "column 5"), ("fare", "column 5"))
    assert point_columns(b"lat,lon,fare\n").numbers == ()


@pytest.mark.parametrize(
    "data",
    [
        b"lat,lon\n40.7,-74\n51.5,-0.1\n",
        b"lat\tlon\n40.7\t-74\n51.5\t-0.1\n",
        b"lat;lon\n40,7;-74,0\n51,5;-0,1\n",
        b'lat,lon\r\n"40,7","-74"\r\n\r\n51.5,-0.1',
        "lat,lon\n40.7,−74\n51.5,-1e-1\n".encode(),
        "\ufefflon,lat\n-74,+40.7\n-.1,51.5\n".encode(),
        "lat,lon\n40.7,-74\n51.5,-0.1\n".encode("utf-16"),
        b"# link: /x\nlat,lon\n 40.7 , -74\n51.5,-0.1\n",
        gzip.compress(b"lat,lon\n40.7,-74\n51.5,-0.1\n", mtime=0),
    ],
)
def test_points_are_read_however_they_are_written(data):
    points = read_points(data)
    assert points.lat == pytest.approx([40.7, 51.5], abs=1e-12)
    assert points.lon == pytest.approx([-74, -0.1], abs=1e-12)
    assert points.weight.tolist() == [1, 1]
    assert points.person.tolist() == [0, 1]
    assert PlacedRows(2, 2, (40.7, 51.5), (-74.0, -0.1), is_polar=False) in points.notes


def test_the_pair_the_weight_and_the_person_are_the_chosen_ones():
    text = "a_lat,a_lon,b_lat,b_lon,w,who\n1,2,3,4,0.5, Ann\n5,6,7,8,2,\n5,6,7,8,2,Ann\n"
    first = read(text)
    assert (first.lat.tolist(), first.lon.tolist()) == ([1, 5, 5], [2, 6, 6])
    points = read(text, pair=("b_lat", "b_lon"), weight="w", person="who")
    assert (points.lat.tolist(), points.lon.tolist()) == ([3, 7, 7], [4, 8, 8])
    assert (points.weight.tolist(), points.person.tolist()) == ([0.5, 2, 2], [0, -1, 0])
    assert CoordinateColumns("b_lat", "b_lon") in points.notes
    assert points.notes[-1] == PersonColumn("who", 1, 1)
    assert read(text, person="w").notes[-1] == PersonColumn("w", 2, 0)
    assert first.notes[-1] == AnonymousRows()


def test_rows_without_a_place_are_counted_as_such_with_notes():
    rows = ["1,2"] * 20 + ["0,0", "0.0,-0", ",3", "NA,null", "nan,5", "95,4", "4,181"]
    points = read("lat,lon\n" + "\n".join(rows) + "\n")
    assert points.n_placed == 20
    assert np.isnan(points.lat[20:]).all()
    assert np.isnan(points.lon[20:]).all()
    placed = PlacedRows(27, 20, (1, 1), (2, 2), is_polar=False)
    left_out = RowsWithoutCoordinates(3), RowsAtZero(2), RowsOutsideGlobe(2, line=27, lat=95, lon=4)
    assert points.notes[2:-1] == (placed, *left_out)
    assert read("lat,lon\n0,1\n1,0\n").n_placed == 2


@pytest.mark.parametrize("entry", ["infinity", "-Inf", "-nan", "NaN", "1e400", "5.", "+.5", ""])
@pytest.mark.parametrize("beside", ["NA", "−40.1", "40.7"])
def test_the_meaning_of_an_entry_does_not_depend_on_its_neighbours(entry, beside):
    rows = ["40.5,-74"] * 30
    alone = read_points("\n".join(["lat,lon", *rows, f"{entry},-74"]).encode())
    together = read_points("\n".join(["lat,lon", *rows, f"{entry},-74", f"{beside},-74"]).encode())
    np.testing.assert_array_equal(together.lat[:31], alone.lat)
    with pytest.raises(ValueError, match="line 3, column 1"):  # where one is no number, it is named
        read_points(f"lat,lon\n{entry},-74\nnorth,-74\n".encode())


def test_columns_that_may_be_swapped_are_noted():
    polar = PlacedRows(2, 2, (-74, -73.9), (40.7, 40.8), is_polar=True)
    assert polar in read("lat,lon\n-74,40.7\n-73.9,40.8\n").notes
    assert PlacedRows(2, 2, (40.7, 64), (-74, -22), is_polar=False) in read("lat,lon\n40.7,-74\n64,-22\n").notes
    with pytest.raises(ValueError, match=r"^line 3: a latitude is from -90 to 90 .*: the columns may be swapped$"):
        read("lat,lon\n80,35.7\n139.7,35.6\n")


def test_a_file_of_several_chunks_reports_its_progress():
    shares = []
    text = "lat,lon,w,who\n" + "".join(f"{i / 1000},{-i / 500},{i % 5},p{i % 7}\n" for i in range(1, 4_001))
    points = read(text, weight="w", person="who", progress=shares.append)
    i = np.arange(1, 4_001)
    assert points.lat == pytest.approx(i / 1000, rel=1e-15)
    assert points.lon == pytest.approx(-i / 500, rel=1e-15)
    assert points.weight.tolist() == (i % 5).tolist()
    assert points.person.tolist() == ((i - 1) % 7).tolist()
    assert shares[-1] == 1
    with pytest.raises(ValueError, match=r"^line 4002, column 1 \(lat\): x is not a number of degrees"):
        read(text + "x,1,1,p\n")


DEGREES = "is not a number of degrees; write decimal degrees, such as 40.7128"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "line 1: the file is empty"),
        (b"40.7,-74\n40.8,-74\n", "line 1: the first row must name the columns, and it holds numbers"),
        (b"lat,lon\n", "line 2: there is no row under the header"),
        (b"# x\nlat,lon\n", "line 3: there is no row under the header"),
        (
            b"place,when\nx,1\n",
            "line 1: no columns are named as latitude and longitude (lat, lon); there are place, when",
        ),
        (
            ",".join("abcdefghijkl").encode() + b"\n" + b",".join([b"1"] * 12),
            "line 1: no columns are named as latitude and longitude (lat, lon); there are a, b, c, d, e, f, g, h, i, j"
            ", …",
        ),
        (b"lat,lon\n40.7,-74\nx,-74\n", f"line 3, column 1 (lat): x {DEGREES}"),
        ("lat,lon\n40°42'N,-74\n".encode(), f"line 2, column 1 (lat): 40°42'N {DEGREES}"),
        (b"lat,lon\n40.7,=A1\n", f"line 2, column 2 (lon): =A1 {DEGREES}"),
        (b"lat,lon\n4_0,1\n", f"line 2, column 1 (lat): 4_0 {DEGREES}"),
        ("lat,lon\n٤٠,1\n".encode(), f"line 2, column 1 (lat): ٤٠ {DEGREES}"),
        (b"lat;lon\n1.234,5;1\n", f"line 2, column 1 (lat): 1.234,5 {DEGREES}"),
        (b"lat,lon\n40.7,-74\n40.8\n", "line 3: 1 column, where line 1 has 2"),
        (b'lat,lon\n40.7,"-74\n', "line 2: a quote that opens in this row is never closed"),
        (
            b"lat,lon\n139.7,35.6\n",
            "line 2: a latitude is from -90 to 90 degrees, here it is 139.7, and the longitude is 35.6: the columns "
            "may be swapped",
        ),
        (
            b"y,x\n40,987521\n",
            "line 2: a longitude is from -180 to 180 degrees, here it is 987521, so the columns may hold metres or "
            "feet of a map; give degrees",
        ),
        (
            b"lat,lon\n40,-190\n",
            "line 2: a longitude is from -180 to 180 degrees, here it is -190, so it is not a place on the globe",
        ),
        (
            b"lat,lon\n91,-120\n",
            "line 2: a latitude is from -90 to 90 degrees, here it is 91, so it is not a place on the globe",
        ),
        (
            b"lat,lon\n40,inf\n",
            "line 2: a longitude is from -180 to 180 degrees, here it is inf, so the columns may hold metres or "
            "feet of a map; give degrees",
        ),
        (b"lat,lon\n,\n0,0\n1,\n", "line 3: neither this row nor another has a latitude and a longitude"),
        (b"\x1f\x8b\x08broken", "line 1: the file begins like one packed by gzip, but cannot be unpacked to its end"),
        (
            gzip.compress(b"lat,lon\n1,2\n", mtime=0)[:-9],
            "line 1: the file begins like one packed by gzip, but cannot be unpacked to its end",
        ),
        (gzip.compress(b"1" * (41 * 2**20), 1, mtime=0), "the file has more than 40 MB when unpacked"),
        (b"PK\x03\x04", "line 1: the file is a zip archive or a workbook (.xlsx), not text; save the sheet as CSV"),
        (b"lat,lon\n1,2\n\xfc,2\n", "line 3: byte 0xfc is not UTF-8 text; save the file as UTF-8"),
        (
            b"lat,lon\n1,2\0\n",
            "line 2: a zero byte, so the file is binary, or UTF-16 without its mark; save it as UTF-8",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_a_file_that_holds_no_points_gets_one_sentence_with_its_place_and_reason(data, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read_points(data)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("", "the weight is missing; write 0 for what shall not count"),
        ("-1", "-1 is outside [0, 1,000,000], where weights are"),
        ("1e7", "1e7 is outside [0, 1,000,000], where weights are"),
        ("two", "two is not a number such as 2 or 0.5"),
        ('"1,5,0"', "1,5,0 is not a number such as 2 or 0.5"),
        ("nan", "the weight is missing; write 0 for what shall not count"),
    ],
)
def test_an_invalid_weight_is_refused_with_its_line(entry, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(f'line 3, column 3 (w): {sentence}')}$"):
        read(f"lat,lon,w\n1,2,1\n1,2,{entry}\n", weight="w")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"pair": ("lat", "z")}, "pair must be in lat, lon, got 'z'"),
        ({"pair": ("lat", "lat")}, "pair must be in two different columns, got ('lat', 'lat')"),
        ({"weight": "w"}, "weight must be in , lat, lon, got 'w'"),
        ({"person": "who"}, "person must be in , lat, lon, got 'who'"),
    ],
)
def test_columns_that_the_file_has_not_are_refused(options, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read("lat,lon\n1,2\n", **options)


def test_more_points_than_the_limit_are_refused_at_the_first_one_too_many(monkeypatch):
    monkeypatch.setattr("dpcore.readers.csv_file.MOST_ROWS", 3)
    assert read("lat,lon\n" + "1,2\n" * 3).n_placed == 3
    with pytest.raises(ValueError, match=r"^line 5: more than 3 rows$"):
        read("lat,lon\n" + "1,2\n" * 9)


@pytest.mark.parametrize(
    "edges",
    [
        b"edge_id,u,v,length\n0,a,c,5\n1,c,b,4\n2,b,b,1\n3,b,c,2\n",
        b"To,From\nc,a\nb,c\nb,b\nc,b\n",
        b"source_id;target_id\na;c\nc;b\nb;b\nb;c\n",
        b"length,one,other\n5,a,c\n4,c,b\n1,b,b\n2,b,c\n",
    ],
)
def test_a_graph_is_read_with_its_edges_as_pairs_of_nodes(edges):
    roads = read_graph(NODES, edges)
    assert roads.ids == ("a", "b", "c")
    assert roads.lat.tolist() == [40.70, 40.71, 40.72]
    assert roads.lon.tolist() == [-74.00, -74.01, -74.02]
    assert roads.edges.tolist() == [[0, 2], [2, 1], [1, 1], [1, 2]]
    assert roads.notes[:2] == (GraphSize(3, 4, n_loops=1, n_repeated=1), NodeColumns("node_id", "lat", "lon"))


def test_a_column_that_numbers_the_edges_is_not_read_as_an_end():
    nodes = b"node,lat,lon\n" + b"".join(b"%d,1,%d\n" % (i, i) for i in range(5))
    for header in (b"edge_id,a,b", b"id,a,b", b"no,a,b"):
        assert read_graph(nodes, header + b"\n0,3,1\n1,2,4\n2,4,0\n").edges.tolist() == [[3, 1], [2, 4], [4, 0]]
    path = read_graph(nodes, b"a,b\n0,1\n1,2\n2,3\n")
    assert path.edges.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert path.notes[2] == EdgeColumns("a", "b")


def test_the_name_of_a_node_is_in_the_first_column_if_none_is_called_so():
    roads = read_graph(b"place,y,x\nN,1,2\nS,0,2\n", b"u,v\n")
    assert (roads.ids, roads.edges.shape) == (("N", "S"), (0, 2))
    assert read_graph(b"lat;lon;osmid\n1,5;2;N\n", b"u;v\n").ids == ("N",)


@pytest.mark.parametrize(
    ("nodes", "edges", "sentence"),
    [
        (b"", b"", "nodes: line 1: the file is empty"),
        (b"id,where\na,x\n", b"u,v\n", "nodes: line 1: no columns are named as latitude and longitude (lat, lon)"),
        (b"id,lat,lon\n", b"u,v\n", "nodes: line 2: there is no row under the header"),
        (b"id,lat,lon\n,1,2\n", b"", "nodes: line 2, column 1 (id): the name of the node is missing"),
        (b"id,lat,lon\na,1,2\na,1,3\n", b"", "nodes: line 3, column 1 (id): a stands in line 2 already"),
        (b"id,lat,lon\na,,2\n", b"", "nodes: line 2, column 2 (lat): the number is missing"),
        (b"id,lat,lon\na,x,2\n", b"", "nodes: line 2, column 2 (lat): x is not a plain number such as 12.5"),
        (b"id,lat,lon\na,91,2\n", b"", "nodes: line 2, column 2 (lat): 91 is outside -90 to 90 degrees"),
        (b"id,lat,lon\na,9,-200\n", b"", "nodes: line 2, column 3 (lon): -200 is outside -180 to 180 degrees"),
        (NODES, b"", "edges: line 1: the file is empty"),
        (NODES, b"u,v\na,b\nb,d\n", "edges: line 3, column 2 (v): d is not a node"),
        (NODES, b"u,v\na,b\n,a\n", "edges: line 3, column 1 (u): an empty name is not a node"),
        (
            NODES,
            b"one,other\na,b\nb,d\n",
            "edges: line 1: no two columns are named u and v, from and to, or source and target, or hold nodes only",
        ),
        (
            NODES,
            b"one,other\n",
            "edges: line 1: no two columns are named u and v, from and to, or source and target, or hold nodes only",
        ),
        (NODES, b"u,v\na,b\nb\n", "edges: line 3: 1 column, where line 1 has 2"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_files_that_hold_no_graph_get_one_sentence_with_the_file_its_line_and_the_reason(nodes, edges, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read_graph(nodes, edges)


def test_more_nodes_or_edges_than_the_limits_are_refused(monkeypatch):
    monkeypatch.setattr("dpcore.readers.roads.MOST_NODES", 3)
    monkeypatch.setattr("dpcore.readers.roads.MOST_EDGES", 2)
    assert len(read_graph(NODES, b"u,v\na,b\na,c\n").edges) == 2
    with pytest.raises(ValueError, match=r"^nodes: line 5: more than 3 nodes$"):
        read_graph(NODES + b"d,1,2\n", b"u,v\n")
    with pytest.raises(ValueError, match=r"^edges: line 4: more than 2 edges$"):
        read_graph(NODES, b"u,v\na,b\na,c\nb,c\n")


def test_counts_come_in_the_order_of_the_nodes_and_a_node_without_a_row_has_none():
    data = b"lat,lon,node_id,starts,note,ends\n1,1,c,2.5,x,4\n1,1,a,1e2,y,0\n"
    counts = read_node_counts(data, ("a", "b", "c"))
    assert counts.count.tolist() == [100, 0, 2.5]
    assert counts.columns == ("starts", "ends")
    assert counts.notes == (NodeCountColumn("starts", 102.5), NodesWithoutRow(1, 3))
    ends = read_node_counts(data, ("a", "c"), "ends")
    assert ends.count.tolist() == [0, 4]
    assert ends.notes == (NodeCountColumn("ends", 4),)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"node\na\n", "line 1: no column of numbers stands beside the one that names the nodes"),
        (b"node,n\n", "line 1: no column of numbers stands beside the one that names the nodes"),
        (b"node,n\na,1\nd,2\n", "line 3, column 1 (node): d is not a node of the graph"),
        (b"node,n\na,1\n,2\n", "line 3, column 1 (node): an empty name is not a node of the graph"),
        (b"node,n\na,1\na,2\n", "line 3, column 1 (node): a stands in line 2 already"),
        (b"node,n\na,1\nb,x\n", "line 3, column 2 (n): x is not a plain number such as 12.5"),
        (b"node,n\na,1\nb,\n", "line 3, column 2 (n): the number is missing"),
        (
            b'node,n\na,1\nb,"1,203"\n',
            "line 3, column 2 (n): 1,203 can be read as 1203 or as 1.203; write 1203 or 1.203",
        ),
        (b"node,n\na,-1\n", "line 2, column 2 (n): -1 is outside [0, 1,000,000,000], where counts are"),
    ],
)
def test_an_invalid_count_of_a_node_is_refused_with_its_line(data, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read_node_counts(data, ("a", "b"))


def test_a_column_of_counts_that_the_file_has_not_is_refused():
    with pytest.raises(ValueError, match=r"^column must be in , n, got 'm'$"):
        read_node_counts(b"node,n\na,1\n", ("a",), "m")
