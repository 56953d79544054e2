"""One record for each family of noise; a new family that is registered in two places is offered on the pages."""

import ast
import doctest
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeGuard, cast

import numpy as np
import pytest

from dpcore import accuracy, families, plan
from dpcore.accuracy import records
from dpcore.calibrations import CALIBRATIONS
from dpcore.families import FAMILIES, Family
from dpcore.mechanism import choices
from dpcore.plan import candidates
from pages.shared import looks
from pages.shared.other_libraries import DPCORE
from pages.start.glossary.noise_data import ENTRIES
from tests import logistic_noise, new_noise

ROOT = Path(__file__).parents[1]
TABLES = {  # files in which noises stand by name in a literal: how many literals, and why
    "dpcore/clipping/noise.py": (1, "the mean and the quantiles of each noise about a bias, which only clipping needs"),
    "dpcore/composition/_rules.py": (1, "the ε of a single release of each kind at a δ"),
    "dpcore/composition/releases.py": (1, "the records of the kinds of release"),
    "dpcore/denoise/experiments.py": (2, "the mechanisms of a published experiment, and the scale of each"),
    "dpcore/families.py": (1, "the records"),
    "dpcore/laplace_gaussian.py": (1, "the columns of the two noises of this comparison"),
    "dpcore/linear_queries/errors.py": (1, "the noises of which weighted sums are bounded"),
    "dpcore/optimal_noise/_closed_forms.py": (1, "by which power of the sensitivity each known noise is scaled"),
    "dpcore/plan/candidates.py": (1, "the noises of ε-DP whose release in a plan has losses of its own"),
    "dpcore/tables/experiments.py": (1, "the mechanisms of a published experiment"),
    "dpcore/tables/table_mechanisms.py": (1, "the noises with a δ for a table, each with a function of its own"),
    "dpcore/unknown_groups/calibration.py": (1, "the scale and the threshold of each noise"),
    "dpcore/unknown_groups/thresholds.py": (1, "the joint δ of each noise with a threshold"),
    "dpcore/verify/composition.py": (1, "the kinds that are enclosed: the verifier reads nothing that it verifies"),
    "dpcore/verify/thresholds.py": (2, "likewise, the noises and those on the real numbers"),
    "pages/accuracy/figures.py": (1, "the curves that an axis is made for; others fall without end"),
    "pages/composition/code.py": (1, "the kinds whose Rényi divergences are enclosed"),
    "pages/composition/other_libraries.py": (2, "the calls of two other libraries by kind of release"),
    "pages/composition/results.py": (1, "up to where the line of odd numbers of releases leaves that of even ones"),
    "pages/laplace_gaussian/results.py": (1, "the two noises of this page"),
    "pages/papers/balle_means/figures.py": (1, "the mechanisms of a published experiment, in the paper’s words"),
    "pages/papers/liu_tables/figures.py": (1, "the mechanisms of a published experiment, in the paper’s words"),
    "pages/shared/looks.py": (1, "the looks"),
    "pages/shared/releases.py": (1, "the records of the kinds of release in links"),
    "pages/start/glossary/noise_data.py": (1, "the entries of the glossary by their keys, of which some are noises"),
    "pages/tables/mechanisms/section.py": (1, "the two noises of a sentence"),
    "pages/tables/parameters.py": (1, "the noises with a threshold that are compared"),
    "pages/tables/release/section.py": (1, "the noises for which clipping has a formula"),
    "pages/tradeoff/curve_kinds.py": (1, "the records of the kinds of curve in links"),
    "pages/tradeoff/noise_from_risk/results.py": (1, "the noises that are calibrated to a risk"),
}


@pytest.mark.parametrize("module", [families, logistic_noise])
def test_the_examples_of_the_module_hold(module):
    assert doctest.testmod(module).failed == 0


