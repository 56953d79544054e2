import re
from functools import lru_cache

import numpy as np
import pytest

from pages.framework.export.exhibit_files import csv_text
from pages.tradeoff.curve_list import DEFAULTS
from tests.pages.conftest import exhibits_by_name, expect_complete, figure_of, found_by, html_of

PAGE = "tradeoff"
ONE_OF_EACH = (
    "!gdp:1@blue=;approx:1,1e-6@green=;pure:0.5@orange=;laplace:1@purple=;geometric:1,5@ochre=;gg:3,2,1@grey=;"
    "sigma:2,1@rose=;zcdp:0.1@teal="
)
POINTS = "points:0.1_0.6~0.5_0.1@blue="
SHOWN = "curves", "readings", "noise_curve", "risks", "noise_scale"
SETTINGS = (
    {"epsilon": "0", "delta": "1e-300", "pinned": "epsilon=1e6&delta=0.999&alpha=1", "attack": "1_9_1_9"},
    {"epsilon": "1e6", "delta": "0.999", "pinned": "epsilon=0&delta=1e-300&alpha=0", "view": "log"},
    {"curves": f"!claim:0.1_0.6~0.5_0.1;{DEFAULTS}", "pinned": "curves=gdp%3A1", "quote": "epsilon", "alpha": "0"},
    {"curves": ONE_OF_EACH, "attack": "25_1000_760_1000", "view": "log"},
    {"curves": ONE_OF_EACH, "attack": "3_1000_300_1000~0_10_10_10", "view": "power", "confidence": "0.9999999999"},
    {"epsilon": "0", "delta": "1e-300", "quote": "epsilon", "prior": "1e-300"},
    {"epsilon": "1e6", "delta": "0.999", "quote": "epsilon", "prior": "0.9999999999999999"},
    {"epsilon": "1e-12", "delta": "0.999", "curves": f"{POINTS};approx:1,0.5;approx:0,1;gdp:0"},
    {"curves": "!gdp:0@blue=;pure:0;zcdp:1e-12;geometric:0,1", "view": "log"},
    {"curves": "!laplace:1e6;gdp:1e6;approx:1e6,0;gg:100,1,1;sigma:1e-300,1e-300"},
    {"curves": "!sgm:1,0.01,1000;laplace:0.1*20;points:0.1_0.6~0.5_0.1*10;approx:1,1e-6*100;gg:3,2,1*10"},
    {"curves": "!truncated:1,0.01*3;truncated:0,0.5;truncated:1e6,1e-300", "view": "log"},
    {
        "curves": "!truncated_geometric:1,14,5*3;truncated_geometric:0,1,1;truncated_geometric:1e6,1e6,1e4",
        "view": "log",
    },
    {"curves": "!sgm:0.2,1,1e6;sgm:0.5,0.002,10000", "view": "power", "alpha": "1e-300"},
    {"curves": "!points:0_0~0.5_0", "alpha": "1", "attack": "0_1_0_1"},
    {"curves": "!pure:0.02*1000000;zcdp:1e-6*1000000;geometric:0.1,7*300", "delta": "1e-300"},
)


@lru_cache(8)
def exhibits_at(**link):
    return exhibits_by_name(found_by(PAGE, **link), PAGE)


def names(**link):
    return re.findall(r"<tr><th scope='row'>(.*?)</th>", html_of(exhibits_at(**link)["readings"]))


@pytest.mark.parametrize("link", SETTINGS)
def test_every_exhibit_has_a_picture_words_and_numbers_at_every_setting(link):
    exhibits = exhibits_by_name(found_by(PAGE, **link), PAGE, "dark")
    assert set(exhibits) >= {"curves", "readings"}
    assert ("attack" in exhibits) == ("attack" in link)
    for exhibit in exhibits.values():
        expect_complete(exhibit)


