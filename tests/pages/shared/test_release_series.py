"""A series in the program of a release: its sums, its numbers and its limits are those of dpcore."""

from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from dpcore import linear_queries
from dpcore.linear_queries import Errors
from dpcore.mechanism import NoiseDistribution
from pages.framework.rendering import render
from pages.series.own_sums import section as own_sums_section
from pages.shared.release_program.program import Statistic, published_series, series_statistic
from pages.shared.release_program.steps import limit, noise, run, series, write
from pages.shared.release_program.steps.check import ReleaseError
from pages.shared.site_map import SERIES as A_SERIES
from tests.linear_factors import factors
from tests.pages.shared.test_release_program import facts, plan_in
from tests.programs import at, downloaded, namespace_of

UNIT = 2**limit.FINE
STRATEGIES = (
    *("per_period", "per_number", "tree", "binary_tree"),
    *("square_root", "normalized_square_root", "banded"),
)
WORKLOADS = [("each", None), ("running_totals", None), ("window", 5), ("year_to_date", 5)]
OF_CELLS = [
    *product(["ranges", "own"], ("per_period", "tree", "square_root", "normalized_square_root"), [None]),
    *product(["ranges", "own"], ["tree"], [3, 4, 16]),
    *(("own", strategy, None) for strategy in ("per_number", "binary_tree", "optimum")),
]


def planned(errors: Errors, scale: float = 4.2) -> Statistic:
    statistic = series_statistic("Visits", errors, NoiseDistribution(errors.noise, (scale,), scale), 1.0, 0.05)
    assert statistic is not None
    return statistic


def matrix_of(rows: list[list[tuple[int, int]]], n: int) -> np.ndarray:
    matrix = np.zeros((len(rows), n))
    for place, row in enumerate(rows):
        for period, weight in row:
            matrix[place, period] = weight / UNIT
    return matrix


@pytest.mark.parametrize("publication", ["once", "as_it_goes"])
@pytest.mark.parametrize("n", [1, 2, 13, 32])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("workload", "window"), WORKLOADS)
def test_sums_and_numbers_are_those_of_the_strategy(workload, window, strategy, n, publication):
    errors = linear_queries.error(workload, strategy, n, window=window, publication=publication)
    known = planned(errors).facts()["series"]
    sums, weights = factors(errors.workload, errors.strategy, *errors.options)
    own_sums = matrix_of(series.weights_of(known, UNIT), n)
    np.testing.assert_allclose(own_sums.T @ own_sums, sums.T @ sums, atol=1e-6)
    own_weights = np.array(
        [series.numbers_of(known, row, UNIT) for row in (UNIT * np.eye(len(own_sums), dtype=int)).tolist()]
    ).T
    np.testing.assert_allclose(own_weights @ own_sums, errors.workload.matrix(), atol=1e-9)
    spread = np.sqrt((own_weights**2).sum(axis=1))
    np.testing.assert_allclose(spread, np.sqrt((weights**2).sum(axis=1)), rtol=1e-6)
    np.testing.assert_allclose(known["half_widths"], 1.959964 * 4.2 * spread, rtol=1e-6)


def own_sums(n: int) -> np.ndarray:
    """Return sums of cells, some of them apart, with each cell alone among them."""
    rng = np.random.default_rng(n)
    return np.vstack([np.eye(n), rng.integers(0, 2, (6, n)) | (np.arange(n) == n - 1), np.ones(n)])


@pytest.mark.parametrize("n", [1, 2, 12, 16])
@pytest.mark.parametrize(("workload", "strategy", "branching"), OF_CELLS)
def test_ranges_and_own_sums_are_those_of_the_strategy(workload, strategy, branching, n):
    rows = own_sums(n) if workload == "own" else workload
    errors = linear_queries.error(rows, strategy, n, branching=branching)
    known = planned(errors).facts()["series"]
    sums, weights = factors(errors.workload, errors.strategy, *errors.options)
    noisy = matrix_of(series.weights_of(known, UNIT), n)
    np.testing.assert_allclose(noisy.T @ noisy, sums.T @ sums, atol=1e-5)
    numbers = [series.numbers_of(known, row, UNIT) for row in (UNIT * np.eye(len(noisy), dtype=int)).tolist()]
    np.testing.assert_allclose(np.array(numbers).T @ noisy, errors.workload.matrix(), atol=1e-9)
    spread = np.sqrt((np.array(numbers) ** 2).sum(axis=0))
    np.testing.assert_allclose(spread, np.sqrt((weights**2).sum(axis=1)), rtol=1e-5)
    widths = np.array(series.widths_of(known))
    assert (widths >= 1.959963 * 4.2 * spread * (1 - 1e-6)).all()
    if workload == "own":
        np.testing.assert_allclose(widths, 1.959964 * 4.2 * spread, rtol=1e-5)
    else:
        assert max(widths) == pytest.approx(1.959964 * 4.2 * max(spread), rel=1e-5)
        size = [end - first for first, end in series.single_spans(known)]
        assert len(set(zip(size, widths.tolist(), strict=True))) == n