def test_every_noise_has_its_look_and_its_entry_of_the_glossary():
    own = [family for family in FAMILIES.values() if family.key != "generalized_gaussian"]  # one look for all its own
    keys = [rule.key for family in own for rule in family.calibrations]
    missing = [
        f"noise '{key}' has no entry in LOOKS of pages/shared/looks.py" for key in keys if key not in looks.LOOKS
    ]
    for key, family in FAMILIES.items():
        if key not in ENTRIES:
            missing.append(f"noise '{key}' has no entry in ENTRIES of pages/start/glossary/noise_data.py")
        elif ENTRIES[key].name != f"{family.name} noise":
            missing.append(f"ENTRIES['{key}'] of pages/start/glossary/noise_data.py is not named '{family.name} noise'")
    assert not missing, "\n".join(missing)


def test_every_calibration_belongs_to_one_family():
    owners = [family.key for family in FAMILIES.values() for _ in family.calibrations]
    calibrations = [rule for family in FAMILIES.values() for rule in family.calibrations]
    assert [rule.family for rule in calibrations] == owners
    assert {*map(id, CALIBRATIONS)} <= {*map(id, calibrations)}
    assert {family.calibration.whole for family in FAMILIES.values() if family.whole} == {True}
    for family in FAMILIES.values():
        assert family.continuous in ("", *FAMILIES)


def noise_tables(path: Path) -> Iterator[int]:
    """Yield the lines of literals in which at least two noises stand by name, also as the keys of records."""
    names = {*FAMILIES, *looks.LOOKS} - {"exact_pdp"}  # which generalized Gaussian noise has too
    text = path.read_text(encoding="utf-8")
    if sum(f'"{name}"' in text for name in names) < 2:
        return
    tree = ast.parse(text)
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    exports = [node.value for node in assigned if _name(node.targets[0]) == "__all__"]
    for node in ast.walk(tree):
        entries = node.keys if isinstance(node, ast.Dict) else []
        entries = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else entries
        keys = [entry.args[0] if _is_record(entry) else entry for entry in entries]
        if node not in exports and sum(isinstance(key, ast.Constant) and key.value in names for key in keys) > 1:
            yield getattr(node, "lineno", 0)


def _name(node: ast.expr) -> str:
    return getattr(node, "id", "")


def _is_record(entry: ast.expr | None) -> TypeGuard[ast.Call]:
    return isinstance(entry, ast.Call) and bool(entry.args) and _name(entry.func)[:1].isupper()


def test_no_further_table_goes_by_the_names_of_noises():
    paths = [path.relative_to(ROOT) for folder in ("dpcore", "pages") for path in (ROOT / folder).rglob("*.py")]
    found = {str(path): [*noise_tables(ROOT / path)] for path in paths}
    counts = {path: len(lines) for path, lines in found.items() if lines}
    assert counts == {path: count for path, (count, _) in TABLES.items()}, "read `dpcore.families` or `looks` instead"


def test_a_table_by_noise_is_found_however_it_is_written(tmp_path):
    path = tmp_path / "module.py"
    for text, count in (
        ('DASHES = {"laplace": "solid", "geometric": "dash"}', 1),
        ('if noise in ("gaussian", "discrete_gaussian"): pass', 1),
        ('RECORDS = {own.key: own for own in (Own("laplace", 1), Own("staircase", 2))}', 1),
        ('A = {"laplace": 1}\nB = {"geometric": 2}', 0),
        ('__all__ = ["laplace", "geometric"]', 0),
    ):
        path.write_text(text, encoding="utf-8")
        assert len([*noise_tables(path)]) == count, text


@pytest.fixture(name="both", scope="module")
def _both():
    command = [sys.executable, "-W", "error", "-m", "tests.new_noise"]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in printed.splitlines()]


@pytest.fixture(name="shown")
def _shown(both):
    return both[0]


def test_a_new_family_is_offered_on_accuracy_tables_and_plan(shown):
    one = math.log(2 / 0.05 - 1)
    assert shown["errors"] == pytest.approx({"accuracy": one, "tables": one})
    assert shown["verdicts"] == ["proved", "proved"]
    for colour, dash, values in shown["curves"].values():
        assert (colour, dash) == (shown["colour"], "dot")
        assert min(filter(math.isfinite, values)) > 0
    of_all = math.log(2 / float(accuracy.each_significance(0.05, 12)) - 1)
    assert shown["curves"]["tables"][2][2] == pytest.approx(3 * of_all, rel=1e-6)  # at k = 3, in single precision
    assert "logistic noise" in shown["answers"]["tables"][1]
    assert "logistic noise" in shown["answers"]["plan"][1]
    assert shown["scales"]["A"] == ["logistic", pytest.approx(300 / one)]
    assert shown["epsilon"] == pytest.approx(50 / shown["scales"]["A"][1] + 1 / shown["scales"]["B"][1])
    assert "<td>logistic</td>" in shown["table"]
    assert "not enclosed" in shown["claims"][0]
    assert shown["parameters"][0] == " of scale s = 1"
    scale = float(shown["parameters"][1].removeprefix(" of scale s = "))
    assert scale == pytest.approx(3 / one, rel=1e-3)
    assert scale * one <= 3


