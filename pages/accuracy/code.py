"""The answer of the open section, with dpcore and with other libraries."""

import math

from dpcore import accuracy
from dpcore.calibrations import ANALYTIC, DISCRETE_GAUSSIAN, GEOMETRIC, LAPLACE, Calibration
from pages.accuracy.exhibits import AccuracyResult
from pages.accuracy.query import AccuracySetting
from pages.accuracy.recommendation import MechanismRow, recommended
from pages.framework.layout.code_panel import Limit, Snippet, number, program, unavailable, within
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.other_libraries import gaussian_sigma, geometric_accuracy, laplace_accuracy, laplace_epsilon

_NO_REACH = {
    OPENDP: "It has no ± of this noise.",
    DP_ACCOUNTING: "It accounts for privacy, and states no ± of noise.",
    DIFFPRIVLIB: "It states no ± of this noise.",
    OPACUS: "It has Gaussian noise only, and states no ± of it.",
}
_NO_RECORDS = "It has no number of records that a wanted ± takes."


def snippets(result: AccuracyResult) -> tuple[Snippet, ...]:
    """The answer of the open section; none where it has none."""
    section = result.setting.section
    if section == "records":
        return _records(result)
    if section == "budget":
        return _budget(result)
    best = recommended(result.answers, result.setting).row
    value = best.accuracy if result.setting.wanted is None else best.epsilon
    return () if math.isnan(value) else (_dpcore(best, result.setting), *_peers(best, result.setting))


def _name(rule: Calibration) -> str:
    return next(name for name in dir(accuracy) if getattr(accuracy, name) is rule)


def _sensitivity(rule: Calibration, setting: AccuracySetting) -> str:
    """The line that says how far a record moves the query."""
    if setting.query == "own":
        return f"sensitivity = {number(setting.asked.sensitivity(rule))}"
    numbers = ", ".join(number(each) for each in (setting.low, setting.high, setting.n_records))
    asked = f"query_sensitivity({setting.query!r}, {setting.neighbours!r}, {numbers})"
    return f"sensitivity = {asked}.{'l1' if rule.norm == 'l1' else 'l2'}"


def _dpcore(best: MechanismRow, setting: AccuracySetting) -> Snippet:
    rule = best.calibration
    if rule is DISCRETE_GAUSSIAN:
        return _discrete(best, setting)
    promised = (
        f"epsilon, delta, significance = {number(setting.epsilon)}, {number(setting.delta)},"
        f" {number(setting.significance)}"
    )
    calibration = f"accuracy.{_name(rule)}"
    if setting.wanted is None:
        printed = [
            f"noise = mechanism.calibrated({calibration}, epsilon, delta, sensitivity)",
            "print(noise.half_width(significance))",
        ]
    else:
        asked = f"{number(setting.wanted)}, significance, delta, sensitivity"
        printed = [f"print(mechanism.of_half_width({calibration}, {asked}).epsilon)"]
    code = program(
        "from dpcore import accuracy, mechanism",
        *(() if setting.query == "own" else ("from dpcore.sensitivity import query_sensitivity",)),
        "",
        promised,
        _sensitivity(rule, setting),
        *printed,
    )
    value, what = (best.accuracy, "±") if setting.wanted is None else (best.epsilon, "The ε")
    return Snippet(DPCORE, code, f"{what} of the noise that the page recommends: {rule.name}.", (value,))


def _discrete(best: MechanismRow, setting: AccuracySetting) -> Snippet:
    moved = f"1, {number(setting.asked.l1)}" if setting.asked.single else "1, 1, 'replace'"
    code = program(
        "from dpcore import sensitivity, tables",
        "",
        f"person = sensitivity.table_sensitivity({moved})",
        f"noises = tables.mechanisms({number(setting.epsilon)}, {number(setting.delta)}, person)",
        f"noise = next(each for each in noises if each.key == {best.mechanism.key!r})",
        f"print(noise.half_width({number(setting.significance)}))",
    )
    return Snippet(DPCORE, code, f"± of the noise that the page recommends: {best.mechanism.name}.", (best.accuracy,))