def test_ranges_and_own_sums_are_named_by_the_cells_that_they_add_up():
    ages = planned(linear_queries.error("ranges", "tree", 3)).facts()["series"]
    names = ["a", "a … b", "a … c", "b", "b … c", "c"]
    assert series.names_of(ages, ["a", "b", "c"]) == names
    own = linear_queries.error(np.array([[1, 1, 0, 1], [0, 0, 1, 0]]), "per_period", 4)
    assert series.names_of(planned(own).facts()["series"], list("abcd")) == ["a … b + d", "c"]


@pytest.mark.parametrize(("workload", "window"), WORKLOADS)
@pytest.mark.parametrize("strategy", ["tree", "square_root", "normalized_square_root", "banded"])
def test_what_is_published_as_it_goes_has_no_later_period(workload, window, strategy):
    errors = linear_queries.error(workload, strategy, 13, window=window, publication="as_it_goes")
    known = planned(errors).facts()["series"]
    rows = series.weights_of(known, UNIT)
    for place, row in enumerate(rows):
        alone = [UNIT if other == place else 0 for other in range(len(rows))]
        numbers = series.numbers_of(known, alone, UNIT)
        assert numbers[: row[-1][0]] == [0.0] * row[-1][0]


@pytest.mark.parametrize("strategy", [*STRATEGIES, "optimum"])
@pytest.mark.parametrize("options", [{}, {"per_cell": 2.0}, {"total": 3.0, "per_cell": 2.0}])
@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
@pytest.mark.parametrize(("kind", "norm"), [("gaussian", 2), ("laplace", 1)])
def test_no_person_moves_the_rounded_sums_by_more_than_the_noise_is_made_for(strategy, options, neighbours, kind, norm):
    n, k = 6, 2
    rows = own_sums(n) if strategy == "optimum" else "running_totals"
    errors = linear_queries.error(rows, strategy, n, k, neighbours=neighbours, noise=kind, **options)
    statistic = planned(errors).facts()
    most, in_all = statistic["max_in_cell"], statistic["max_in_all"]
    rows = matrix_of(series.weights_of(statistic["series"], UNIT), n)
    persons = [
        np.array([amounts[cells.index(period)] if period in cells else 0 for period in range(n)])
        for cells in combinations(range(n), k)
        for amounts in product(range(most + 1), repeat=k)
        if sum(amounts) <= in_all
    ]
    others = persons if neighbours == "replace" else [np.zeros(n)]
    moved = max(float(np.linalg.norm(rows @ (one - other), norm)) for one in persons for other in others)
    size = noise.sensitivity_in_steps(statistic) / UNIT
    assert moved <= size <= errors.sensitivity * (1 + 1e-5)
    if errors.is_exact:
        assert moved == pytest.approx(size, rel=1e-5)


def test_a_series_of_laplace_noise_has_the_half_widths_of_dpcore():
    errors = linear_queries.error("running_totals", "per_period", 5, noise="laplace")
    scale = linear_queries.noise_scale(errors, 0.5)
    expected = linear_queries.half_widths(errors, 0.5, 0.0, 0.1)
    np.testing.assert_allclose(published_series(errors, scale, 0.1).half_widths, expected, rtol=1e-9)


SERIES = replace(planned(linear_queries.error("running_totals", "square_root", 3, 2, total=3.0)), unit="people")
MONTHS = "month\nJan\nFeb\nMar\n"


def arguments_in(folder: Path, text: str, periods: str) -> list[str]:
    (folder / "data.csv").write_text(text, encoding="utf-8")
    (folder / "periods.csv").write_text(periods, encoding="utf-8")
    options = ["--person", "id", "--out", str(folder / "out")]
    return [str(folder / "data.csv"), *options, *(["--categories", str(folder / "periods.csv")] if periods else [])]


@pytest.mark.parametrize(
    ("text", "periods", "sentence"),
    [
        ("id,month\n1,Jan\n", "", "public list of the periods, in their order, of 'Visits'"),
        ("id,month\n1,Jan\n", "month\nJan\nFeb\n", "has 2 categories, and the plan is made for 3"),
        ("id,month\n1,Apr\n", MONTHS, "line 2 has 'Apr' for 'Visits', which is not in its list"),
        ("id,day\n1,Jan\n", MONTHS, "The file has no column 'month'"),
    ],
)
def test_a_file_that_breaks_the_plan_of_a_series_stops_in_a_sentence(tmp_path, text, periods, sentence):
    with pytest.raises(ReleaseError, match=sentence):
        run.publish(facts(SERIES), arguments_in(tmp_path, text, periods))
    assert not (tmp_path / "out").exists()


