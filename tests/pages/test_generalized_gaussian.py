import json
import re

import numpy as np
import pytest
from pages.shared.figures.theme import COLOURS
from pages.shared.laplace_gaussian import MEASURE

from dpcore import gaussian
from dpcore.generalized_gaussian import adp_scale, exact_pdp_scale, pdp_scale, pdp_scale_disjoint
from dpcore.generalized_gaussian.choices import ADP, along, along_several, best_frame, simulated
from pages.shared.figures import generalized_gaussian as figures
from pages.shared.generalized_gaussian import (
    GUARANTEE,
    MATCH,
    OWN,
    SENSITIVITIES,
    SIZE,
    STATISTICS,
    curves_frame,
    curves_header,
    setting_of,
)
from pages.shared.inputs import SEED, SHARED, problem
from tests.pages.conftest import opened, text_of

PAGE = "pages/2_Generalized_Gaussian.py"
CURVES = ("size_p", "size_epsilon", "size_delta")
NAMES = ("densities", *CURVES, "best_map", "best_p", "saving")


def charts(app):
    """The figures of this part of the page by name, where all are drawn."""
    specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    return dict(zip(NAMES, specs, strict=False))


def table_of(app):
    return next(html.proto.body for html in app.get("html") if "aria-label='The noise of each shape" in html.proto.body)


def explained(app):
    app.session_state.explanation = True
    app.run()
    assert not app.exception
    return text_of(app)


def up(value, digits=4):
    """To so many digits, rounded up, in plain form."""
    step = 10 ** (np.floor(np.log10(value)) - digits + 1)
    return f"{np.ceil(value / step * (1 - 1e-13)) * step:.{digits}g}"


def test_the_answer_comes_first_with_the_scale_the_papers_excess_and_the_best_shape():
    words = text_of(opened(PAGE, delta="0.01"))
    b, paper = (float(scale(1, 0.01, 3)) for scale in (adp_scale, pdp_scale_disjoint))
    assert f"At ε = 1, δ = 0.01, p = 3: b = {up(b)}, standard deviation" in words
    assert f"; the paper’s bound would add {100 * (paper / b) ** 2 - 100:.0f} % more variance than needed." in words
    assert "The least variance is that of **p = 1, Laplace noise**" in text_of(opened(PAGE))


@pytest.mark.parametrize(("p", "name"), [("1", "Laplace"), ("2", "Gaussian")])
def test_the_shapes_with_a_name_of_their_own_are_called_by_it(p, name):
    assert f"**p = {p} is {name} noise.**" in text_of(opened(PAGE, p=p))


def test_the_gaussian_shape_has_the_analytic_gaussians_deviation():
    words = text_of(opened(PAGE, p="2", epsilon="0.7", delta="1e-5"))
    assert f"standard deviation {up(float(gaussian.analytic_sigma(0.7, 1e-5)))};" in words


def test_corollary_9_is_compared_with_exact_pdp():
    words = text_of(opened(PAGE, guarantee="disjoint", delta="0.1"))
    b, exact = (float(scale(1, 0.1, 3)) for scale in (pdp_scale_disjoint, exact_pdp_scale))
    assert f"b = {up(b)}" in words
    assert f"exact pDP would take {100 - 100 * (exact / b) ** 2:.0f} % off the variance." in words


def test_pure_dp_has_an_answer_for_laplace_noise_alone():
    assert "**Without δ** there is no answer: for p = 3 the privacy loss grows without bound" in text_of(opened(PAGE))
    words = text_of(opened(PAGE, p="1", epsilon="0.5"))
    assert "**Without δ:** p = 1 keeps pure ε-DP with b = Δ₁/ε = 2; no other shape can." in words


def test_at_epsilon_0_the_promises_that_have_an_answer_are_kept_and_the_others_named():
    app = opened(PAGE, epsilon="0")
    words = text_of(app)
    assert "At ε = 0, δ = 1e-6, p = 3: b = 560,000" in words
    assert "the paper’s bound has no answer at this ε" in words
    drawn = {name: [trace["name"] for trace in charts(app)[name]["data"]] for name in CURVES}
    assert drawn == {name: ["(ε, δ)-DP"] for name in CURVES}
    app = opened(PAGE, epsilon="0", guarantee="exact_pdp")
    words = text_of(app)
    assert "At ε = 0 probabilistic DP has no answer." in words
    assert "Choose an ε of at least 1e-12, or (ε, δ)-DP, which has one at every ε ≥ 0." in words
    assert "probabilistic DP has no answer" in explained(app).split("**Exact (ε, δ)-DP**")[0]