def test_every_program_of_a_new_family_prints_what_the_page_says_or_is_left_out_with_a_reason(shown):
    for programs in shown["programs"].values():
        (library, code, _, _, _), *others = programs
        assert library == DPCORE
        assert "logistic" in code
        for library, code, note, page_values, values in programs:
            assert bool(code) == (library == DPCORE), (library, code)
            assert note
            assert values == pytest.approx(page_values, rel=1e-12)
        assert "OpenDP" in {library for library, *_ in others}
    reasons = {library: note for library, _, note, _, _ in shown["programs"]["plan"]}
    assert reasons["OpenDP"] == "It has no logistic noise."
    assert shown["downloads"] == [None, None]


def test_noise_without_a_safe_sampler_is_compared_and_said_not_to_be_offered(both):
    shown = both[1]
    assert "logistic" not in shown["offered"]
    assert "Logistic" in shown["help"]
    assert "no published floating-point-safe sampler" in shown["help"]
    assert "Logistic" in shown["compared"]
    assert shown["recommended"] == "geometric"
    assert "logistic" not in shown["planned"]
    with pytest.raises(ValueError, match="is_planned must be in False where no sampler is safe, got True"):
        replace(new_noise.FAMILY, is_sampled_safely=False)
    with pytest.raises(TypeError, match="is_sampled_safely"):
        cast(Any, Family)("logistic", "Logistic", logistic_noise, "s", new_noise.LOGISTIC)


def test_noise_without_formulas_of_its_own_has_its_scale_and_epsilon_by_bisection(monkeypatch):
    monkeypatch.setitem(FAMILIES, "logistic", new_noise.FAMILY)
    for module in (records, choices):
        monkeypatch.setattr(module, "RULES", (*accuracy.RULES, new_noise.LOGISTIC))
    wanted = np.array([0.5, 3.0])
    epsilon = accuracy.epsilon_for(new_noise.LOGISTIC, wanted, 0.05, 2.0)
    assert epsilon == pytest.approx(2 * math.log(39) / wanted, rel=1e-9)
    assert np.all(accuracy.half_width(new_noise.LOGISTIC, epsilon, 0.05, 2.0) <= wanted)
    out_of_reach, most = np.array([0.01, 3e-6, 4e-6]), 1e6
    epsilon = accuracy.epsilon_for(new_noise.LOGISTIC, out_of_reach, 0.05, [1e4, 1.0, 1.0])
    assert epsilon.tolist() == [math.inf, math.inf, pytest.approx(math.log(39) / 4e-6, rel=1e-9)]
    assert accuracy.half_width(new_noise.LOGISTIC, most, 0.05, 1e4) > 0.01
    beyond = choices.of_half_width(new_noise.LOGISTIC, 0.01, 0.05, 0.0, 1e4)
    assert math.isinf(beyond.epsilon)
    assert math.isnan(beyond.scale)
    query = plan.query(300, plan.Sum(high=50))
    found = candidates.candidate("logistic", query, 1.0)
    assert found is not None
    assert found.scale == pytest.approx(300 / math.log(39), rel=1e-9)
    assert found.half_width(0.05) <= 300
    assert found.release.numbers == (pytest.approx(50 / found.scale, rel=1e-12), 0.0)
    assert candidates.candidate("logistic", plan.query(1e-100, plan.Own(1e-100)), 1.0) is None  # ±3.7e-100 at the least
    with pytest.raises(ValueError, match="calibration must be in"):
        accuracy.half_width(FAMILIES["generalized_gaussian"].calibration, 1.0, 0.05)