def test_periods_are_in_the_order_of_the_list_and_people_within_their_limits(tmp_path):
    text = "id,month\n" + "a,Feb\na,Jan\na,Mar\n" * 3 + "b,Mar\n" * 2 + "c,Jan\n"
    plan = facts(SERIES)
    source = run.source_of(run.options_of(arguments_in(tmp_path, text, MONTHS)), plan)
    (sums,) = limit.aggregates_of(plan, source).values()
    numbers = series.numbers_of(plan["statistics"][0]["series"], sums, UNIT)
    assert numbers[-1] == pytest.approx(4)  # a twice, in two months at most once each; b and c once
    assert numbers[0] <= numbers[1] <= numbers[2]
    rows = write.numbers_rows(plan, source, [sums])
    assert [row[1] for row in rows[1:]] == ["Jan", "Feb", "Mar"]
    assert [float(row[2]) for row in rows[1:]] == numbers
    widths, of_plan = [float(row[3]) for row in rows[1:]], plan["statistics"][0]["series"]["half_widths"]
    np.testing.assert_allclose(widths, of_plan, rtol=1e-3)  # rounded up to four digits
    assert (np.array(widths) > of_plan).all()


@pytest.mark.parametrize(
    "setting",
    [
        "/A_series",
        "/A_series?totals=window&window=6&in_periods=3&per_cell=2&contribution=limited",
        "/A_series?totals=year_to_date&error=all&publication=once&neighbours=replace",
        "/A_series?totals=each&strategy=banded&length=1000",
        "/A_series?series_noise=laplace&strategy=square_root&length=20",
        "/A_series?series_noise=geometric&in_periods=3&contribution=limited",
        "/A_series?series_noise=discrete_gaussian&length=15&strategy=tree",
        "/Plan?queries=running:60,24,4,1=a;window:60,24,4,1,6=b;each:60,12,2,1=c",
        "/Plan?promise=pure&queries=running:60,24,1,1=a;count:5=b",
    ],
)
def test_the_program_is_offered_with_the_noise_of_the_answer(setting):
    plan, (_, result) = plan_in(downloaded(setting)), at(setting)
    for statistic in plan["statistics"]:
        if statistic["kind"] == "series":
            assert statistic["half_width"] == pytest.approx(max(statistic["series"]["half_widths"]), rel=1e-6)
            assert bool(statistic["note"]) == statistic["series"]["is_as_it_goes"]
    if setting.startswith("/A_series"):
        (statistic,) = plan["statistics"]
        assert statistic["scale"] == result.over_time.noise_scale
        assert statistic["half_width"] == pytest.approx(result.over_time.half_width, rel=1e-9)
    else:
        planned = [part.half_width for part in result.planned_queries]
        assert [each["half_width"] for each in plan["statistics"]] == pytest.approx(planned, rel=1e-6)


@pytest.mark.parametrize(
    ("setting", "noise"),
    [
        ("section=ranges", "gaussian"),
        ("section=ranges&n_cells=365&contribution=limited&in_periods=3", "gaussian"),
        ("section=ranges&series_noise=laplace&n_cells=20&error=all", "laplace"),
        ("section=ranges&series_noise=geometric&n_cells=30&contribution=limited&per_cell=2", "geometric"),
        ("section=ranges&series_noise=discrete_gaussian&n_cells=16&neighbours=replace", "discrete_gaussian"),
        ("section=sums", "gaussian"),
        ("section=sums&sum_noise=laplace&contribution=limited&in_periods=5&per_total=4", "laplace"),
        ("section=sums&sum_noise=geometric", "geometric"),
        ("section=sums&sum_noise=discrete_gaussian&sums=series&length=20", "discrete_gaussian"),
        ("section=sums&sums=own&own_sums=1101;0111;0010&contribution=once&fixed=yes", "gaussian"),
    ],
)
def test_ranges_and_own_sums_have_the_noise_of_the_answer(setting, noise):
    plan, (_, result) = plan_in(downloaded(f"/A_series?{setting}")), at(f"/A_series?{setting}")
    (statistic,) = plan["statistics"]
    ranges, own = result.ranges, result.own_sums
    found = own.noise_scale, own.half_width
    if result.section == "ranges":
        found = ranges.noise_scale, ranges.largest[ranges.best_method]
    assert (statistic["noise"], statistic["scale"]) == (noise, found[0])
    assert statistic["half_width"] == pytest.approx(found[1], rel=1e-9)
    assert max(statistic["series"]["half_widths"]) == pytest.approx(found[1], rel=1e-6)
    assert (plan["delta"] > 0) == noise.endswith("gaussian")
    assert plan["epsilon"] == result.setting.epsilon


