"""The words of the Accuracy page: its answer, the table of mechanisms, how each accuracy is computed."""

from collections.abc import Callable
from decimal import Decimal
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from dpcore import accuracy
from dpcore.checks import Array
from pages.shared.query import EPSILONS, LEAST_EPSILON, NEIGHBOURS, QUERY, Asked, Row
from pages.shared.text import nearest, percent_down, percent_up, plain, tex, up
from pages.shared.text import table_html as table

TITLE = "How accurate is it, and what does accuracy cost?"
_NOISE = {"laplace": "Laplace", "staircase": "staircase", "staircase_mean": "staircase", "geometric": "geometric"}


def within(significance: float) -> str:
    """How many releases fall within the accuracy: whole numbers where few digits do, else a percentage, never too many.

    >>> within(0.05), within(0.5), within(0.999)
    ('95 of 100 releases fall', '50 of 100 releases fall', '1 of 1,000 releases falls')
    >>> within(1e-6), within(1e-300)
    ('all but 1 of 1,000,000 releases fall', 'all but 1 of 1e300 releases fall')
    >>> within(1 / 3), within(1.23456e-300)
    ('at least 66.66 % of releases fall', 'all but 1.235e-298 % of releases fall')
    """
    counted = _counted(significance)
    if counted is not None:
        misses, total = counted
        return _of(total - misses, total, "fall")
    if significance < 0.001:
        return f"all but {percent_up(significance)} of releases fall"
    return f"at least {percent_down(1 - significance)} of releases fall"


def beyond(significance: float) -> str:
    """How many releases miss by more than the accuracy, never too few.

    >>> beyond(0.05), beyond(0.999)
    ('5 of 100 releases miss', '999 of 1,000 releases miss')
    >>> beyond(1e-12), beyond(1 / 3)
    ('1 of 1e12 releases misses', 'at most 33.34 % of releases miss')
    """
    counted = _counted(significance)
    return f"at most {percent_up(significance)} of releases miss" if counted is None else _of(*counted, "miss")


def _counted(significance: float) -> tuple[int, int] | None:
    """Misses among how many releases, as whole numbers of at most four digits; None if they have more."""
    written = Decimal(repr(significance)).normalize()
    places = max(2, -int(written.as_tuple().exponent))
    total = 10**places
    misses = int(written.scaleb(places))
    return (misses, total) if min(misses, total - misses) < 10**4 else None


def _of(part: int, total: int, verb: str) -> str:
    shown = f"{total:,}" if total <= 10**9 else f"1e{len(str(total)) - 1}"
    if total <= 10**4 or part < 10**4:
        plural = {"fall": "falls", "miss": "misses"}[verb] if part == 1 else verb
        return f"{part:,} of {shown} releases {plural}"
    return f"all but {total - part:,} of {shown} releases {verb}"


def best_pure(made: dict[str, Row], column: str) -> Row | None:
    """The mechanism of pure ε-DP with the smallest half-width or ε, as it is shown; the plainest of equal ones."""
    rivals = [row for row in made.values() if row.rule.key in _NOISE and not np.isnan(getattr(row, column))]
    return min(rivals, key=lambda row: float(up(getattr(row, column)).replace(",", "")), default=None)


def reach(value: float, unit: str) -> str:
    """A half-width in Markdown."""
    return f"±{up(value)} {plain(unit)}".rstrip()