@pytest.mark.parametrize(
    "kind",
    [
        *ONE_OF_EACH.replace("!", "").split(";"),
        "sgm:1,0.01,100@blue=",
        "truncated:1,1e-7@blue=",
        "truncated_geometric:1,20,1",
        POINTS,
    ],
)
def test_every_kind_of_curve_is_drawn_read_and_quoted(kind):
    assert set(exhibits_at(curves=kind, view="log")) == {*SHOWN, "attack_example", "quotation"}


def test_eight_curves_have_a_row_each_and_short_names():
    labels = names(curves=ONE_OF_EACH)
    assert labels == [
        "μ = 1", "(1, 1e-6)-DP", "Pure ε-DP (ε = 0.5)", "Laplace θ = 1", "Geometric θ = 1, Δ = 5", "GG p = 3, b = 2",
        "Gaussian σ = 2", "0.1-zCDP",
    ]  # fmt: skip
    assert max(map(len, labels)) <= 22


def test_equal_names_get_numbers_and_a_long_number_in_a_name_is_rounded_up():
    labels = names(curves="gdp:1@blue=;gdp:1@green=;gdp:1/3@rose=;gdp:2@teal=%CE%BC%20%3D%201")
    assert labels == ["μ = 1", "μ = 1 (2)", "μ = 0.3333334", "μ = 1 (3)"]


def test_the_names_of_curves_that_differ_in_sensitivity_differ():
    labels = names(curves="sigma:1,1@blue=;sigma:1,2@green=;gg:3,2,5@rose=")
    assert labels == ["Gaussian σ = 1", "Gaussian σ = 1, Δ = 2", "GG p = 3, b = 2, Δ = 5"]


@pytest.mark.parametrize("alpha", ["0", "1e-300", "1e-10", "0.5", "1"])
@pytest.mark.parametrize("view", ["errors", "power", "log"])
def test_every_alpha_has_its_numbers_in_every_view(alpha, view):
    exhibits = exhibits_at(curves=ONE_OF_EACH, alpha=alpha, view=view)
    assert "nan" not in html_of(exhibits["readings"]).lower()
    figure_of(exhibits["curves"])


@pytest.mark.parametrize("view", ["errors", "power", "log"])
def test_the_axes_stay_put_while_alpha_and_a_curve_move(view):
    settings = ({}, {"alpha": "0.3"}, {"curves": "gdp:3"}, {"curves": ONE_OF_EACH, "alpha": "1e-9"})
    layouts = [figure_of(exhibits_at(view=view, **link)["curves"])["layout"] for link in settings]
    axes = [(layout["xaxis"]["range"], layout["yaxis"]["range"]) for layout in layouts]
    assert all(axis == axes[0] for axis in axes)


def test_no_quotation_is_drawn_where_no_epsilon_goes_with_the_delta():
    link = {"curves": "approx:1,1e-3@blue=", "delta": "1e-6"}
    assert "quotation" not in exhibits_at(**link)
    assert "quotation" in exhibits_at(**link, quote="epsilon")


def test_the_quantities_implied_by_a_point_are_displayed_rounded_down():
    traces = figure_of(exhibits_at(curves="gdp:1@blue=")["curves"])["data"]
    subtitle = np.concatenate([trace["customdata"][:, 3] for trace in traces if "customdata" in trace])
    assert np.isclose(subtitle, np.float32(1.0), atol=2e-4).any()
    assert subtitle.max() <= 1
    assert {f"{step:.4g}" for step in subtitle[subtitle > 0.5]} <= {"1", "0.9999"}


def test_a_chart_carries_its_curves_and_its_parameters():
    exhibits = exhibits_at(curves=f"{POINTS};gdp:1", alpha="1/3", attack="25_1000_760_1000", confidence="0.9")
    title = figure_of(exhibits["curves"])["layout"]["title"]["subtitle"]["text"]
    assert title == "Points (reached), μ = 1; α = 0.3333333"
    subtitle = figure_of(exhibits["attack"])["layout"]["title"]["subtitle"]["text"]
    assert subtitle == "Points (reached), μ = 1; the counts, confidence 0.9"
    assert exhibits["attack"].header["held against"] == "Points (reached)"
    assert exhibits_at(curves=POINTS.replace("points", "claim"), attack="1_9_1_9")["attack"].header["claim"] == (
        "Points (claimed)"
    )
    assert exhibits["curves"].header["curves in the link"] == f"!{POINTS};gdp:1@orange="


