"""The page, its Code panel and a notebook get the same number from the same call, by every accountant."""

import math

import numpy as np
import pytest

from dpcore import composition
from dpcore.composition import (
    exponential_release,
    gaussian_release,
    guarantee_release,
    laplace_release,
    sampled_release,
    zcdp_release,
)
from pages.composition import results
from pages.composition.accountants import section as accountants_section
from pages.composition.dp_sgd import section
from pages.composition.page import PAGE
from pages.composition.privacy_profile import section as profile_section
from pages.composition.total_epsilon import section as total_section
from pages.shared.other_libraries import DPCORE
from tests.pages.conftest import LIGHT, found_by
from tests.programs import printed

LISTS = {
    "laplace:0.2*5;gaussian:4*5;pure:0.5*3": [
        laplace_release(0.2, 5),
        gaussian_release(4, 5),
        guarantee_release(0.5, count=3),
    ],
    "approx:0.1,1e-9*20": [guarantee_release(0.1, 1e-9, 20)],
    "laplace:0.1*100": [laplace_release(0.1, 100)],
    "sampled:1.1,0.01*200;gaussian:8": [sampled_release(1.1, 0.01, 200), gaussian_release(8)],
    "exponential:0.5*3;zcdp:0.01": [exponential_release(0.5, 3), zcdp_release(0.01)],
    "approx:0.1,1e-9*20;gaussian:4": [guarantee_release(0.1, 1e-9, 20), gaussian_release(4)],
}
OF_RELEASES = {"drv": "advanced", "kov": "kairouz", "kov_optimal": "kairouz_optimal", "exact": "best"}
OF_LINES = {"exact": "best", "rdp": "rdp", "zcdp": "zcdp", "basic": "basic_of_lines"}


@pytest.mark.parametrize("releases_text", LISTS)
def test_the_section_on_accountants_has_the_number_of_a_notebook(releases_text: str):
    result = found_by("composition", section="accountants", releases=releases_text, runs="3")
    totals, unavailable = result.totals, composition.unavailable(LISTS[releases_text])
    epsilons = accountants_section.totals_table(result, LIGHT).table["epsilon"].to_list()
    assert len(epsilons) == len(results.ACCOUNTANTS)
    for accountant, epsilon in zip(results.ACCOUNTANTS, epsilons, strict=True):
        name = OF_RELEASES.get(accountant, accountant)
        notebook = float(composition.epsilon(LISTS[releases_text], 1e-6, name, n_runs=3).value)
        assert totals.epsilon.get(accountant, [math.inf])[0] == notebook, name
        assert (accountant in totals.missing) == (name in unavailable)
        assert np.isnan(epsilon) if accountant in totals.missing else epsilon == notebook, name


@pytest.mark.parametrize("releases_text", LISTS)
@pytest.mark.parametrize("accountant", OF_LINES)
def test_the_section_on_the_list_and_the_code_panel_have_the_number_of_a_notebook(releases_text: str, accountant: str):
    result = found_by("composition", section="together", releases=releases_text, runs="2", accountant=accountant)
    weekly = [release.times(2 * release.count) for release in LISTS[releases_text]]
    notebook = float(composition.epsilon(weekly, 1e-6, OF_LINES[accountant]).value)
    assert results.cost_at(result).together == notebook
    own = [snippet for snippet in PAGE.snippets_of(result) if snippet.library == DPCORE]
    assert bool(own) == math.isfinite(notebook)
    for snippet in own:
        assert printed(snippet) == [notebook]
    rows = total_section.periods_table(result, LIGHT).table
    assert rows["epsilon"].to_list()[0] == composition.epsilon(LISTS[releases_text], 1e-6).value


@pytest.mark.parametrize("releases_text", LISTS)
def test_the_profile_and_its_code_have_the_numbers_of_a_notebook(releases_text: str):
    result = found_by("composition", section="profile", releases=releases_text, epsilon="1.5")
    releases = LISTS[releases_text]
    notebook = [composition.delta(releases, 1.5).value, composition.epsilon(releases, 1e-6).value]
    (own,) = (snippet for snippet in PAGE.snippets_of(result) if snippet.library == DPCORE)
    assert printed(own) == list(own.page_values) == notebook
    table = profile_section.profile_chart(result, LIGHT).table
    np.testing.assert_array_equal(table["delta"], composition.delta_profile(releases, table["epsilon"]).value)
    np.testing.assert_array_equal(table["delta_rdp"], composition.delta(releases, table["epsilon"], "rdp").value)


def test_the_curves_of_dp_sgd_are_what_dpcore_says_of_each_training():
    result = found_by("composition", section="training", delta="1e-5")
    table = section.epochs_chart(result, LIGHT).table
    rate = 256 / 60000
    for accountant in ("exact", "rdp", "clt"):
        notebook = composition.dp_sgd_epsilon(1e-5, 1.1, rate, table["steps"].to_numpy(), accountant)
        np.testing.assert_allclose(table[accountant], notebook, rtol=1e-9 if accountant == "exact" else 0)
    for steps, rdp in zip(table["steps"], table["rdp"], strict=True):
        alone = composition.rdp_epsilon([sampled_release(1.1, rate, int(steps))], 1e-5).value
        assert rdp == pytest.approx(float(alone), rel=1e-12)
    ratios = section.map_chart(result, LIGHT).table[::17]
    for rate, noise, exact, rdp, *_ in ratios.itertuples(index=False):
        notebook = composition.rdp_epsilon([sampled_release(noise, rate, math.ceil(60 / rate))], 1e-5).value
        assert rdp * exact == pytest.approx(float(notebook), rel=1e-12)