def answer(
    query: Asked, made: dict[str, Row], epsilon: float, delta: float, significance: float, wanted: float | None
) -> tuple[str, str]:
    """The page's answer, and what it means beside the analytic Gaussian."""
    pure, normal = best_pure(made, "accuracy" if wanted is None else "epsilon"), made["analytic"]
    target = nearest(delta, 17)
    other = "two different promises, so neither number alone decides"
    misses = f"{_first_up(beyond(significance))} by more."
    if wanted is None:
        place = f"At ε = {nearest(epsilon, 17)}"
        beside = f"{reach(normal.accuracy, query.unit)} at ε = {nearest(epsilon, 17)}, δ = {target}"
        if pure is None:
            if np.isnan(normal.accuracy):
                return f"{place}, no noise that numbers can hold keeps the promise.", "Raise ε or δ."
            only = f"only the analytic Gaussian has an answer: {within(significance)} within"
            return (
                f"{place}, {only} {reach(normal.accuracy, query.unit)} of the truth.",
                f"{misses} At so small an ε, pure ε-DP, the pDP and the classical formula have none.",
            )
        sentence = (
            f"{place}, {within(significance)} within {reach(pure.accuracy, query.unit)} of the truth "
            f"with {_NOISE[pure.rule.key]} noise."
        )
    else:
        share = within(significance).rsplit(" ", 1)[0]
        aim = f"{nearest(wanted, 17)} {plain(query.unit)}".rstrip()
        if pure is None:
            return f"No ε gives {share} within ±{aim} of the truth.", "Accept a larger error."
        sentence = f"To have {share} within ±{aim} of the truth you need ε = {_epsilon(pure.epsilon)} with "
        sentence += f"{_NOISE[pure.rule.key]} noise."
        beside = f"ε = {_epsilon(normal.epsilon)} at δ = {target}"
    if np.isnan(normal.accuracy if wanted is None else normal.epsilon):
        return sentence, f"{misses} That is pure ε-DP. The analytic Gaussian has no answer here."
    asks = "reaches" if wanted is None else "needs"
    return sentence, f"{misses} That is pure ε-DP; the analytic Gaussian {asks} {beside}, for (ε, δ)-DP: {other}."


def _epsilon(value: float) -> str:
    return "above 1e6" if value > 1e6 else up(value)


