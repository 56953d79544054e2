"""The program of a training: batches, gradients that are cut, and its stops; tests/peers runs it with OpenDP."""

import csv
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore import composition
from pages.shared.release_program.code_files import TRAINING, code_file, code_notebook
from pages.shared.release_program.steps import train
from pages.shared.release_program.steps.check import FORMULA_STARTS, ReleaseError
from pages.shared.release_program.steps.ledger import Ledger
from tests.pages.shared.test_release_program import HOSTILE, plan_in, plan_in_any
from tests.programs import at, downloaded, namespace_of

TRAINING_LINK = "/Composition?section=training"
SETTINGS = (
    f"{TRAINING_LINK}&records=2000&batch=50&epochs=3",
    f"{TRAINING_LINK}&records=1841&batch=100&solve=noise&epsilon=1&delta=1e-5&epochs=2",
    f"{TRAINING_LINK}&solve=steps&epsilon=2",
    f"{TRAINING_LINK}&solve=rate&epsilon=1",
    f"{TRAINING_LINK}&records=300&batch=300&epochs=4&contribution=limited",
    "/Composition?section=batching&loader=poisson&records=2000&batch=50&epochs=3",
)
PLAN = plan_in(downloaded(f"{TRAINING_LINK}&records=4&batch=2&epochs=5", "train.py"))
OPTIONS = ["--model", "linear", "--feature", "x=0,10", "--target", "y=0,2"]
LOGISTIC = ["--model", "logistic", "--feature", "x=0,10", "--target", "z=no,yes"]
DATA = "id,x,y,z\n1,0,1,no\n2,5,2,yes\n3,10,0,yes\n4,2,1,no\n"


def task_of(*arguments: str, plan: dict[str, Any] = PLAN) -> train.Task:
    return train.task_of(train.training_options(["data.csv", *arguments]), plan)


def arguments_in(folder: Path, text: str, *options: str, person: str = "id") -> list[str]:
    (folder / "data.csv").write_text(text, encoding="utf-8")
    out = ["--person", person] if person else []
    return [str(folder / "data.csv"), *out, "--out", str(folder / "out"), *options]


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_program_has_the_training_of_the_page_and_its_certified_epsilon(setting):
    plan, (topic, result) = plan_in(downloaded(setting, "train.py")), at(setting)
    release = composition.sampled_release(plan["noise_multiplier"], plan["rate"], plan["steps"])
    assert plan["epsilon"] == float(composition.epsilon((release,), plan["delta"], "certified").value)
    assert plan["rate"] == plan["batch"] / plan["records"]
    assert plan["neighbours"] == "add_remove"
    assert plan["unit"] == ("record" if "limited" in setting else "person")
    statements = topic.open_section(result).statements(result)
    assert statements is not None
    assert ("Poisson" in statements.public) == (plan["rate"] < 1)
    for done_by_the_program in ("Poisson", "the influence of each record is cut"):
        assert done_by_the_program not in plan["statement"]
    assert "every training that anybody looked at is counted" in plan["statement"]
    if "solve" in setting:
        assert plan["epsilon"] <= result.setting.epsilon


@pytest.mark.parametrize(
    "setting",
    [
        *(f"/Composition?section=batching&loader={loader}" for loader in ("shuffled", "fixed")),
        *(f"{TRAINING_LINK}&{denied}" for denied in ("fixed=no", "curator=people", "solve=steps&epsilon=1e-6")),
        f"{TRAINING_LINK}&noise_multiplier=0.001&epochs=10000&batch=60000&records=60000",
    ],
)
def test_no_program_for_other_batches_a_denied_condition_or_no_protection(setting):
    topic, result = at(setting)
    assert topic.open_section(result).downloads(result) is None


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_of_a_training_are_data_and_never_code(text):
    plan = PLAN | {"statement": text, "link": text}
    assert plan_in(code_file(plan, TRAINING)) == plan
    assert plan_in_any(code_notebook(plan, TRAINING)) == plan


