"""The links by which other pages take their noise or their budget from a risk."""

from dpcore.checks import interval_bounds
from pages.framework.parameters.kinds import is_inside
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.number_format import exact_text, format_down, format_input_down, format_up
from pages.shared.counts.parameters import PER_CELL
from pages.shared.page_links import Link
from pages.shared.release_kinds import STEPS_RANGE
from pages.shared.site_map import ACCURACY, COMPOSITION, TABLES
from pages.tradeoff.noise_from_risk.results import RiskNoise
from pages.tradeoff.noise_from_risk.setting_data import OUTCOME

_MOST_STEPS = interval_bounds(STEPS_RANGE)[1]


def links_text(noise: RiskNoise) -> str:
    """Return the links by which Accuracy, Tables and Composition take their budget from the risk."""
    setting, calibration = noise.setting, noise.calibration
    delta = {} if setting.kind == OUTCOME else {"delta": exact_text(setting.delta)}
    if setting.is_composed:
        rate, steps = setting.training
        training = f"!sampled:{exact_text(calibration.scale)},{exact_text(rate)}*{int(steps)}=DP-SGD"
        listed = training if setting.noise == "dp_sgd" else list_text(noise.scaled_items)
        entries = {"releases": listed, **delta}
        link = Link(COMPOSITION, COMPOSITION.name, entries)
        return f"**Take the noise from this risk:** {link.markdown} has it in its list of releases.{_edit_text(noise)}"
    is_gaussian = setting.noise == "gaussian"
    if not 0 < (calibration.epsilon if is_gaussian else calibration.loss) <= 1e3:
        return ""
    composed = {"releases": _release_text(noise), **delta}
    noise_text = f"{Link(COMPOSITION, COMPOSITION.name, composed).markdown} has this noise in its list of releases."
    pure = setting.stated_epsilon if setting.kind == OUTCOME else calibration.detour_epsilon
    if not 1e-12 <= pure <= 1e3:
        return f"**Take the noise from this risk:** {noise_text}"
    # Tables and Accuracy may choose other noise, so they get the guarantee that ensures the limit whatever the noise.
    epsilon = format_down(pure)
    entries = {"epsilon": _typed(epsilon), **delta, "significance": exact_text(setting.significance)}
    entries |= {"l2_sensitivity": exact_text(setting.l2)} | ({"promise": "pure"} if setting.kind == OUTCOME else {})
    accuracy = {"query": "own", "l1_sensitivity": exact_text(setting.l1), "known": "epsilon", "promise": "delta"}
    table = {"per_person": str(setting.per_person), "per_cell": exact_text(setting.per_cell)}
    table |= {"table": "size", "cells": str(setting.cells)} if setting.cells > 1 else {}
    pages = [Link(ACCURACY, ACCURACY.name, accuracy | entries).markdown]
    if is_inside(setting.per_cell, PER_CELL.limits):
        pages.insert(0, Link(TABLES, TABLES.name, entries | table).markdown)
    guarantee = (
        f"pure ε = {epsilon}" if setting.kind == OUTCOME else f"ε = {epsilon} at δ = {format_input_down(setting.delta)}"
    )
    return (
        f"**Take the budget from this risk:** any noise with {guarantee} ensures the limit; open {' or '.join(pages)} "
        f"with it. {noise_text}"
    )


def _typed(number: str) -> str:
    """Return a displayed number as it is typed."""
    return number.replace(",", "")


def _release_text(noise: RiskNoise) -> str:
    """Return the noise as a line of the list of releases; where that has no such noise, its guarantee of pure ε."""
    setting, calibration = noise.setting, noise.calibration
    if setting.noise == "gaussian":
        return f"gaussian:{_typed(format_up(calibration.scale / setting.sensitivity))}"
    loss = exact_text(setting.stated_epsilon) if setting.kind == OUTCOME else _typed(format_up(calibration.loss))
    if setting.noise == "laplace":
        return f"laplace:{loss}"
    is_listed = setting.sensitivity <= _MOST_STEPS
    return f"geometric:{loss},{exact_text(setting.sensitivity)}" if is_listed else f"pure:{loss}"


def _edit_text(noise: RiskNoise) -> str:
    """Return the link to the page that edits the list as it is entered; empty where there is no list."""
    if noise.setting.noise != "releases":
        return ""
    entries = {"section": "together", "releases": list_text(noise.items), "delta": exact_text(noise.setting.delta)}
    link = Link(COMPOSITION, "edit the list", entries)
    return f" To change its lines, {link.markdown} there; its link **Noise from risk** brings it back to this risk."