def _first_up(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def table_html(query: Asked, made: dict[str, Row], epsilon: float, significance: float, wanted: float | None) -> str:
    """Every mechanism's answer, as an accessible HTML table."""
    unit, share = escape(query.unit or "share of 1"), within(significance).rsplit(" releases", 1)[0]
    heads = ["Mechanism", "Promise"]
    if wanted is not None:
        heads.append(f"ε for <span>±{nearest(wanted, 17)}</span> {unit}")
    heads += [f"± at <span>ε = {nearest(epsilon, 17)}</span>, {unit}, <span>{share}</span>"]
    heads.append("Verdict" if wanted is None else "Verdict at that ε")
    body = []
    for row in made.values():
        cells = [row.rule.promise]
        if wanted is not None:
            cells.append(_cell(row.epsilon, _epsilon))
        body.append([row.rule.name, *cells, _cell(row.accuracy, up), row.verdict])
    return table("All mechanisms", "verdicts readings", heads, body)


def _cell(value: float, written: Callable[[float], str]) -> str:
    return "–" if np.isnan(value) else written(value)


ROUNDING = (
    "± and ε are rounded up to four digits. ± is a half-width, so smaller is better. For several numbers it is that of "
    "each. Pure ε-DP, (ε, δ)-DP and probabilistic DP are different promises."
)


def readings(query: Asked, made: dict[str, Row], epsilon: float, wanted: float | None) -> str:
    """The three readings of geometric noise, and why they differ."""
    if not query.whole:
        return "**Geometric noise** is whole-numbered, so it needs whole-numbered answers; this query has others."
    why = (
        "The ceiling hides a near miss: 3.02 is published as 4, though a slightly larger ε gives 3 (Geometric "
        "Mechanism Accuracy 2020, §0.1). The exact value solves the definition over the whole numbers, and is often "
        "one less than the published one."
    )
    inverse = (
        "The published inverse, ε = (Δ₁ ÷ a) ln(1/α), always reaches a rounded up to a whole number, but not always an "
        "a that is none; the exact one always does."
    )
    only_whole = " For a sum, the values themselves must be whole numbers." if query.query == "sum" else ""
    laplace, published, exact = (made[key] for key in ("laplace", "geometric_published", "geometric"))
    if wanted is not None:
        numbers = f"ε = {_cell(published.epsilon, _epsilon)} as published, {_cell(exact.epsilon, _epsilon)} exactly"
        return f"**Geometric noise for ±{nearest(wanted, 17)}**: {numbers}. {inverse} {why}{only_whole}"
    if np.isnan(exact.accuracy):
        return f"**Geometric noise** has no answer at ε = {nearest(epsilon, 17)}. {why}{only_whole}"
    numbers = f"{up(laplace.accuracy)} before the ceiling, which is Laplace's value, {up(published.accuracy)} as "
    numbers += f"published, {up(exact.accuracy)} exactly"
    return (
        f"**Geometric noise at ε = {nearest(epsilon, 17)}, in three readings**: {numbers}. {why} {inverse}{only_whole}"
    )


def records_text(query: Asked, width: float, wanted: float, epsilon: float, delta: float, significance: float) -> str:
    """The least n at the current ε, for the best of pure ε-DP and for the analytic Gaussian."""
    aim = f"±{nearest(wanted, 17)} {plain(query.unit)}".rstrip()
    if epsilon < LEAST_EPSILON:
        return f"At ε = {nearest(epsilon, 17)} no number of records that is worth asking for reaches {aim}. Raise ε."
    laplace, normal = (
        float(accuracy.least_records(rule, wanted, epsilon, significance, width, delta))
        for rule in (accuracy.LAPLACE, accuracy.ANALYTIC)
    )
    if wanted >= width:
        return f"**{aim} is as wide as the whole range**: any number of records reaches it. Choose a smaller one."
    return (
        f"**{aim} for {within(significance).rsplit(' ', 1)[0]} at ε = {nearest(epsilon, 17)} takes n = "
        f"{up(laplace)} records with Laplace noise** (pure ε-DP), n = {up(normal)} with the analytic Gaussian at "
        f"δ = {nearest(delta, 17)}. Half the ε takes about twice the records."
    )


NO_RECORDS = (
    "**No sample size**: only the sensitivity of a mean or a proportion falls with the number of records. The noise of "
    "this query is the same for any number of them."
)


def described(query: Asked, delta: float, significance: float) -> tuple[str, str]:
    """The query and its parameters in two lines that fit a phone, as text."""
    name = {**QUERY.options, "own": "Own query"}[query.query]
    return (
        f"{name}: Δ₁ = {up(query.l1)}, Δ₂ = {up(query.l2)} {query.unit}".rstrip(),
        f"significance level {nearest(significance, 17)}, δ = {nearest(delta, 17)}",
    )


def alternative(query: Asked, made: dict[str, Row], epsilon: float, significance: float, wanted: float | None) -> str:
    """What the picture shows, in a sentence for those who can't see it."""
    known = [row for row in made.values() if not np.isnan(row.accuracy)]
    reached = "; ".join(f"{row.rule.name} ±{up(row.accuracy)} {query.unit}".rstrip() for row in known)
    shown = (
        f"Accuracy against ε for every mechanism, and under it over Laplace's. At ε = {nearest(epsilon, 17)}, "
        f"{within(significance)} within: {reached}."
    )
    if wanted is None:
        return shown
    needs = [row for row in made.values() if not np.isnan(row.epsilon)]
    listed = "; ".join(f"{row.rule.name} {_epsilon(row.epsilon)}" for row in needs)
    return f"{shown} The ε that ±{nearest(wanted, 17)} needs: {listed}."


def records_described(query: Asked, wanted: float, delta: float, significance: float) -> tuple[str, str]:
    """The parameters of the picture of records in two lines, as text."""
    aim = f"±{nearest(wanted, 17)} {query.unit}".rstrip()
    width = f"hi − lo = {up(query.width or 0.0)}"
    return f"{QUERY.options[query.query]} within {aim}, {width}", described(query, delta, significance)[1]


def csv_header(query: Asked, values: dict[str, Any]) -> dict[str, str]:
    """The parameters and units for the top of a CSV."""
    keys = ("epsilon", "delta", "significance", "accuracy", "query", "neighbours", "low", "high", "n_records")
    unit = query.unit or "share of 1"
    return {
        **{key: str(values[key]) for key in keys},
        "l1_sensitivity": repr(query.l1),
        "l2_sensitivity": repr(query.l2),
        "unit": unit,
        "units": f"accuracy and sensitivities in {unit}; epsilon in nats; delta and significance are probabilities",
    }


def rows_frame(made: dict[str, Row]) -> pd.DataFrame:
    """The table as a frame."""
    return pd.DataFrame(
        [(row.rule.name, row.rule.promise, row.accuracy, row.epsilon, row.verdict) for row in made.values()],
        columns=["mechanism", "promise", "accuracy", "epsilon_for_wanted_accuracy", "verdict"],
    )


def curves_frame(found: dict[str, Array], column: str) -> pd.DataFrame:
    """Curves along `EPSILONS`, one below the other."""
    names = np.repeat(list(found), EPSILONS.size)
    stacked = np.concatenate(list(found.values()))
    return pd.DataFrame({"mechanism": names, "epsilon": np.tile(EPSILONS, len(found)), column: stacked})


_FORMULAS = {
    "laplace": r"a=\frac{{\Delta_1}}\varepsilon\ln\frac1\alpha=\frac{{{l1}}}{{{e}}}\ln\frac1{{{s}}}={a}",
    "staircase": r"\Pr(|\text{{noise}}|>a)=\alpha:\quad \varepsilon={e},\ \Delta_1={l1},\ \alpha={s}\ \Rightarrow"
    r"\ a={a}",
    "geometric": r"\text{{least whole }}a:\ \frac{{2r^{{a+1}}}}{{1+r}}\le\alpha,\ r=e^{{-\varepsilon/\Delta_1}}:\quad "
    r"r=e^{{-{e}/{l1}}},\ \alpha={s}\ \Rightarrow\ a={a}",
    "geometric_published": r"a=\left\lceil\frac{{\Delta_1}}\varepsilon\ln\frac1\alpha\right\rceil=\left\lceil"
    r"\frac{{{l1}}}{{{e}}}\ln\frac1{{{s}}}\right\rceil={a}",
    "analytic": r"a=-\sigma\,\Phi^{{-1}}(\alpha/2),\quad \Phi\!\left(\tfrac\mu2-\tfrac\varepsilon\mu\right)-"
    r"e^\varepsilon\,\Phi\!\left(-\tfrac\mu2-\tfrac\varepsilon\mu\right)=\delta,\ \mu=\tfrac{{\Delta_2}}\sigma:\quad "
    r"\varepsilon={e},\ \delta={d},\ \Delta_2={l2},\ \alpha={s}\ \Rightarrow\ a={a}",
    "pdp": r"a=-\frac{{\Delta_2\left(\sqrt{{q^2+2\varepsilon}}+q\right)}}{{2\varepsilon}}\,\Phi^{{-1}}(\alpha/2),\ "
    r"q=-\Phi^{{-1}}(\delta/2):\quad \varepsilon={e},\ \delta={d},\ \Delta_2={l2},\ \alpha={s}\ \Rightarrow\ a={a}",
    "classical_tight": r"a=\frac{{2\Delta_2}}\varepsilon\sqrt{{\ln\frac{{\sqrt{{2e^{{8/9}}/\pi}}}}\delta}}\ "
    r"\mathrm{{erf}}^{{-1}}(1-\alpha)=\frac{{2\cdot {l2}}}{{{e}}}\sqrt{{\ln\frac{{\sqrt{{2e^{{8/9}}/\pi}}}}{{{d}}}}}\ "
    r"\mathrm{{erf}}^{{-1}}(1-{s})={a}",
    "classical": r"a=\frac{{2\Delta_2}}\varepsilon\sqrt{{\ln\frac{{1.25}}\delta}}\ \mathrm{{erf}}^{{-1}}(1-\alpha)="
    r"\frac{{2\cdot {l2}}}{{{e}}}\sqrt{{\ln\frac{{1.25}}{{{d}}}}}\ \mathrm{{erf}}^{{-1}}(1-{s})={a}",
}
_FORMULAS["staircase_mean"] = _FORMULAS["staircase"]
_RANGES = {
    "laplace": "Every ε > 0.",
    "staircase": "Every ε > 0, for one number; γ is the one of least variance.",
    "staircase_mean": "Every ε > 0, for one number; γ is the one of least mean error.",
    "geometric": "Every ε > 0, for whole-numbered answers.",
    "geometric_published": "Every ε > 0, for whole-numbered answers.",
    "analytic": "Exact for every ε ≥ 0.",
    "pdp": "Proved for every ε > 0.",
    "classical_tight": "Proved for 0 < ε < 1 only.",
    "classical": "Proved for 0 < ε < 1 only.",
}


def explanation(
    query: Asked, made: dict[str, Row], relation: str, epsilon: float, delta: float, significance: float
) -> str:
    """How each accuracy is computed: formula with the user's numbers, range, promise, norm, source."""
    numbers = {"e": epsilon, "d": delta, "s": significance}
    typed = {key: tex(nearest(value, 17)) for key, value in numbers.items()}
    sizes = {"l1": tex(up(query.l1, 10)), "l2": tex(up(query.l2, 10))}
    parts = [
        "**Accuracy.** The accuracy a at significance level α is the half-width with Pr(|release − truth| > a) = α: "
        f"here {within(significance)} within ±a of the truth and {beyond(significance)} by more (Geometric Mechanism "
        "Accuracy 2020 and Gaussian Mechanism Accuracy 2020, Definition 1). It is that of the noise alone.",
        f"**Neighbours: {NEIGHBOURS.options[relation].lower()}.** {query.reason}",
    ]
    for row in made.values():
        rule = row.rule
        norm = "ℓ₁" if rule.norm == "l1" else "ℓ₂"
        head = f"**{rule.name}**, promising {rule.promise}, from the {norm} sensitivity. {_RANGES[rule.key]}"
        if np.isnan(row.accuracy):
            parts.append(f"{head} Here: {row.verdict}. Source: {rule.theorem}.")
            continue
        formula = _FORMULAS[rule.key].format(**typed, **sizes, a=tex(up(row.accuracy)))
        parts.append(f"{head} Source: {rule.theorem}.\n\n$${formula}$$")
    parts += [
        "**From accuracy to ε.** Laplace and, as published, geometric noise: ε = (Δ₁ ÷ a) ln(1/α), without a ceiling "
        "(Geometric Mechanism Accuracy 2020, §0.1). Exact geometric noise: the least ε with 2r^(⌊a⌋+1) ÷ (1 + r) ≤ α. "
        "Gaussians: σ = −a ÷ Φ⁻¹(α/2), then the ε of that σ. Every ε is rounded up, so that it really reaches a.",
        "**Sample size.** The least n with which the accuracy at sensitivity (hi − lo) ÷ n is at most a.",
        "**Budget.** Basic composition adds the ε up, and the δ (Dwork & Roth 2014). Gaussians compose exactly to the "
        "one with μ = √Σ μᵢ², μᵢ = Δᵢ ÷ σᵢ (Dong, Roth & Su 2022), whose ε follows from Balle & Wang 2018, Theorem 8. "
        "δ is shared in the proportion of ε.",
    ]
    return "\n\n".join(parts)