def test_a_program_of_own_sums_has_their_cells_and_no_name():
    _, result = at("/A_series?section=sums&sums=own&own_sums=1101;0111&contribution=once&fixed=yes")
    named = replace(result, sums=replace(result.sums, names=("Secretville", "'); evil()")))
    files = own_sums_section.downloads(named)
    assert files is not None
    assert "that must be public" in files.text
    code = files.files[0].content("https://example.org").decode()
    assert plan_in(code)["statistics"][0]["series"]["sums"] == ("1101", "0111")
    assert "Secretville" not in code
    assert "evil" not in code


@pytest.mark.parametrize(
    "setting",
    [
        *("/A_series?per_cell=0.5&contribution=limited", "/A_series?fixed=no"),
        *("/A_series?section=ranges&per_cell=0.5&contribution=limited", "/A_series?section=ranges&fixed=no"),
        *("/A_series?section=sums&curator=people", "/A_series?section=sums&sums=own"),
    ],
)
def test_no_program_of_a_series_without_a_record_of_a_person_or_a_condition(setting):
    topic, result = at(setting)
    assert topic.open_section(result).downloads(result) is None


@pytest.mark.parametrize(
    ("setting", "is_going"),
    [
        ("/A_series", True),
        ("/A_series?publication=once", False),
        ("/A_series?section=ranges", False),
        ("/A_series?section=sums", False),
        ("/Plan?queries=running:60,24,4,1=a;count:5=b", True),
        ("/Plan?queries=count:5=b", False),
    ],
)
def test_the_words_beside_the_program_say_how_a_series_goes_on(setting, is_going):
    topic, result = at(setting)
    files = topic.open_section(result).downloads(result)
    assert files is not None
    assert ("with `--until` and that period" in files.text) == is_going


def test_the_users_own_counts_are_not_in_the_program_of_a_series():
    link = {"series": "own", "own": "471147;471247;471347", "length": "3", "contribution": "once", "fixed": "yes"}
    entries, name = tuple(link.items()), "release.py"
    request = render.RenderRequest(A_SERIES.script, entries, "light", render.download, name, "https://example.org")
    code = request().decode()
    assert plan_in(code)["statistics"][0]["kind"] == "series"
    assert not [count for count in ("471147", "471247", "471347") if count in code]


def test_the_program_has_the_steps_of_the_series():
    program = namespace_of(downloaded("/A_series?length=3"))
    assert program["spans_of"](program["PLAN"]["statistics"][0]["series"]) == [[(0, 1)], [(0, 2)], [(0, 3)]]


@pytest.mark.parametrize(("kind", "norm"), [("gaussian", 2), ("laplace", 1)])
def test_rounded_weights_are_off_by_at_most_what_the_noise_is_made_larger_for(kind, norm):
    errors = linear_queries.error("running_totals", "normalized_square_root", 200, noise=kind)
    known, coarse, fine = planned(errors).facts()["series"], 16, 2**40
    weights = [[[weight for _, weight in row] for row in series.weights_of(known, unit)] for unit in (coarse, fine)]
    rows = zip(*weights, strict=True)
    off = np.zeros((200, 200))
    for place, (rounded, exact) in enumerate(rows):
        off[place, : place + 1] = np.array(rounded) - np.array(exact) * (coarse / fine)
    moved = float(np.linalg.norm(off, norm, axis=0).max())
    assert 0.1 < 2 * moved / series.rounding_of(known, 1, kind == "gaussian") <= 1


@pytest.mark.parametrize(
    ("setting", "moved"),
    [
        ("/A_series?length=12&series_noise=geometric", 1),
        ("/A_series?length=12&series_noise=geometric&strategy=binary_tree", 4),
        ("/A_series?section=ranges&n_cells=12&series_noise=geometric&error=all", 1),
        ("/A_series?section=sums&sum_noise=geometric", 1),
    ],
)
def test_noise_in_whole_numbers_is_that_of_the_plan_though_its_last_bits_are_rounded_up(setting, moved):
    (statistic,) = plan_in(downloaded(setting))["statistics"]
    assert statistic["l1"] > moved
    assert noise.sensitivity_in_steps(statistic) == moved
    assert noise.growth_of(statistic) == 1
    wider = statistic | {"l1": moved + 0.5}
    assert noise.sensitivity_in_steps(wider) == moved + 1
