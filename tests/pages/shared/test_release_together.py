"""What a release says of the earlier ones in its folder: their sum, in the statement, the numbers and the terminal."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pages.shared.release_program.steps import ledger, train, write
from pages.shared.release_program.steps.check import ReleaseError, Source, up
from pages.shared.release_program.steps.ledger import Occasion
from pages.shared.release_program.steps.together import best_guess, guarantee_text, one_in, with_earlier
from tests.pages.shared.test_release_program import BY_OPENDP, COUNT, SUM, facts, plan_in
from tests.programs import downloaded

OPEN = "contribution=once&fixed=yes&curator=office"
SETTINGS = (
    f"/Plan?promise=delta&queries=count:20=Visits;sum:300,0,40=Costs&{OPEN}&others=none",
    f"/Plan?promise=delta&queries=count:20=Visits;sum:300,0,40=Costs&{OPEN}",
    f"/Plan?promise=pure&queries=count:20=Visits&{OPEN}&others=none",
    f"/Plan?promise=pure&queries=count:20=Visits&{OPEN}&others=yearly",
    f"/Accuracy?query=mean&{OPEN}&others=none",
    f"/Tables?{OPEN}&others=none",
)


def released(folder: Path, plan: dict[str, Any], again: bool = True, **more: Any) -> ledger.Ledger:
    """Write a release of a plan into a folder, as a run does."""
    own = ledger.ledger_of(folder, plan, again, Occasion(**more))
    rows = [["statistic", "number"], ["Visits", "7"]]
    write.written(own, with_earlier(plan, own), rows, BY_OPENDP, {})
    return own


def said(folder: Path, number: int) -> dict[str, Any]:
    return json.loads((folder / f"release-{number}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_second_release_states_the_sum_of_the_folder_and_names_the_first(tmp_path, setting):
    plan = plan_in(downloaded(setting))
    names = tuple(statistic["name"] for statistic in plan["statistics"])
    for number in (1, 2, 3):
        own = released(tmp_path, plan, statistics=names)
        words, total = said(tmp_path, number), up(number * up(plan["epsilon"]))
        assert words["epsilon_of_this_folder"] == pytest.approx(total, rel=1e-3)
        assert words["epsilon_of_this_folder"] >= number * plan["epsilon"]
        texts = words["statement"], words["conditions"]
        if number == 1:
            assert texts == (plan["statement"], plan["conditions"])
            continue
        earlier = {2: "release 1 of this folder", 3: "releases 1 to 2 of this folder"}[number]
        own_size, sum_size = (f"epsilon {up(size):g}" for size in (plan["epsilon"], own.epsilon))
        for text in texts:
            assert f"about the same people: {earlier} came before. Together they have {sum_size}" in text
            assert text.count(own_size) == 1
            assert f"this release alone has {own_size}" in text
            assert not re.search(r"(?<!folder, )nothing else is released", text)
        assert re.search(rf"differential privacy \({sum_size}[^()]*, of all these releases together\) limits", texts[0])
        guesses = re.search(r"with all of these releases for at most ([\d,]+) of ([\d,]+) on average", texts[0])
        assert guesses is not None
        right, of = (int(words.replace(",", "")) for words in guesses.groups())
        assert best_guess(own.epsilon, own.delta) <= right / of < 1
        assert "with the release for" not in texts[0]
        assert guarantee_text(plan, own).startswith(f"The guarantee: ε = {up(own.epsilon):g} (δ = ")
        assert f"of this release and {earlier} together" in guarantee_text(plan, own)
    with (tmp_path / "release-2.csv").open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert float(row["epsilon_of_this_folder"]) >= 2 * plan["epsilon"]
    assert float(row["delta_of_this_folder"]) >= 2 * plan["delta"]
    assert (tmp_path / "release-1.csv").read_text(encoding="utf-8").startswith("statistic,number\n")


def test_the_sum_of_releases_of_other_plans_is_stated_too(tmp_path):
    first, second = facts(COUNT), facts(SUM) | {"epsilon": 0.5, "delta": 1e-6}
    released(tmp_path, first)
    own = released(tmp_path, second)
    assert guarantee_text(second, own) == (
        "The guarantee: ε = 1.5 (δ = 1e-6) for one person, of this release and release 1 of this folder together. This "
        "release alone has ε = 0.5 (δ = 1e-6)."
    )
    assert "Together they have epsilon 1.5 and delta 1 in 1,000,000; this release" in said(tmp_path, 2)["conditions"]


def test_runs_that_share_one_plan_state_its_guarantee_and_no_sum(tmp_path):
    plan = facts(replace(COUNT, n_releases=2))
    plan["statement"] = "Nothing new: nothing else is released about these people."
    for number, time in enumerate(("2026-01", "2026-02"), 1):
        own = released(tmp_path, plan, statistics=("Count",), time=time)
        assert guarantee_text(plan, own) == "The guarantee: ε = 1 (δ = 0) for one person."
        assert said(tmp_path, number)["statement"] == plan["statement"]
    goes_on = ledger.ledger_of(tmp_path, plan, again=False)  # as a later run of a series that is published as it goes
    assert with_earlier(plan, goes_on) == plan


def test_a_third_run_of_a_plan_for_two_costs_the_plan_again_and_says_so(tmp_path):
    plan = facts(replace(COUNT, n_releases=2))
    for time in ("2026-01", "2026-02"):
        released(tmp_path, plan, statistics=("Count",), time=time)
    own = released(tmp_path, plan, statistics=("Count",), time="2026-03")
    assert guarantee_text(plan, own).startswith("The guarantee: ε = 2 (δ = 0) for one person, of this release and rel")


def test_a_second_model_in_a_folder_states_the_sum_too(tmp_path):
    plan = plan_in(downloaded("/Composition?section=training", "train.py"))
    assert "with_earlier" in downloaded("/Composition?section=training", "train.py")
    for number in (1, 2):
        own = ledger.ledger_of(tmp_path, plan, again=True)
        source = Source(tmp_path, "id", {}, {})
        task = train.Task(source, False, (train.Column("x"),), train.Column("y"), 1.0, 0.1)
        train.model_written(own, with_earlier(plan, own), [0.0, 0.0], task)
        assert (f"have epsilon {up(own.epsilon):g}" in said(tmp_path, number)["statement"]) is (number == 2)
        head = (tmp_path / f"release-{number}.csv").read_text(encoding="utf-8").partition("\n")[0]
        assert head.endswith("epsilon_of_this_folder,delta_of_this_folder") is (number == 2)


def test_a_folder_without_an_earlier_release_takes_no_other_since_its_cost_is_forgotten(tmp_path):
    plan = facts(COUNT)
    for _ in range(2):
        released(tmp_path, plan)
    (tmp_path / "release-1.json").unlink()
    with pytest.raises(ReleaseError, match="must have the files of all its releases"):
        released(tmp_path, plan)
    assert [path.name for path in tmp_path.glob("*.json")] == ["release-2.json"]


@pytest.mark.parametrize(("probability", "text"), [(2e-6, "1 in 500,000"), (3e-6, "1 in 333,333"), (0.6, ""), (0, "")])
def test_a_probability_in_words_is_rounded_up(probability, text):
    assert one_in(probability) == text
