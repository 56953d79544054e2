import doctest
from pathlib import Path
from typing import Any, cast

import mpmath
import numpy as np
import pytest

from dpcore import places
from dpcore.places import grid_places, nearest_places, place_counts
from dpcore.readers import read_graph, read_node_counts, read_points

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
BOX = (40.0, -75.0, 41.0, -73.0)


def test_the_examples_give_what_they_show():
    assert doctest.testmod(places).failed == 0


def test_a_point_is_in_the_cell_whose_sides_are_around_it():
    rng = np.random.default_rng(20261122)
    lat, lon = rng.uniform(39.5, 41.5, 2000), rng.uniform(-76, -72, 2000)
    place = grid_places(lat, lon, 5, 4, BOX)
    south, west = np.linspace(40, 41, 6), np.linspace(-75, -73, 5)
    for row in range(5):
        for column in range(4):
            inside = (lat >= south[row]) & (lat < south[row + 1]) & (lon >= west[column]) & (lon < west[column + 1])
            assert np.array_equal(place == row * 4 + column, inside)
    assert np.array_equal(place < 0, (lat < 40) | (lat > 41) | (lon < -75) | (lon > -73))


def test_a_point_on_the_rim_of_the_box_is_in_it_and_one_without_a_place_is_in_no_cell():
    assert grid_places([40, 40, 41, 41], [-75, -73, -75, -73], 2, 2, BOX).tolist() == [0, 1, 2, 3]
    assert grid_places([np.nextafter(40, 0), np.nan, 40.1], [-74, -74, np.nan], 2, 2, BOX).tolist() == [-1, -1, -1]
    assert grid_places(np.array([[40.5]], dtype=np.float32), [[-74]], 1, 1, BOX).tolist() == [[0]]
    assert grid_places([90, -90], [180, -180], 3, 3, (-90, -180, 90, 180)).tolist() == [8, 0]


def meridian_arc(south, north) -> Any:
    """Metres along a meridian of WGS 84, by quadrature of its radius of curvature."""
    a, f = mpmath.mpf(6378137), 1 / mpmath.mpf("298.257223563")
    e2 = f * (2 - f)
    return mpmath.quad(
        lambda phi: a * (1 - e2) / (1 - e2 * mpmath.sin(phi) ** 2) ** 1.5,
        [mpmath.radians(south), mpmath.radians(north)],
    )


def parallel_arc(lat, west, east) -> Any:
    """Metres along a parallel of WGS 84: the ellipse x²/a² + z²/b² = 1 is cut where its normal has that latitude."""
    a, b = mpmath.mpf(6378137), 6378137 * (1 - 1 / mpmath.mpf("298.257223563"))
    t = mpmath.tan(mpmath.radians(lat))
    return a**2 / mpmath.sqrt(a**2 + b**2 * t**2) * mpmath.radians(east - west)


@pytest.mark.parametrize("lat", [-80.0, -33.0, 0.0, 40.7, 60.0, 85.0])
def test_the_limit_is_right_to_a_thousandth_in_both_directions(lat):
    north = float(meridian_arc(lat, lat + 0.01))
    east = float(parallel_arc(lat, 179.995, 180.005))  # across the 180th meridian
    for share, cell in ((1 - 1e-4, -1), (1 + 1e-4, 0)):
        assert nearest_places([lat + 0.01], [5], [lat], [5], within_m=north * share).tolist() == [cell]
        assert nearest_places([lat], [-179.995], [lat], [179.995], within_m=east * share).tolist() == [cell]


def test_the_nearest_node_is_that_of_the_least_distance():
    rng = np.random.default_rng(1)
    node_lat, node_lon = rng.uniform(59.9, 60, 40), rng.uniform(10, 10.2, 40)
    lat, lon = rng.uniform(59.9, 60, 200), rng.uniform(10, 10.2, 200)
    north = (lat[:, None] - node_lat) * float(meridian_arc(59.95, 60.95))
    east = (lon[:, None] - node_lon) * float(parallel_arc(59.95, 10, 11))
    distance = np.hypot(north, east)
    two = np.sort(distance, axis=1)[:, :2]
    clear = (two[:, 0] < 0.99 * two[:, 1]) & (abs(two[:, 0] - 900) > 9)
    expected = np.where(two[:, 0] <= 900, np.argmin(distance, axis=1), -1)
    assert clear.sum() > 180
    assert np.array_equal(nearest_places(lat, lon, node_lat, node_lon, 900)[clear], expected[clear])
    assert (expected[clear] == -1).any()