def test_the_program_stands_alone_with_its_two_steps():
    program = namespace_of(downloaded(SETTINGS[0], "train.py"))
    assert {"train", "ledger_of", "rows_of", "opendp_module"} <= program.keys()
    assert "limited_rows" not in program


@pytest.mark.parametrize("rate", [0.3, 0.01, 1.0, 1e-30])
def test_each_record_joins_a_batch_with_the_rate_apart_from_the_others(rate):
    n, n_steps = 50, 4000
    batches = [train.joined(np, n, rate) for _ in range(n_steps)]
    counts = np.bincount(np.concatenate(batches).astype(int), minlength=n)
    error = math.sqrt(rate * (1 - rate) / n_steps)
    assert (abs(counts / n_steps - rate) <= 5 * error).all()
    sizes = np.array([batch.size for batch in batches])
    assert abs(sizes.mean() - n * rate) <= 4 * error * math.sqrt(n)
    variance = n * rate * (1 - rate)  # of a sum of independent coins, which is not that of a fixed number
    assert abs(sizes.var() - variance) <= 4 * math.sqrt((2 * variance**2 + variance) / n_steps) + 1e-9


def test_the_rate_is_rounded_down_to_the_grid_of_random_numbers():
    words = iter([b"\xff" * 7 + b"\x7f", b"\x00" * 7 + b"\x80"])
    for expected in ([0], []):  # just below a half, and a half
        program = namespace_of(downloaded(SETTINGS[0], "train.py"))
        word = next(words)
        program["urandom"] = lambda _, word=word: word
        assert program["joined"](np, 1, 0.5).tolist() == expected


def test_each_step_draws_one_batch_and_adds_noise_once_to_the_sum_of_that_batch(monkeypatch):
    """The trap of gradients that are accumulated over several small batches: noise, or the rate, of each of them."""
    plan, records = PLAN | {"steps": 7}, np.random.default_rng(1).uniform(-1, 1, (40, 3))
    task, seen = task_of(*OPTIONS, "--each-row-a-person"), list[tuple[str, Any]]()

    def joined(_, n_records: int, rate: float) -> np.ndarray:
        batch = np.random.default_rng(len(seen)).choice(n_records, 9, replace=False)
        seen.append(("batch", (n_records, rate, batch)))
        return batch

    def noise(sums: list[int]) -> list[int]:
        seen.append(("noise", sums))
        return sums

    monkeypatch.setattr(train, "joined", joined)
    last = train.trained(np, records, noise, plan, task, lambda _: None)
    assert [kind for kind, _ in seen] == ["batch", "noise"] * 7
    weights, total = np.zeros(2), np.zeros(2)
    for step, ((_, (n_records, rate, batch)), (_, sums)) in enumerate(zip(seen[::2], seen[1::2], strict=True)):
        assert (n_records, rate) == (40, plan["rate"])
        cut = train.cut_in_steps(np, train.gradients_of(np, records[batch], weights, False), task.clip)
        assert sums == cut.sum(axis=0).tolist()
        weights = weights - task.learning_rate * np.array(sums) / train.GRID * task.clip / plan["batch"]
        total = total + weights * (step >= 3)
    np.testing.assert_allclose(last, total / 4, rtol=1e-12)


@pytest.mark.parametrize("size", [1e-12, 0.3, 1.0, 7.0, 1e9])
@pytest.mark.parametrize("clip", [1e-3, 1.0, 50.0])
def test_no_gradient_is_longer_than_the_grid_allows_and_short_ones_are_kept(size, clip):
    gradients = np.random.default_rng(3).normal(size=(2000, 7))
    gradients *= size / np.linalg.norm(gradients, axis=1)[:, None]
    steps = train.cut_in_steps(np, gradients, clip)
    assert (steps.astype(object) ** 2).sum(axis=1).max() <= train.GRID**2
    lengths = np.linalg.norm(gradients, axis=1)[:, None]
    expected = gradients * np.minimum(1, clip / lengths)
    np.testing.assert_allclose(steps / train.GRID * clip, expected, atol=1.01 * clip / train.GRID, rtol=1e-11)


