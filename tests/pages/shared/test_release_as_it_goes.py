"""A series in the program of a release that is published as its periods end, over several runs in one folder."""

import csv
import json
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpcore import linear_queries
from pages.shared.release_program.program import Statistic
from pages.shared.release_program.steps import noise, run, series, write
from pages.shared.release_program.steps.check import ReleaseError
from tests.pages.shared.test_release_program import COUNT, facts
from tests.pages.shared.test_release_series import planned

PERIODS = "month\n" + "".join(f"2026-{month:02}\n" for month in range(1, 7))
N = 6


def series_of(strategy: str = "per_period", publication: str = "as_it_goes", **persons: Any) -> Statistic:
    return planned(linear_queries.error("running_totals", strategy, N, publication=publication, **persons))


@pytest.fixture(autouse=True)
def draws(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Draw other noise in each run, of whole people, and say how often."""
    drawn: list[int] = []

    def composition_of(*_: object) -> noise.Composition:
        def invoke(aggregates: dict[str, list[int]]) -> list[list[int]]:
            drawn.append(1)
            unit = 2**24 * 1000 * len(drawn)
            return [[number + unit * place for place, number in enumerate(each, 1)] for each in aggregates.values()]

        return noise.Composition(invoke, 0.99, 1e-7)

    monkeypatch.setattr(run, "composition_of", composition_of)
    return drawn


def publish(
    folder: Path, plan: dict[str, Any], rows: str, *options: str, person: tuple[str, ...] = ("--person", "id")
) -> list[str]:
    """Publish from rows, and return what the program says."""
    (folder / "rows.csv").write_text(f"id,month\n{rows}", encoding="utf-8")
    (folder / "months.csv").write_text(PERIODS, encoding="utf-8")
    said: list[str] = []
    categories = () if "--categories" in options else ("--categories", str(folder / "months.csv"))
    run.publish(
        plan,
        [str(folder / "rows.csv"), *person, "--out", str(folder / "out"), *categories, *options],
        lambda text: said.append(str(text)),
    )
    return said


def published(folder: Path, number: int) -> list[tuple[str, str]]:
    text = (folder / f"out/release-{number}.csv").read_text(encoding="utf-8")
    return [(row["category"], row["number"]) for row in csv.DictReader(text.splitlines())]


def record(folder: Path, number: int) -> dict[str, Any]:
    return json.loads((folder / f"out/release-{number}.json").read_text(encoding="utf-8"))


def without_noise(numbers: list[tuple[str, str]]) -> list[float]:
    """Return running totals without the noise of the first run: 1,000 · (1 + 2 + …) of them."""
    return [float(number) - 1000 * place * (place + 1) / 2 for place, (_, number) in enumerate(numbers, 1)]


def test_a_series_goes_on_with_the_same_noise_at_no_new_epsilon(tmp_path, draws):
    plan, rows = facts(series_of(contributions=2)), "a,2026-01\nb,2026-01\nb,2026-02\nc,2026-03-05\n"
    said = publish(tmp_path, plan, rows, "--until", "2026-02")
    assert any("ε is spent now, for the whole series" in text for text in said)
    assert [label for label, _ in published(tmp_path, 1)] == ["2026-01", "2026-02"]
    assert without_noise(published(tmp_path, 1)) == [2, 3]
    said = publish(tmp_path, plan, rows + "d,2026-04\n", "--until", "2026-04")
    assert any("no new ε" in text for text in said)
    assert without_noise(published(tmp_path, 2)) == [2, 3, 4, 5]
    publish(tmp_path, plan, "e,2026-06\n")  # the new rows alone are enough
    assert without_noise(published(tmp_path, 3)) == [2, 3, 4, 5, 5, 6]
    for earlier in (1, 2):
        assert published(tmp_path, earlier) == published(tmp_path, 3)[: 2 * earlier]
    assert len(draws) == 1
    assert [record(tmp_path, number)["epsilon_of_this_folder"] for number in (1, 2, 3)] == [1.0, 1.0, 1.0]
    assert [record(tmp_path, number)["published_until"] for number in (1, 2, 3)] == ["2026-02", "2026-04", "2026-06"]
    assert "no published number changes" in record(tmp_path, 2)["mechanisms"][0]["note"]


def test_rows_that_change_or_come_later_leave_what_is_published_as_it_was(tmp_path):
    plan = facts(series_of(contributions=2))
    publish(tmp_path, plan, "a,2026-01\na,2026-02\nb,2026-02\n", "--until", "2026-02")
    publish(tmp_path, plan, "c,2026-01\nb,2026-03\n", "--until", "2026-03")
    assert published(tmp_path, 2)[:2] == published(tmp_path, 1)
    assert without_noise(published(tmp_path, 2)) == [1, 3, 4]


@pytest.mark.parametrize("rest", ["", "a,2026-01\na,2026-02\na,2026-02\n"])
def test_nobody_counts_beyond_the_limits_over_all_runs_whatever_the_rows_of_before_are_now(tmp_path, rest):
    plan = facts(series_of(contributions=3, per_cell=2.0, total=4.0))
    publish(tmp_path, plan, "a,2026-01\na,2026-02\na,2026-02\na,2026-02\n", "--until", "2026-02")
    assert without_noise(published(tmp_path, 1)) == [1, 3]
    publish(tmp_path, plan, f"{rest}a,2026-03\na,2026-03\na,2026-04\n", "--until", "2026-04")
    assert without_noise(published(tmp_path, 2)) == [1, 3, 4, 4]


def test_the_limit_of_each_year_holds_over_all_runs(tmp_path):
    plan = facts(replace(series_of(contributions=6), n_periods=3, max_in_period=1))
    (tmp_path / "years.csv").write_text("month,year\n" + "".join(f"m{n},{n // 2}\n" for n in range(N)))
    options = ("--categories", str(tmp_path / "years.csv"), "--period", "year")
    publish(tmp_path, plan, "a,m0\n", "--until", "m0", *options)
    publish(tmp_path, plan, "a,m1\na,m2\na,m3\na,m4\n", "--until", "m4", *options)
    assert without_noise(published(tmp_path, 2)) == [1, 1, 2, 2, 3]


def test_without_a_column_of_people_the_rows_of_published_periods_must_stay(tmp_path):
    plan, alone = facts(series_of()), ("--each-row-a-person",)
    publish(tmp_path, plan, "1,2026-01\n2,2026-01\n", "--until", "2026-01", person=alone)
    with pytest.raises(ReleaseError, match="a row that has moved would count twice"):
        publish(tmp_path, plan, "1,2026-01\n2,2026-02\n", "--until", "2026-02", person=alone)
    publish(tmp_path, plan, "1,2026-01\n3,2026-02\n2,2026-01\n", "--until", "2026-02", person=alone)
    publish(tmp_path, plan, "4,2026-03\n", "--until", "2026-03", person=alone)
    assert without_noise(published(tmp_path, 3)) == [2, 3, 4]


def test_the_noise_is_in_a_file_that_only_its_owner_reads_and_that_says_it_is_secret(tmp_path):
    publish(tmp_path, facts(series_of()), "anna@example.org,2026-01\n", "--until", "2026-01")
    path = tmp_path / "out" / series.SECRET
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text(encoding="utf-8")
    assert json.loads(text)["warning"].startswith("Secret: ")
    assert "anna" not in text
    assert sorted(each.name for each in path.parent.iterdir()) == [series.SECRET, "release-1.csv", "release-1.json"]


def test_a_series_with_more_noise_of_an_earlier_version_states_no_smaller_error(tmp_path, monkeypatch):
    plan = facts(series_of(contributions=2))
    with monkeypatch.context() as earlier:  # which added noise for one record more
        earlier.setattr(write, "growth_of", lambda _: 3 / 2)
        publish(tmp_path, plan, "a,2026-01\n", "--until", "2026-01")
    with pytest.raises(ReleaseError, match=r"earlier version .* Go on with the program of that run"):
        publish(tmp_path, plan, "a,2026-01\na,2026-02\n", "--until", "2026-02")
    assert not (tmp_path / "out/release-2.json").exists()
    with monkeypatch.context() as same:
        same.setattr(write, "growth_of", lambda _: 3 / 2)
        publish(tmp_path, plan, "a,2026-01\na,2026-02\n", "--until", "2026-02")
    assert "DP Trade-off Explorer" in record(tmp_path, 2)["version"]


def test_a_lost_secret_file_costs_epsilon_again(tmp_path):
    plan = facts(series_of())
    publish(tmp_path, plan, "a,2026-01\n", "--until", "2026-01")
    (tmp_path / "out" / series.SECRET).unlink()
    with pytest.raises(ReleaseError, match=r"with it ε = 2"):
        publish(tmp_path, plan, "a,2026-01\na,2026-02\n", "--until", "2026-02")


def test_a_month_without_a_row_may_not_be_in_the_file_yet(tmp_path):
    plan, rows = facts(series_of()), "a,2026-01\nb,2026-02\n"
    with pytest.raises(ReleaseError, match=r"No row of 'Visits' is of '2026-03' or later, .* say --empty '2026-03'"):
        publish(tmp_path, plan, rows, "--until", "2026-03")
    with pytest.raises(ReleaseError, match=r"names the period of --until; '2026-02' was given"):
        publish(tmp_path, plan, rows, "--until", "2026-03", "--empty", "2026-02")
    assert not (tmp_path / "out").exists()
    publish(tmp_path, plan, rows, "--until", "2026-03", "--empty", "2026-03")
    publish(tmp_path, plan, f"{rows}c,2026-05\n", "--until", "2026-04")  # later rows are there
    with pytest.raises(ReleaseError, match=r"is of '2026-06' or later"):
        publish(tmp_path, plan, f"{rows}c,2026-05\n")  # all months
    assert [label for label, _ in published(tmp_path, 2)] == ["2026-01", "2026-02", "2026-03", "2026-04"]


def test_rows_that_are_added_to_a_published_month_are_told_and_never_count(tmp_path):
    plan, first = facts(series_of()), "a,2026-01\nb,2026-01\n"
    publish(tmp_path, plan, first, "--until", "2026-01")
    said = publish(tmp_path, plan, f"{first}c,2026-01\nd,2026-01\nc,2026-02\n", "--until", "2026-02")
    (message,) = [words for words in said if "never count" in words]
    assert "Visits': at least 2 rows were added to periods that are published, and never count." in message
    text = record(tmp_path, 2)
    for words in (text["statement"], *text["limits"].values()):
        assert "no row that was added after its period was published" in words
    said = publish(tmp_path, plan, f"{first}c,2026-02\nc,2026-03\n", "--until", "2026-03")
    assert not any("never count" in words for words in said)


def test_months_that_have_no_row_yet_stop_the_program(tmp_path):
    with pytest.raises(ReleaseError, match=r"last rows are those of '2026-02'.* such as --until '2026-02'"):
        publish(tmp_path, facts(series_of()), "a,2026-01\nb,2026-02\n")
    at_end = facts(series_of(publication="once"))
    with pytest.raises(ReleaseError, match="if it has, say --until '2026-06'"):
        publish(tmp_path, at_end, "a,2026-01\n")
    with pytest.raises(ReleaseError, match="planned for publication at its end"):
        publish(tmp_path, at_end, "a,2026-01\n", "--until", "2026-01")
    assert not (tmp_path / "out").exists()
    publish(tmp_path, at_end, "a,2026-01\n", "--until", "2026-06")
    assert len(published(tmp_path, 1)) == N
    assert not (tmp_path / "out" / series.SECRET).exists()


@pytest.mark.parametrize(
    ("statistics", "options", "sentence"),
    [
        ((series_of(),), ("--until", "May"), "has no 'May'"),
        ((series_of(), COUNT), ("--until", "2026-01"), "has a run of its own: name it with --only"),
        ((COUNT,), ("--until", "2026-01"), "has a run of its own"),
        (
            (series_of(),),
            ("--until", "2026-01", "--parts", "2"),
            "leave out --parts and --scheduler, or publish all periods at once, with --until ",
        ),
        ((replace(series_of(), n_releases=2),), ("--until", "2026-01", "--for", "x"), "is released several times"),
    ],
)
def test_a_run_that_cannot_go_on_stops_in_a_sentence(tmp_path, statistics, options, sentence):
    categories = ("--categories", f"{statistics[0].name}={tmp_path / 'months.csv'}")
    with pytest.raises(ReleaseError, match=sentence):
        publish(tmp_path, facts(*statistics), "a,2026-01\n", *options, *categories)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--until", "2026-02"), "is published up to '2026-03' already"),
        (("--until", "2026-04", "--again"), "another folder with --out, which costs the same people the same ε again"),
        (("--until", "2026-04", "--where", "id=a"), "the conditions and the list of its first run"),
    ],
)
def test_a_later_run_that_would_not_be_the_same_series_stops(tmp_path, options, sentence):
    plan, rows = facts(series_of()), "a,2026-01\na,2026-04\n"
    publish(tmp_path, plan, rows, "--until", "2026-03")
    with pytest.raises(ReleaseError, match=sentence):
        publish(tmp_path, plan, rows, *options)
    assert not (tmp_path / "out/release-2.json").exists()


@pytest.mark.parametrize("strategy", ["tree", "binary_tree", "square_root", "normalized_square_root", "per_number"])
def test_published_numbers_stay_with_every_strategy(tmp_path, strategy):
    plan, rows = facts(series_of(strategy)), [f"p{person},2026-{1 + person % N:02}\n" for person in range(60)]
    for month in range(1, N + 1):
        publish(tmp_path, plan, "".join(rows), "--until", f"2026-{month:02}")
    last = published(tmp_path, N)
    assert [published(tmp_path, month) for month in range(1, N)] == [last[:month] for month in range(1, N)]