def test_a_point_without_a_place_is_near_no_node():
    assert nearest_places([np.nan, 0], [0, np.nan], [0], [0]).tolist() == [-1, -1]


def test_the_points_or_the_weights_of_each_place_are_counted_but_those_nowhere():
    assert place_counts([0, 2, 2, -1], 4).tolist() == [1, 0, 2, 0]
    assert place_counts([0, 2, 2, -1], 3, [0.5, 1, 2, 4]).tolist() == [0.5, 0, 3]
    assert place_counts([], 2).tolist() == [0, 0]
    place, weight = np.random.default_rng(2).integers(-1, 6, (2, 100))
    assert place_counts(place, 6, weight + 1).tolist() == [np.sum((weight + 1)[place == j]) for j in range(6)]


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data sets are not beside this clone")
@pytest.mark.parametrize("source", ["tlc2013", "tlc2015"])
@pytest.mark.parametrize("end", ["pickup", "dropoff"])
def test_the_published_counts_at_junctions_are_found_again_but_for_near_ties(source, end):
    """They were made on a sphere, where north against east is 0.4 % off: of two junctions it may take the other."""
    roads = read_graph(*((DATA / f"manhattan_{kind}.csv").read_bytes() for kind in ("nodes", "edges")))
    taxi = (DATA / "taxi_pickups.csv.gz").read_bytes()
    points = read_points(taxi, pair=(f"{end}_lat", f"{end}_lon"), person="source")
    ours = points.person == ("tlc2013", "tlc2015").index(source)
    lat, lon = points.lat[ours], points.lon[ours]
    count = place_counts(nearest_places(lat, lon, roads.lat, roads.lon), len(roads.ids))
    published = read_node_counts((DATA / "manhattan_counts.csv").read_bytes(), roads.ids, f"{end}s_{source}").count
    assert count.sum() == published.sum()
    assert 0 < np.abs(count - published).sum() < 0.003 * published.sum()
    assert np.abs(count - published).max() <= 2


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: grid_places([91], [0], 2, 2, BOX), r"lat must be in \[-90, 90\], got 91"),
        (lambda: grid_places([91.5], [0], 2, 2, BOX), r"lat must be in \[-90, 90\], got 91.5"),
        (lambda: grid_places([0.0], [np.inf], 2, 2, BOX), r"lon must be in \[-180, 180\], got inf"),
        (lambda: grid_places([0, 1], [0], 2, 2, BOX), r"lat and lon must be in one shape, got \(2,\) and \(1,\)"),
        (lambda: grid_places([0], [0], 0, 2, BOX), r"rows must be in \[1, 1000\], got 0"),
        (
            lambda: grid_places([0], [0], 2, cast("Any", 1.5), BOX),
            r"columns must be in the whole numbers of \[1, 1000\], got 1.5",
        ),
        (lambda: grid_places([0], [0], 2, 2, (1, 0, 1, 2)), r"north must be in \[1 \+ 1e-6, 90\], got 1"),
        (lambda: grid_places([0], [0], 2, 2, (0, 170, 1, -170)), r"east must be in \[170 \+ 1e-6, 180\], got -170"),
        (lambda: grid_places([0], [0], 2, 2, (-91, 0, 1, 2)), r"south must be in \[-90, 90\], got -91"),
        (lambda: nearest_places([0], [0], [95], [0]), r"node_lat must be in \[-90, 90\], got 95"),
        (lambda: nearest_places([0], [0], [np.nan], [0]), r"node_lat must be in \[-90, 90\], got nan"),
        (
            lambda: nearest_places([0], [0], [], []),
            r"node_lat and node_lon must be in one axis of one length, got \(0,\) and \(0,\)",
        ),
        (
            lambda: nearest_places([0], [0], [1, 2], [1]),
            r"node_lat and node_lon must be in one axis of one length, got \(2,\) and \(1,\)",
        ),
        (lambda: nearest_places([0], [0], [0], [0], 0), r"within_m must be in \(0, 1e5\], got 0"),
        (lambda: place_counts([3], 3), r"place must be in the whole numbers of \[-1, n_places\), got 3"),
        (lambda: place_counts([-2], 3), r"place must be in \[-1, 1e6\], got -2"),
        (lambda: place_counts([0], 0), r"n_places must be in \[1, 1e6\], got 0"),
        (
            lambda: place_counts([0, 1], 3, [1]),
            r"weight must be in one number or the shape \(2,\), got the shape \(1,\)",
        ),
        (lambda: place_counts([0], 3, [np.nan]), r"weight must be in \[0, 1e6\], got nan"),
    ],
)
def test_an_invalid_place_is_refused(call, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        call()