@pytest.mark.parametrize("is_logistic", [False, True])
def test_gradients_are_those_of_the_loss(is_logistic):
    rng, weights = np.random.default_rng(5), np.array([0.3, -0.8, 0.1])
    records = np.column_stack([np.ones(6), rng.uniform(-1, 1, (6, 2)), rng.integers(0, 2, 6)])

    def losses(at_weights):
        z, y = records[:, :-1] @ at_weights, records[:, -1]
        return np.log1p(np.exp(z)) - y * z if is_logistic else (z - y) ** 2 / 2

    found = train.gradients_of(np, records, weights, is_logistic)
    for place in range(3):
        step = 1e-6 * (np.arange(3) == place)
        slope = (losses(weights + step) - losses(weights - step)) / 2e-6
        np.testing.assert_allclose(found[:, place], slope, atol=1e-8)


def test_discrete_noise_is_as_near_to_rounded_gaussian_noise_as_the_extra_noise_pays_for():
    """On a grid of s steps to σ each probability is off by a factor of at most e^((k²/s² + 1)/(24 s²) · 1.01)."""
    for s in (20.0, 50.0, 200.0):
        k = np.arange(0, int(12 * s))
        exact = np.exp(-(k**2) / (2 * s**2)) / (s * math.sqrt(2 * math.pi))
        rounded = stats.norm.sf(k - 0.5, scale=s) - stats.norm.sf(k + 0.5, scale=s)
        off = abs(np.log(exact / rounded))
        assert (off <= 1.01 * ((k / s) ** 2 + 1) / (24 * s**2) + 1e-10).all()
    n_weights, n_steps = 100, 10**5
    far = 40**2 + 1
    epsilon, noise, rate = 1.0, 1.0, 0.001
    paid = [
        float(composition.dp_sgd_epsilon(1e-6, noise * factor, rate, n_steps, "rdp")) for factor in (1, 1 + train.EXTRA)
    ]
    assert paid[0] > epsilon
    assert 2 * n_weights * n_steps * far / (24 * (noise * train.GRID) ** 2) < (paid[0] - paid[1]) / 10


def test_one_record_of_each_person_is_kept_at_random(tmp_path):
    text = "id,x,y\n" + "a,0,0\na,10,0\na,5,0\n" + "b,1,1\nc,1,1\nd,1,1\n"
    task = train.task_of(train.training_options(arguments_in(tmp_path, text, *OPTIONS)), PLAN)
    kept = [train.kept_records(task, PLAN) for _ in range(1500)]
    assert {len(records) for records in kept} == {4}
    chosen = Counter(records[0][1] for records in kept)
    assert set(chosen) == {-1.0, 1.0, 0.0}
    assert all(abs(times - 500) <= 5 * math.sqrt(1500 * 2 / 9) for times in chosen.values())


def test_values_are_scaled_by_public_bounds_and_never_by_the_data(tmp_path):
    text = "id,x,y\n1,-50,1e9\n2,5,1\n3,10,2\n4,11,0\n"
    task = train.task_of(train.training_options(arguments_in(tmp_path, text, *OPTIONS)), PLAN)
    assert train.kept_records(task, PLAN) == [[1, -1, 1], [1, 0, 0], [1, 1, 1], [1, 1, -1]]


def test_the_weights_are_in_the_units_of_the_file():
    task = task_of("--model", "linear", "--feature", "a=0,10", "--feature", "b=-1,3", "--target", "y=5,9", *EACH)
    terms = dict(train.terms_of([0.5, 0.25, -1.0], task))
    for a, b in ((0, -1), (10, 3), (2.5, 0)):
        scaled = 0.5 + 0.25 * (2 * a / 10 - 1) - (2 * (b + 1) / 4 - 1)
        assert terms[""] + terms["a"] * a + terms["b"] * b == pytest.approx(7 + 2 * scaled)
    logistic = task_of("--model", "logistic", "--feature", "a=0,10", "--target", "z=no,yes", *EACH)
    terms = dict(train.terms_of([0.5, 0.25], logistic))
    assert terms[""] + terms["a"] * 10 == pytest.approx(0.75)


