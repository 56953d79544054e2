"""The program of a release on files beyond memory, without Polars: it says what is missing, and tallies add up."""

from collections import Counter

import pytest

from pages.shared.release_program.steps import check, limit, run
from pages.shared.release_program.steps.check import ReleaseError, Tally
from tests.pages.shared.test_release_program import COUNT, facts


def test_without_polars_the_program_stops_in_a_sentence(tmp_path, monkeypatch):
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(check, "import_module", missing)
    (tmp_path / "data.csv").write_text("id\n1\n", encoding="utf-8")
    arguments = [str(tmp_path / "data.csv"), "--person", "id", "--out", str(tmp_path / "out"), "--parts", "2"]
    with pytest.raises(ReleaseError, match=r"Polars is not installed: run pip install 'polars>=2,<3'\."):
        run.publish(facts(COUNT), arguments)
    assert not (tmp_path / "out").exists()


def test_tallies_of_other_people_add_up(tmp_path):
    one, other = Tally(Counter({0: 2}), 7, 3), Tally(Counter({0: 1, 1: 4}), -2, 5)
    assert one + other == Tally(Counter({0: 3, 1: 4}), 5, 8)
    (tmp_path / "data.csv").write_text("id\n1\n", encoding="utf-8")
    plan = facts(COUNT)
    source = run.source_of(run.options_of([str(tmp_path / "data.csv"), "--person", "id"]), plan)
    assert limit.aggregates_of(plan, source, {"Count": one + other}) == {"Count": [3]}