def _peers(best: MechanismRow, setting: AccuracySetting) -> tuple[Snippet, ...]:
    rule, without = best.calibration, dict(_NO_REACH)
    size = setting.asked.sensitivity(rule)
    known: tuple[Snippet, ...] = ()
    if setting.wanted is not None:
        known = (laplace_epsilon(setting.wanted, size, setting.significance, best.epsilon),) if rule is LAPLACE else ()
        without = dict.fromkeys(_NO_REACH, "It has no ε for a wanted ± of this noise.")
    elif rule is LAPLACE:
        known = laplace_accuracy(setting.epsilon, size, setting.significance, best.accuracy)
    elif rule is GEOMETRIC:
        known = (geometric_accuracy(setting.epsilon, size, setting.significance, best.accuracy),)
    elif rule is ANALYTIC:
        sigma = float(ANALYTIC.scale(setting.epsilon, setting.delta, size))
        return tuple(gaussian_sigma(setting.epsilon, setting.delta, size, sigma))
    has = {each.library for each in known}
    return *known, *unavailable({library: reason for library, reason in without.items() if library not in has})


def _records(result: AccuracyResult) -> tuple[Snippet, ...]:
    setting, width = result.setting, result.setting.asked.width
    kept = {rule: n for rule, n in zip((LAPLACE, ANALYTIC), result.least_records, strict=True) if not math.isnan(n)}
    if width is None or not kept or setting.accuracy >= width:
        return ()
    code = program(
        "from dpcore import accuracy",
        "",
        f"wanted, epsilon, delta = {number(setting.accuracy)}, {number(setting.epsilon)}, {number(setting.delta)}",
        f"significance, width = {number(setting.significance)}, {number(width)}",
        *(
            f"print(accuracy.least_records(accuracy.{_name(rule)}, wanted, epsilon, significance, width, delta))"
            for rule in kept
        ),
    )
    note = f"The least n with {' and with '.join(rule.name for rule in kept)}."
    return Snippet(DPCORE, code, note, tuple(kept.values())), *unavailable(dict.fromkeys(_NO_REACH, _NO_RECORDS))


def _budget(result: AccuracyResult) -> tuple[Snippet, ...]:
    setting, shares = result.setting, result.shares
    if shares is None:
        return ()
    listed = zip(*(item.numbers for item in setting.budget), strict=True)
    sizes, weights, locked = ([float(each) for each in column] for column in listed)
    code = program(
        "from dpcore import queries",
        "",
        f"epsilon, delta, significance = {number(setting.epsilon)}, {number(setting.delta)},"
        f" {number(setting.significance)}",
        f"sensitivity, weights, locked = {sizes}, {weights}, {locked}",
        "shares = queries.budget(epsilon, delta, significance, sensitivity, weights, locked)",
        "print(shares.total_epsilon, shares.total_delta)",
        "print(shares.exact_epsilon)",
    )
    total = float(shares.total_epsilon), float(shares.total_delta), float(shares.exact_epsilon)
    own = Snippet(
        DPCORE, code, "ε and δ by basic composition, and the ε that the Gaussians really give at that δ.", total
    )
    pairs = [(float(e), float(d)) for e, d in zip(shares.epsilon, shares.delta, strict=True)]
    return own, *_budget_peers(pairs, total)


def _budget_peers(pairs: list[tuple[float, float]], total: tuple[float, ...]) -> tuple[Snippet, ...]:
    mu = program(
        "from dp_accounting import get_epsilon_gaussian, get_sigma_gaussian",
        "",
        f"shares = {pairs}",
        "mu = sum(get_sigma_gaussian(epsilon, delta) ** -2 for epsilon, delta in shares) ** 0.5",
        f"print(get_epsilon_gaussian(1 / mu, {number(total[1])}))",
    )
    spent = program(
        "from diffprivlib import BudgetAccountant",
        "",
        f"print(BudgetAccountant(spent_budget={pairs}).total()[0])",
    )
    limits = [Limit("every ε", least_or_most, 0.01, 10) for each in pairs for least_or_most in each[:1]]
    limits += [Limit("every δ", each[1], 1e-10, 0.1) for each in pairs]
    exact = Snippet(DP_ACCOUNTING, mu, "The exact ε of the Gaussians together.", total[2:], 1 - 1e-6, 1 + 1e-6)
    added = Snippet(DIFFPRIVLIB, spent, "ε by basic composition.", total[:1], 1 - 1e-9, 1 + 1e-9)
    reasons = {
        OPENDP: "It has basic composition of ε and δ too, or ρ of the Gaussians, and no exact total of these.",
        OPACUS: "It accounts for noise multipliers: it has no composition of (ε, δ) guarantees.",
    }
    return within(exact, *limits), within(added, *limits), *unavailable(reasons)