def test_the_sensitivity_scales_the_noise():
    assert "b = 1,249," in text_of(opened(PAGE, l2_sensitivity="100")).replace("b = 1,250", "b = 1,249")


@pytest.mark.parametrize("match", MATCH.options)
def test_densities_are_drawn_for_each_p_of_the_list_in_the_colours_of_laplace_and_gaussian(match):
    app = opened(PAGE, match=match, shapes="2,1,7.5")
    traces = charts(app)["densities"]["data"]
    assert [trace["name"] for trace in traces] == ["p = 2, Gaussian", "p = 1, Laplace", "p = 7.5"]
    assert [trace["line"]["color"] for trace in traces[:2]] == [
        COLOURS["light"]["analytic"],
        COLOURS["light"]["laplace"],
    ]
    assert len({trace["line"]["color"] for trace in traces}) == 3


def test_the_table_has_every_p_with_the_papers_scale_beside():
    table = table_of(opened(PAGE, shapes="1, 5", epsilon="0.5", delta="0.001"))
    assert table.count("<th scope='row'>") == 2
    assert "p = 1, Laplace" in table
    for scale in (adp_scale, pdp_scale_disjoint):
        assert f">{up(float(scale(0.5, 0.001, 5)))}<" in table
    ratio = float(pdp_scale_disjoint(0.5, 0.001, 5) / adp_scale(0.5, 0.001, 5)) ** 2
    assert f"{100 * ratio - 100:.1f} % more" in table
    assert "times" in table_of(opened(PAGE, epsilon="0.05", delta="0.01"))
    assert "<td>–</td>" in table_of(opened(PAGE, epsilon="0"))


@pytest.mark.parametrize("size", SIZE.options)
def test_each_size_is_drawn_for_each_guarantee_against_p_epsilon_and_delta(size):
    drawn = charts(opened(PAGE, size=size))
    for name in CURVES:
        assert [trace["name"] for trace in drawn[name]["data"]] == ["(ε, δ)-DP", "Exact pDP", "Corollary 9"]
    titles = [drawn[name]["layout"]["title"]["text"] for name in CURVES]
    assert all(f" against {x}<" in title for x, title in zip("pεδ", titles, strict=True))


def test_several_statistics_are_drawn_by_proposition_8_and_compared_with_proposition_11():
    app = opened(PAGE, statistics="three", delta="0.05")
    words = text_of(app)
    assert "For 3 statistics together Proposition 8 gives one b to all" in words
    assert f"at p = 2 it asks for b = {up(float(pdp_scale(1, 0.05, 2, (1, 0.1, 0.05))))}" in words
    signed = np.sqrt(2) * gaussian.pdp_sigma(1, 0.05, np.sqrt(1.0125))
    assert f"needs {up(float(signed))}." in words
    for name in CURVES:
        assert [trace["name"] for trace in charts(app)[name]["data"]] == ["Proposition 8"]


def test_own_sensitivities_may_repeat_and_a_list_that_cant_be_used_is_named():
    words = text_of(opened(PAGE, statistics="own", sensitivities="1, 1", epsilon="1e-9"))
    assert "For 2 statistics together" in words
    assert "Instead of ε = 1e-9 it is solved for 1e-6." in words
    assert "For one statistic Proposition 8" in text_of(opened(PAGE, statistics="own", sensitivities="2"))
    words = text_of(opened(PAGE, statistics="own", sensitivities="1, 0"))
    assert (
        "Δ of the statistics (sensitivities) must be 1 to 8 numbers apart by commas, each from 1e-100 to 1e100" in words
    )
    assert "1, 0 was given. 1, 0.1, 0.05 is used instead." in words
    for bad in ("", "1,,2", "1;2", "-1", ",".join("1" * 9)):
        assert problem(SENSITIVITIES, bad)


