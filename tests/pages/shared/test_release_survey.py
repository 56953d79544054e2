"""The program of a survey: reports as dpcore has them, shares within their ± as often as stated, and its stops."""

import ast
import csv
import json
import math
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import local
from pages.shared.release_program.code_files import SURVEY, code_file
from pages.shared.release_program.steps import survey
from pages.shared.release_program.steps.check import FORMULA_STARTS, ReleaseError
from tests.pages.shared.test_release_program import HOSTILE, plan_in
from tests.programs import at, downloaded

SETTING = "/A_survey?n_options=6&option_share=0.3&n_people=2000&epsilon=1.5"
METHODS = local.METHODS
NAMES = "abcdef"


def plan_of(method: str = "subset_selection") -> dict[str, Any]:
    plan: dict[str, Any] = plan_in(downloaded(f"{SETTING}&method={method}", "survey.py"))
    return plan


def listed(folder: Path, names: str | list[str] = NAMES) -> str:
    with (folder / "options.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["option"], *([name] for name in names)])
    return str(folder / "options.csv")


@pytest.mark.parametrize("method", METHODS)
def test_a_report_speaks_for_each_option_as_often_as_dpcore_says(method):
    plan, n = plan_of(method), 4000
    supports, n_reports = survey.supports_of((survey.report_of(2, plan) for _ in range(n)), plan)
    p, not_p, q, not_q, _ = local.report_probabilities(plan["epsilon"], 6, method, 0.3)
    assert (plan["p"], plan["q"], n_reports) == (float(p), float(q), n)
    for option, support in enumerate(supports):
        chance, other = (p, not_p) if option == 2 else (q, not_q)
        assert abs(support / n - chance) <= 4 * math.sqrt(chance * other / n)


@pytest.mark.parametrize("method", METHODS)
def test_no_report_is_more_than_e_to_the_epsilon_times_as_probable_for_another_answer(method):
    plan, n = plan_of(method) | {"n_options": 2, "size": 1 if plan_of(method)["size"] else 0, "epsilon": 1.0}, 20_000
    both = [Counter(tuple(survey.report_of(answer, plan)) for _ in range(n)) for answer in (0, 1)]
    assert set(both[0]) == set(both[1])
    ratios = [math.log(both[0][report] / both[1][report]) for report in both[0]]
    assert max(map(abs, ratios)) == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize("method", METHODS)
def test_the_share_of_an_option_is_within_its_half_width_as_often_as_stated(method):
    plan, n, n_surveys = plan_of(method), 2000, 1000
    rng = np.random.default_rng(7)
    n_own = int(0.3 * n)
    spoken = rng.binomial(n_own, plan["p"], n_surveys) + rng.binomial(n - n_own, plan["q"], n_surveys)
    found = np.array([survey.share_of(int(support), n, plan) for support in spoken])
    within = np.mean(abs(found[:, 0] - 0.3) <= found[:, 1])
    error = math.sqrt(0.05 * 0.95 / n_surveys)
    assert within >= 0.95 - 4 * error
    assert plan["level"].endswith("at most 5 % of releases")
    stated = at(f"{SETTING}&method={method}")[1].error
    assert stated <= np.median(found[:, 1]) <= 1.2 * stated


def run(folder: Path, *arguments: str, answer: str = "", code: str = "") -> subprocess.CompletedProcess[str]:
    (folder / "survey.py").write_text(code or downloaded(SETTING, "survey.py"), encoding="utf-8")
    command = [sys.executable, "survey.py", *arguments, "--options", "options.csv"]
    return subprocess.run(command, cwd=folder, input=answer, capture_output=True, text=True, timeout=120, check=False)


def test_a_device_keeps_its_report_and_not_the_answer_and_an_office_estimates_the_shares(tmp_path):
    listed(tmp_path)
    first = run(tmp_path, "answer", answer="c\n")
    assert first.returncode == 0, first.stderr
    assert json.loads((tmp_path / "survey/report-1.json").read_text(encoding="utf-8")) in [
        [place] for place in range(6)
    ]
    again = run(tmp_path, "answer", answer="c\n")
    assert again.returncode == 1
    assert "send that one again, which costs nothing. Another one costs you ε = 1.5 again, ε = 3 in all" in again.stderr
    assert run(tmp_path, "answer", "--again", answer="c\n").returncode == 0
    assert sorted(path.name for path in (tmp_path / "survey").iterdir()) == ["report-1.json", "report-2.json"]
    plan = plan_in(downloaded(SETTING, "survey.py"))
    lines = [json.dumps(survey.report_of(place % 3, plan)) for place in range(3000)]
    (tmp_path / "reports.txt").write_text("\n".join(lines), encoding="utf-8")
    done = run(tmp_path, "estimate", "reports.txt")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader((tmp_path / "survey/survey.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["category"] for row in rows] == list(NAMES)
    for row, share in zip(rows, [1 / 3] * 3 + [0] * 3, strict=True):
        assert abs(float(row["number"]) - share) <= 2.5 * float(row["plus_minus"])
    said = json.loads((tmp_path / "survey/survey.json").read_text(encoding="utf-8"))
    assert (said["epsilon"], said["n_reports"], said["neighbours"]) == (1.5, 3000, "replace")
    assert "phone may lie" in said["statement"]


@pytest.mark.parametrize(
    ("method", "line", "sentence"),
    [
        ("subset_selection", "[6]", "Line 1 of the reports has '[6]', which is no report of this survey"),
        ("subset_selection", "[-1]", "is no report"),
        ("randomized_response", "[1, 2]", "is no report"),
        ("randomized_response", "[true]", "is no report"),
        ("optimized_unary", "[1, 1]", "is no report"),
        ("symmetric_unary", '{"a": 1}', "is no report"),
        ("hadamard", "[8, 0]", "is no report"),
        ("hadamard", "[1, 2]", "is no report"),
        ("hadamard", "no", "is no report"),
        ("hadamard", "", "There are no reports"),
    ],
)
def test_a_report_that_is_not_of_the_survey_stops_in_a_sentence(tmp_path, method, line, sentence):
    (tmp_path / "reports.txt").write_text(f"{line}\n", encoding="utf-8")
    arguments = ["estimate", str(tmp_path / "reports.txt"), "--options", listed(tmp_path)]
    with pytest.raises(ReleaseError, match=r".") as stop:
        survey.survey(plan_of(method), [*arguments, "--out", str(tmp_path / "out")])
    assert sentence in str(stop.value)
    assert not (tmp_path / "out").exists()


def test_wrong_files_and_answers_stop_in_a_sentence(tmp_path):
    assert run(tmp_path, "answer", answer="a\n").stderr.startswith("Nothing was written. The file can’t be read as CSV")
    listed(tmp_path, "ab")
    assert "has 2 categories, and the plan is made for 6" in run(tmp_path, "answer", answer="a\n").stderr
    listed(tmp_path)
    assert run(tmp_path, "answer", answer="z\n").stderr == "Nothing was written. The answer is none of the options.\n"
    assert run(tmp_path, "estimate", "none.txt").stderr.startswith("Nothing was written. The reports can’t be read: ")


@cache
def n_statements() -> int:
    return len(ast.parse(code_file(plan_of(), SURVEY)).body)


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_of_a_survey_are_data_and_no_formula(tmp_path, text):
    code = code_file(plan_of() | {"name": text, "statement": text}, SURVEY)
    assert plan_in(code)["name"] == text
    assert len(ast.parse(code).body) == n_statements()
    if text == "\x00":
        return
    (tmp_path / "reports.txt").write_text("[0]\n", encoding="utf-8")
    options = listed(tmp_path, [text, *"bcdef"])
    plan = plan_of("randomized_response") | {"name": text}
    survey.survey(plan, ["estimate", str(tmp_path / "reports.txt"), "--options", options, "--out", str(tmp_path)])
    rows = list(csv.reader((tmp_path / "survey.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 7
    assert not [cell for row in rows for cell in row[:2] if cell.startswith(FORMULA_STARTS)]


@pytest.mark.parametrize("link", ["n_options=20", "n_options=3&epsilon=0.01", "n_options=2&n_people=2000&epsilon=0.5"])
def test_a_trusted_office_has_a_program_with_the_error_that_the_page_compares(link):
    plan, (_, result) = plan_in(downloaded(f"/A_survey?{link}")), at(f"/A_survey?{link}")
    (statistic,) = plan["statistics"]
    setting = result.setting
    n = 1 if setting.n_options == 2 else setting.n_people
    stated = float(result.office_error(setting.epsilon, setting.n_options))
    assert statistic["half_width"] == pytest.approx(stated * n, rel=1e-9)
    assert statistic["l1"] / statistic["scale"] == pytest.approx(setting.epsilon)
    assert (plan["epsilon"], plan["delta"], plan["neighbours"]) == (setting.epsilon, 0, "replace")
    assert "a trusted office adds the noise" in plan["conditions"]


def test_where_each_person_adds_the_noise_there_is_no_program_of_an_office():
    topic, result = at("/A_survey?curator=people")
    files = topic.open_section(result).downloads(result)
    assert files is not None
    assert [file.name for file in files.files] == ["survey.py", "survey.ipynb"]
    assert "office that people trust" not in files.text