EACH = ("--each-row-a-person",)


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (DATA, ["--model", "linear", "--feature", "x=0,10", "--target", "y=2"], "Write COLUMN=LOW,HIGH"),
        (DATA, ["--model", "linear", "--feature", "x=9,1", "--target", "y=0,2"], "not 'x=9,1'"),
        (DATA, ["--model", "linear", "--feature", "x=0,inf", "--target", "y=0,2"], "with public bounds"),
        (DATA, ["--model", "logistic", "--feature", "x=0,9", "--target", "z=yes"], "two public labels"),
        (DATA, ["--model", "logistic", "--feature", "x=0,9", "--target", "z=a,a"], "two public labels"),
        (DATA, ["--model", "linear", "--target", "y=0,2"], "Name each column once"),
        (DATA, ["--model", "linear", "--feature", "y=0,2", "--target", "y=0,2"], "Name each column once"),
        (DATA, [*OPTIONS, "--clip", "0"], "--clip must be in"),
        (DATA, [*OPTIONS, "--learning-rate", "nan"], "--learning-rate must be in"),
        (DATA, [*OPTIONS, *EACH], "Say who a row belongs to"),
        (DATA, ["--model", "linear", "--feature", "w=0,9", "--target", "y=0,2"], "no column 'w'; it has 'id', 'x'"),
        (DATA.replace("id", "name"), OPTIONS, "no column 'id'"),
        (DATA.replace("2,5", ",5"), OPTIONS, "Line 3 has nobody in the column 'id'"),
        (DATA.replace("5,2", "five,2"), OPTIONS, "Line 3 has 'five' for 'x', which is no number"),
        (DATA.replace("5,2", "nan,2"), OPTIONS, "Line 3 has 'nan' for 'x', which is no number"),
        (DATA.replace("2,yes", "2,perhaps"), LOGISTIC, "Line 3 has 'perhaps' for 'z', which is no label"),
        (DATA + "5,1,1,no\n", OPTIONS, "The page is made for N = 4 records, and the file has 5"),
        ("id,x,y,z\n", OPTIONS, "the file has 0"),
        ("", OPTIONS, "the file has 0"),
        (DATA + "5,1\n", OPTIONS, "Line 6 has 2 fields"),
    ],
)
def test_a_wrong_file_or_command_stops_in_a_sentence_before_anything_is_written(tmp_path, text, options, sentence):
    with pytest.raises(ReleaseError, match=r".") as stop:
        train.train(PLAN, arguments_in(tmp_path, text, *options), lambda _: None)
    assert sentence in str(stop.value)
    assert "\n" not in str(stop.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", [text for text in HOSTILE if text != "\x00" and "=" not in text])
def test_no_name_of_a_column_is_a_formula_for_a_spreadsheet(tmp_path, text):
    task = task_of("--model", "linear", f"--feature={text}=0,1", "--target", "y=0,1", *EACH)
    train.model_written(Ledger(tmp_path, 1, 1.0, 0.0), PLAN, [0.0, 1.0], task)
    rows = list(csv.reader((tmp_path / "release-1.csv").read_text(encoding="utf-8").splitlines()))
    assert [row[0] for row in rows[:2]] == ["column", "intercept"]
    assert not [row for row in rows if row[0].startswith(FORMULA_STARTS)]
    said = json.loads((tmp_path / "release-1.json").read_text(encoding="utf-8"))
    assert said["model"]["features"][0]["column"] == text
    assert {key: said[key] for key in ("epsilon", "delta", "neighbours", "unit", "conditions", "accountant")} == {
        key: PLAN[key] for key in ("epsilon", "delta", "neighbours", "unit", "conditions", "accountant")
    }


def test_records_are_not_limited_where_one_record_is_protected():
    task = task_of(*OPTIONS, plan=PLAN | {"unit": "record"})
    assert task.source.person == ""