def test_the_papers_monte_carlo_is_overlaid_with_error_bars_that_a_seed_repeats():
    link = {"statistics": "three", "delta": "0.05", "monte_carlo": "on", "draws": "1e4", "size": "scale"}
    first, same, other = (charts(opened(PAGE, **link, seed=seed)) for seed in ("1", "1", "2"))
    for name in CURVES:
        assert first[name] == same[name] != other[name]
        points = first[name]["data"][1]
        assert points["name"] == "Monte Carlo ± 2 s.e."
        assert "error_y" in points
    assert "10,000 draws a point." in text_of(opened(PAGE, **link))


def test_too_few_draws_for_a_delta_are_named_and_left_out():
    app = opened(PAGE, statistics="three", monte_carlo="on", draws="1e4")
    assert "They see no δ below 0.001" in text_of(app)
    assert [len(charts(app)[name]["data"]) for name in CURVES] == [1, 1, 2]


@pytest.mark.parametrize(("guarantee", "measure"), list(zip(GUARANTEE.options, MEASURE.options, strict=True)))
def test_the_best_p_is_mapped_by_every_measure_and_guarantee(guarantee, measure):
    app = opened(PAGE, guarantee=guarantee, measure=measure, epsilon="0.05", delta="0.01")
    drawn = charts(app)
    named = {"variance": "variance", "mean_error": "mean error", "accuracy": "error at 95 %"}[measure]
    assert f"The shape p with the least {named}" in drawn["best_map"]["layout"]["title"]["text"]
    assert f"At ε = 0.05, δ = 0.01 the least {named} is that of **p = " in text_of(app)
    assert [trace["name"] for trace in drawn["best_p"]["data"]] == ["δ = 0.01", "δ = 0.05", "δ = 0.1", "δ = 0.2"]
    assert [trace["name"] for trace in drawn["saving"]["data"]] == ["against Laplace", "against Gaussian"]


def test_a_shape_that_nothing_beats_is_said_to_be_the_best():
    best = best_frame(ADP, "variance", [0.02], [0.01])["p"].iloc[0]
    assert "No other shape has a variance smaller by 0.1 %." in text_of(
        opened(PAGE, epsilon="0.02", delta="0.01", p=f"{best:.4g}")
    )
    words = text_of(opened(PAGE, epsilon="1e-3", delta="0.1"))
    assert "**p = 64, the largest that is searched**" in words
    best = text_of(opened(PAGE, epsilon="0.0578", delta="0.01", p="9"))
    assert "**p = 2, Gaussian noise**" in best


@pytest.mark.parametrize(
    ("epsilon", "delta", "symbol"),
    [
        (0.1, 0.01, "star"),
        (1, 1e-6, "triangle-down"),
        (0.1, 0.9, "triangle-up"),
        (0, 0.01, "triangle-left"),
        (50, 0.01, "triangle-right"),
    ],
)
def test_a_setting_beyond_the_map_is_marked_at_its_edge(epsilon, delta, symbol):
    frame = best_frame(ADP, "variance", *figures.map_grid(9))
    for colour in COLOURS.values():
        figure = figures.map_figure(frame, (epsilon, delta), "title", "subtitle", colour)
        star = figure["data"][-1]
        assert star["marker"]["symbol"] == symbol
        notes = " ".join(note["text"] for note in figure["layout"]["annotations"])
        assert ("beyond the map" in notes) == (symbol != "star")


def test_the_colour_bands_of_the_map_begin_at_the_shapes_that_they_are_labelled_with():
    frame = best_frame(ADP, "variance", *figures.map_grid(5)).assign(p=np.tile([1.05, 2.0, 3.0, 40.0, 64.0], 5))
    fill = figures.map_figure(frame, (1.0, 0.1), "", "", COLOURS["light"])["data"][0]
    marks = [fill["colorbar"]["ticktext"].index(text) for text in ("1.05", "2", "3", "40")]
    np.testing.assert_allclose(fill["z"][:4, 0], marks, atol=1e-5)
    np.testing.assert_allclose(fill["customdata"][:, 0, 0], [1.05, 2, 3, 40, 64])
    assert len(fill["colorscale"]) == len(fill["colorbar"]["ticktext"]) + 1


