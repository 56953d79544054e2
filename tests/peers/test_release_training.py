"""The program of a training with the real OpenDP and NumPy, on a shipped table: its noise, its privacy, its stops."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
from dp_accounting import dp_event, pld

from dpcore import tables
from tests.peers.test_release_program import run
from tests.programs import downloaded, namespace_of

N_RELEASES = 1000
SETTINGS = (
    "/Composition?section=training&records=1841&batch=64&epochs=6&noise_multiplier=0.8",
    "/Composition?section=training&records=1841&batch=40&epochs=2&solve=noise&epsilon=1&delta=1e-5",
    "/Composition?section=batching&loader=poisson&records=1841&batch=1841&epochs=3&noise_multiplier=5",
)
COLUMNS = ("smoke", "mental", "phys", "systol", "protein")
OPTIONS = ["men.csv", "--person", "person", "--model", "logistic", *(f"--feature={name}=0,1" for name in COLUMNS)]
OPTIONS += ["--target", "family=no,yes"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the men of the shipped table, each with five answers and one that is predicted."""
    folder = tmp_path_factory.mktemp("training")
    frame = tables.czech_autoworkers()
    cells = [[part.rpartition(" ")[2] for part in name.split(", ")] for name in frame["cell"]]
    men = [cell for cell, count in zip(cells, frame["count"], strict=True) for _ in range(int(count))]
    rows = [[f"p{place}", *man[:5], ("no", "yes")[man[3] == "1"]] for place, man in enumerate(men)]
    with (folder / "men.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["person", *COLUMNS, "family"], *rows])
    return folder


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_noise_of_a_step_is_that_of_the_page_and_its_privacy_by_opendps_map(setting):
    program = namespace_of(downloaded(setting, "train.py"))
    z, grid = program["PLAN"]["noise_multiplier"], program["GRID"]
    noise = program["noise_of"](program["opendp_module"](), z)
    rho = noise.map(float(grid))
    assert 1 / (2 * z**2) * (1 - 3e-6) <= rho <= 1 / (2 * z**2)
    draws = np.array([noise([0, grid]) for _ in range(N_RELEASES)], dtype=float) / grid - [0, 1]
    error = z / math.sqrt(N_RELEASES)
    assert (abs(draws.mean(axis=0)) <= 4 * error).all()
    assert (abs(draws.std(axis=0) - z) <= 4 * error / math.sqrt(2)).all()
    within = np.mean(abs(draws) <= 1.959964 * z)
    assert abs(within - 0.95) <= 4 * math.sqrt(0.05 * 0.95 / draws.size)


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_epsilon_of_the_page_is_that_of_another_accountant(setting):
    program = namespace_of(downloaded(setting, "train.py"))
    plan = program["PLAN"]
    step = dp_event.PoissonSampledDpEvent(plan["rate"], dp_event.GaussianDpEvent(plan["noise_multiplier"]))
    accountant = pld.PLDAccountant(value_discretization_interval=1e-3).compose(step, plan["steps"])
    assert plan["epsilon"] == pytest.approx(accountant.get_epsilon(plan["delta"]), rel=0.03)


def test_less_noise_than_on_the_page_is_refused():
    program = namespace_of(downloaded(SETTINGS[0], "train.py"))
    program["EXTRA"] = -0.01
    with pytest.raises(program["ReleaseError"], match="privacy of a step is less than that of the plan"):
        program["noise_of"](program["opendp_module"](), 1.0)


def test_a_model_is_trained_once_and_predicts_what_it_was_given(folder, tmp_path):
    code, out = downloaded(SETTINGS[0], "train.py"), tmp_path / "out"
    done = run(code, folder, *OPTIONS, "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "It has no rule for batches that are drawn at random" in done.stdout
    rows = list(csv.DictReader((out / "release-1.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["column"] for row in rows] == ["intercept", *COLUMNS]
    weights = {row["column"]: float(row["weight"]) for row in rows}
    assert weights["systol"] > 1  # the answer that decides it
    assert weights["intercept"] < 0 < weights["intercept"] + weights["systol"]
    said = json.loads((out / "release-1.json").read_text(encoding="utf-8"))
    assert said["neighbours"] == "add_remove"
    assert "certified" in said["accountant"]
    assert "Poisson" not in said["statement"]  # the program draws the batches and cuts the gradients itself
    assert "influence is limited in every step" not in said["statement"]
    assert said["epsilon_of_this_folder"] == said["epsilon"]
    again = run(code, folder, *OPTIONS, "--out", str(out))
    assert again.returncode == 1
    assert "Another one costs the same people again" in again.stderr
    more = run(code, folder, *OPTIONS, "--out", str(out), "--again")
    assert more.returncode == 0
    assert (out / "release-1.csv").read_text() != (out / "release-2.csv").read_text()  # no seed is set


def test_a_linear_model_of_noise_that_hardly_matters_is_that_of_least_squares(tmp_path):
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 10, (2000, 2))
    y = 3 + 2 * x[:, 0] - x[:, 1] + rng.normal(0, 0.5, 2000)
    with (tmp_path / "data.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["a", "b", "y"], *np.column_stack([x, y]).tolist()])
    code = downloaded(
        "/Composition?section=training&records=2000&batch=500&epochs=200&noise_multiplier=0.5", "train.py"
    )
    options = ["--each-row-a-person", "--model", "linear", "--feature=a=0,10", "--feature=b=0,10", "--target=y=-10,30"]
    done = run(code, tmp_path, "data.csv", *options, "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    rows = csv.DictReader((tmp_path / "out/release-1.csv").read_text(encoding="utf-8").splitlines())
    assert [float(row["weight"]) for row in rows] == pytest.approx([3, 2, -1], abs=0.15)
    said = json.loads((tmp_path / "out/release-1.json").read_text(encoding="utf-8"))
    assert any("nobody has a second row" in each for each in said["assumptions"])


def test_a_notebook_trains_too(folder, tmp_path):
    import nbformat

    cells = nbformat.reads(downloaded(SETTINGS[2], "train.ipynb"), as_version=4).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    call = f"train(PLAN, {[*OPTIONS, '--out', str(tmp_path / 'out')]!r})"
    done = run("\n".join([*code[:-1], call]), folder)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/release-1.csv").exists()


def test_a_wrong_file_of_a_training_stops_before_anything_is_written(folder, tmp_path):
    (folder / "short.csv").write_text("person,smoke\np1,1\n", encoding="utf-8")
    out = tmp_path / "out"
    done = run(downloaded(SETTINGS[0], "train.py"), folder, "short.csv", *OPTIONS[1:], "--out", str(out))
    assert done.returncode == 1
    assert done.stderr == "Nothing was published. The file has no column 'mental'; it has 'person', 'smoke'.\n"
    assert not out.exists()