def test_the_numbers_of_the_curves_are_their_points_under_their_names():
    lines = csv_text(exhibits_at(alpha="0.05")["curves"]).splitlines()
    assert {"# alpha: 0.05", "# prior: 0.1", f"# curves in the link: {DEFAULTS}"} <= set(lines)
    assert "curve,alpha,beta,power,epsilon,mu" in lines


def test_every_chart_has_alpha_as_its_handle_and_takes_clicks():
    exhibits = exhibits_at(attack="25_1000_760_1000")
    for name in ("curves", "quotation", "attack"):
        assert "alpha" in [shape.get("name") for shape in figure_of(exhibits[name])["layout"]["shapes"]]
        assert exhibits[name].picks == ("alpha", "")


def test_a_pinned_setting_is_a_grey_curve_in_every_chart():
    exhibits = exhibits_at(attack="25_1000_760_1000", pinned="epsilon=0.5")
    for name in ("curves", "quotation", "attack"):
        assert "pinned" in [trace.get("name") for trace in figure_of(exhibits[name])["data"]]
        assert exhibits[name].header["pinned"].startswith("Gaussian at (0.5, 1e-6), α = 0.05")
    assert "pinned" not in [trace.get("name") for trace in figure_of(exhibits_at()["curves"])["data"]]


def notes_of(name, **link):
    """Return the numbers of each note of a picture in percent, by its place: the note of a handle is none."""
    notes = figure_of(exhibits_at(**link)[name])["layout"]["annotations"]
    texts = [(note["text"], note["x"], note["y"]) for note in notes if "name" not in note and "%" in note["text"]]
    return [([float(part) for part in re.findall(r"([\d.]+) %", text)], x, y) for text, x, y in texts]


@pytest.mark.parametrize(("view", "of_beta"), [("power", False), ("errors", True)])
def test_the_only_curve_has_its_number_at_its_point_and_several_curves_have_none(view, of_beta):
    ((numbers, x, y),) = notes_of("curves", curves="!here_approx:@green=", view=view)
    power = np.e * 0.05 + 1e-6
    assert (x, y) == (0.05, pytest.approx(1 - power if of_beta else power))
    assert numbers == pytest.approx([100 * (1 - power) if of_beta else 100 * power], rel=1e-3)
    assert (numbers[0] / 100 <= 1 - power) if of_beta else (numbers[0] / 100 >= power)  # on the safe side
    assert notes_of("curves", view=view) == []


@pytest.mark.parametrize(("view", "of_beta"), [("power", False), ("errors", True)])
def test_what_one_point_of_an_attack_measured_and_proves_stands_where_no_curve_is(view, of_beta):
    link = {"attack": "50_1000_700_1000", "view": view}
    (measured, *corner), (proved, *same) = notes_of("attack", **link)
    assert corner == same == [1, 1 if of_beta else 0]
    for trace in figure_of(exhibits_at(**link)["attack"])["data"]:
        x, y = (np.asarray(trace[axis], float) for axis in "xy")
        assert np.nanmax((y if of_beta else 1 - y) + x) <= 1 + 1e-6  # on this side of guessing
    assert measured == pytest.approx([5, 70 if of_beta else 30])
    frame = exhibits_at(**link)["attack"].table
    alpha, beta = float(frame["alpha_high"].iloc[0]), float(frame["beta_high"].iloc[0])
    assert proved == pytest.approx([100 * alpha, 100 * (beta if of_beta else 1 - beta)], rel=1e-3)
    assert proved[0] >= 100 * alpha
    assert proved[1] >= 100 * beta if of_beta else proved[1] <= 100 * (1 - beta)
    assert notes_of("attack", **(link | {"attack": "50_1000_700_1000~20_1000_800_1000"})) == []