def test_every_parameter_is_in_the_link_and_a_bad_one_is_named():
    app = opened(PAGE, p="65", guarantee="best", shapes="1, 1", draws="5")
    words = text_of(app)
    assert "p (p) must be from 1 to 64; 65 was given. 3 is used instead." in words
    assert "guarantee (guarantee) must be one of adp, exact_pdp, disjoint; best was given." in words
    assert "p of the curves (shapes) must be 1 to 8 different numbers apart by commas, each from 1 to 64" in words
    assert "draws (draws) must be a whole number from 1e4 to 1e6; 5 was given. 3e4 is used instead." in words
    for parameter in OWN:
        assert parameter.key in app.query_params


@pytest.mark.parametrize(
    ("guarantee", "extreme"),
    [
        ("adp", {"epsilon": "0", "delta": "1e-300", "l2_sensitivity": "2e7"}),
        ("exact_pdp", {"epsilon": "1e-12", "delta": "1e-300", "l2_sensitivity": "1e100", "p": "64"}),
        ("disjoint", {"epsilon": "1e6", "delta": "0.99", "l2_sensitivity": "1e-100", "match": "variance"}),
        ("adp", {"epsilon": "1e6", "delta": "1e-300", "shapes": "1,64", "match": "variance"}),
        ("exact_pdp", {"significance": "1e-300", "measure": "accuracy", "size": "accuracy"}),
        ("adp", {"significance": "0.9999999", "measure": "accuracy", "size": "accuracy", "p": "2"}),
        ("exact_pdp", {"epsilon": "1e-200", "p": "1", "match": "scale"}),
        ("adp", {"epsilon": "1e-200", "p": "1", "match": "scale", "delta": "0.9999999999999"}),
    ],
)
def test_extreme_settings_are_drawn_and_explained(guarantee, extreme):
    words = explained(opened(PAGE, guarantee=guarantee, **extreme))
    assert not re.search(r"\b(nan|inf)\b", words)


@pytest.mark.parametrize("statistics", list(STATISTICS.options)[1:])
def test_several_statistics_at_the_ends_of_epsilon_and_delta_are_drawn(statistics):
    for link in ({"epsilon": "1e6", "delta": "0.99"}, {"epsilon": "0", "delta": "1e-300"}):
        opened(PAGE, statistics=statistics, sensitivities="1e100, 1e-100", **link)


def test_the_explanation_has_the_users_numbers_and_the_sources():
    words = explained(opened(PAGE, epsilon="0.5", delta="2e-5", p="4"))
    assert r"$\varepsilon=0.5$, $\delta=2\cdot10^{-5}$, $p=4$, $\Delta=1$ give $b=" in words
    for source in (
        "Liu 2019, §2.3",
        "**Corollary 9**",
        "**Proposition 8**",
        "Proposition 11, Eq. 17",
        "Claim 4",
        "Theorem 8",
    ):
        assert source in words


def test_the_numbers_behind_a_curve_name_the_guarantee_and_the_simulated_points():
    curves = {"adp": along(ADP, 1, 0.01, [1, 2]), "several": along_several(1, 0.01, [2], (1, 1))}
    points = simulated(1, 0.05, 2, (1, 1), np.random.default_rng(1), 10_000)
    assert curves_frame(curves, None)["guarantee"].tolist() == ["adp", "adp", "several"]
    assert curves_frame(curves, points)["guarantee"].tolist()[-1] == "Monte Carlo"


def test_the_header_of_a_curves_numbers_has_the_sensitivities_that_were_used():
    values = {parameter.key: parameter.read(parameter.default) for parameter in (*SHARED, SEED, *OWN)}
    assert curves_header(setting_of(values), values)["sensitivity"] == "1.0"
    values |= {"statistics": "own", "sensitivities": (2.0, 2.0), "monte_carlo": "on"}
    header = curves_header(setting_of(values), values)
    assert header["sensitivity"] == "one for each statistic: 2.0, 2.0"
    assert (header["draws"], header["seed"]) == (30_000, 1)
