"""The section on Liu's Fig. 3: the pDP σ over the classical σ."""

import numpy as np
import pytest

from dpcore import gaussian
from pages.papers.liu_pdp import section
from tests.pages.conftest import exhibits_by_name, figure_of, found_by


def answer(**link: str) -> tuple[str, ...]:
    return section.answer_text(found_by("papers", section="pdp", **link))


def test_the_answer_gives_the_ratio_of_both_sigmas_over_the_epsilon_of_the_figure():
    low, high = (float(gaussian.pdp_sigma(e, 1e-5) / gaussian.classical_sigma(e, 1e-5)) for e in (0.1, 0.9))
    sentence, meaning = answer(delta="1e-5")
    assert sentence == f"At δ = 1e-5 the pDP σ is {low:.3g} to {high:.3g} times the classical σ (ε from 0.1 to 0.9)."
    assert "the smaller pDP σ also satisfies (ε, δ)-DP" in meaning


def test_a_pdp_sigma_that_is_not_smaller_is_not_called_so():
    largest = gaussian.pdp_sigma(0.9, 0.9999) / gaussian.classical_sigma(0.9, 0.9999)
    assert largest > 1
    assert "smaller" not in answer(delta="0.9999")[1]


def test_the_mark_is_at_delta_as_far_as_the_axis_goes():
    for delta, marks in (("0.3", ["delta"]), ("0.6", [])):
        layout = figure_of(exhibits_by_name(found_by("papers", section="pdp", delta=delta), "papers")["pdp_share"])[
            "layout"
        ]
        assert [shape["name"] for shape in layout["shapes"] if "name" in shape] == marks


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 0.9, 0.999])
def test_the_share_of_liu_falls_as_its_words_say(epsilon):
    delta = np.linspace(1e-6, 0.38, 500)
    share = gaussian.pdp_sigma(epsilon, delta) / gaussian.classical_sigma(epsilon, delta)
    assert "up to δ = 0.38, as δ grows" in section.ALTERNATIVE_TEXT
    assert (np.diff(share) < 0).all()
    assert (share > gaussian.pdp_sigma(epsilon / 2, delta) / gaussian.classical_sigma(epsilon / 2, delta)).all()
