"""One record for each family of noise; a new family that is registered in two places is offered on the pages."""

import ast
import doctest
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from dpcore import accuracy, families, plan
from dpcore.accuracy import records
from dpcore.calibrations import CALIBRATIONS
from dpcore.families import FAMILIES
from dpcore.mechanism import choices
from dpcore.plan import candidates
from pages.shared import looks
from pages.shared.other_libraries import DPCORE
from tests import logistic_noise

ROOT = Path(__file__).parents[1]
TABLES = {  # where noises stand by name, and why
    "dpcore/clipping/noise.py": "the mean and the quantiles about a bias, which only clipping needs",
    "dpcore/clipping/contributions.py": "the two noises whose cells move apart",
    "dpcore/composition": "releases by kind: the losses of each, which no page reads",
    "dpcore/denoise/experiments.py": "the mechanisms of a published experiment",
    "dpcore/laplace_gaussian": "the two noises of this comparison",
    "dpcore/linear_queries": "the noises of an error",
    "dpcore/optimal_noise": "the bounds of single noises",
    "dpcore/plan": "the noises with a formula for a scale or a release of their own",
    "dpcore/risk": "the ranges of releases by kind",
    "dpcore/tables": "the noises of a published experiment, and those that are offered with a δ",
    "pages/shared/release_program/program.py": "the noises that OpenDP samples exactly",
    "pages/start/glossary/noise_data.py": "the entries of the glossary by their keys, of which some are noises",
    "dpcore/unknown_groups": "the noises whose joint δ with a threshold is derived",
    "dpcore/verify": "enclosures by kind of release",
    "dpcore/__init__.py": "modules",
    "dpcore/tradeoff/__init__.py": "modules",
    "pages/accuracy": "the noises with a picture or a sentence of their own",
    "pages/composition": "releases by kind, in other libraries",
    "pages/laplace_gaussian": "the two noises of this page",
    "pages/papers": "the mechanisms of published experiments",
    "pages/plan/links.py": "the names of releases in links",
    "pages/shared/looks.py": "the looks",
    "pages/shared/releases.py": "releases by kind",
    "pages/tables": "the noises that are compared in sentences",
    "pages/tradeoff": "curves by kind, and the risks with an inverse of their own",
}


def test_the_examples_of_the_module_hold():
    assert doctest.testmod(families).failed == 0


def test_every_calibration_belongs_to_one_family_and_has_a_look():
    owners = [family.key for family in FAMILIES.values() for _ in family.calibrations]
    calibrations = [rule for family in FAMILIES.values() for rule in family.calibrations]
    assert [rule.family for rule in calibrations] == owners
    assert {*map(id, CALIBRATIONS)} <= {*map(id, calibrations)}
    assert {family.calibration.whole for family in FAMILIES.values() if family.whole} == {True}
    for family in FAMILIES.values():
        assert family.continuous in ("", *FAMILIES)
        if family.key != "generalized_gaussian":  # its calibrations are told apart by their guarantees
            assert {rule.key for rule in family.calibrations} <= looks.LOOKS.keys()


def noise_tables(path: Path) -> Iterator[int]:
    """Yield the lines of literals in which at least two noises stand by name."""
    names = {*FAMILIES, *looks.LOOKS} - {"exact_pdp"}  # which generalized Gaussian noise has too
    text = path.read_text(encoding="utf-8")
    if sum(f'"{name}"' in text for name in names) < 2:
        return
    for node in ast.walk(ast.parse(text)):
        entries = node.keys if isinstance(node, ast.Dict) else []
        entries = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else entries
        if sum(isinstance(entry, ast.Constant) and entry.value in names for entry in entries) > 1:
            yield getattr(node, "lineno", 0)


def test_no_further_table_goes_by_the_names_of_noises():
    paths = [path.relative_to(ROOT) for folder in ("dpcore", "pages") for path in (ROOT / folder).rglob("*.py")]
    found = {str(path): [*noise_tables(ROOT / path)] for path in paths}
    others = {path: lines for path, lines in found.items() if lines and not path.startswith(tuple(TABLES))}
    assert others == {}, "read `dpcore.families` or `pages.shared.looks` instead"
    for place in TABLES:
        assert any(path.startswith(place) and lines for path, lines in found.items()), f"{place} has none any more"


@pytest.fixture(name="both", scope="module")
def _both():
    command = [sys.executable, "-W", "error", "-m", "tests.logistic_noise"]
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
    assert "logistic noise" in shown["answers"]["tables"][0]
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
        logistic_noise.FAMILY(is_sampled_safely=False, is_planned=True)
    with pytest.raises(TypeError, match="is_sampled_safely"):
        cast(Any, logistic_noise.FAMILY)()


def test_noise_without_formulas_of_its_own_has_its_scale_and_epsilon_by_bisection(monkeypatch):
    monkeypatch.setitem(FAMILIES, "logistic", logistic_noise.FAMILY(is_sampled_safely=True, is_planned=True))
    for module in (records, choices):
        monkeypatch.setattr(module, "RULES", (*accuracy.RULES, logistic_noise.CALIBRATION))
    wanted = np.array([0.5, 3.0])
    epsilon = accuracy.epsilon_for(logistic_noise.CALIBRATION, wanted, 0.05, 2.0)
    assert epsilon == pytest.approx(2 * math.log(39) / wanted, rel=1e-9)
    assert np.all(accuracy.half_width(logistic_noise.CALIBRATION, epsilon, 0.05, 2.0) <= wanted)
    out_of_reach, most = np.array([0.01, 3e-6, 4e-6]), 1e6
    epsilon = accuracy.epsilon_for(logistic_noise.CALIBRATION, out_of_reach, 0.05, [1e4, 1.0, 1.0])
    assert epsilon.tolist() == [math.inf, math.inf, pytest.approx(math.log(39) / 4e-6, rel=1e-9)]
    assert accuracy.half_width(logistic_noise.CALIBRATION, most, 0.05, 1e4) > 0.01
    beyond = choices.of_half_width(logistic_noise.CALIBRATION, 0.01, 0.05, 0.0, 1e4)
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
