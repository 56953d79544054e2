"""The ε of the published guarantees today in lines of code, with dpcore and with other libraries."""

import math
from collections.abc import Sequence

from pages.composition import other_libraries
from pages.composition.dp_sgd.code import EXCESS
from pages.composition.published.results import Restatement, count_at_most, restatements_at
from pages.composition.results import CompositionResult
from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.other_libraries import OPENDP_SPACE

_KINDS = ("zcdp", "sampled", "guarantee")


def snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return ε today of what is published with its noise, and how many guarantees are at most the page's ε."""
    rows, epsilon = restatements_at(result), result.setting.epsilon
    of_rho, trained, alone = ([row for row in rows if row.deployment.kind == kind] for kind in _KINDS)
    of_steps = [row for row in trained if row.deployment.is_covered]
    shuffled = [row for row in trained if not row.deployment.is_covered]
    noises, _, epochs = (
        list(column) for column in zip(*(row.deployment.shuffled_training for row in shuffled), strict=True)
    )
    deltas = [row.delta for row in shuffled]
    guarantees = ", ".join(number(row.proved) for row in alone if not math.isnan(row.proved))
    code = program(
        "from dpcore import composition",
        "",
        *published_lines(of_rho, of_steps),
        "today = [*composition.epsilon_from_rho(delta, rho), "
        f"*composition.unamplified_epsilon({deltas}, {noises}, {epochs})]",
        "for *step, at in trainings:",
        "    releases = [composition.sampled_release(*step)]",
        "    rdp = composition.rdp_epsilon(releases, at).value",
        f"    today.append(min(rdp, composition.certified_epsilon(releases, at, {EXCESS}).value))",
        "print(*today)",
        f"print(sum(each <= {number(epsilon)} for each in [*today, {guarantees}]))",
    )
    values = *(row.proved for row in (*of_rho, *shuffled, *of_steps)), float(count_at_most(rows, epsilon))
    note = (
        f"ε today of the {len(of_rho)} guarantees with a ρ, then of DP-SGD with shuffled batches ({len(shuffled)}, "
        f"without amplification) and with Poisson batches ({len(of_steps)}), each in the order of the table; then how "
        "many of all guarantees have at most your ε."
    )
    return Snippet(DPCORE, code, note, values), *published_snippets(of_rho, of_steps)


def published_lines(of_rho: Sequence[Restatement], of_steps: Sequence[Restatement]) -> tuple[str, str, str]:
    """Return what is published with its noise as lines of code: every ρ, the δ of each, and the trainings."""
    trainings = [
        (*other_libraries.dp_sgd_step(row.deployment.releases[0]), row.deployment.releases[0].count, row.delta)
        for row in of_steps
    ]
    return (
        f"rho = {[row.deployment.releases[0].numbers[0] for row in of_rho]}",
        f"delta = {[row.delta for row in of_rho]}",
        f"trainings = {trainings}",
    )


def published_snippets(of_rho: Sequence[Restatement], of_steps: Sequence[Restatement]) -> tuple[Snippet, ...]:
    """Return the ε of what is published with its noise in each library, as far as it takes a ρ or DP-SGD."""
    rho, delta, trainings = published_lines(of_rho, of_steps)
    opendp = program(
        *OPENDP_SPACE,
        rho,
        delta,
        "for each, at in zip(rho, delta):",
        "    noise = dp.m.make_gaussian(*space, scale=(2 * each) ** -0.5)",
        "    print(dp.c.make_zCDP_to_approxDP(noise).map(1.0).epsilon(at))",
    )
    google = program(
        "import dp_accounting as dpa",
        "",
        rho,
        delta,
        trainings,
        "for each, at in zip(rho, delta):",
        "    print(dpa.rdp.RdpAccountant().compose(dpa.ZCDpEvent(each)).get_epsilon(at))",
        "for noise, rate, steps, at in trainings:",
        "    step = dpa.PoissonSampledDpEvent(rate, dpa.GaussianDpEvent(noise))",
        "    print(dpa.pld.PLDAccountant().compose(step, steps).get_epsilon(at))",
    )
    opacus = program(
        "from opacus.accountants import PRVAccountant",
        "",
        trainings,
        "for noise, rate, steps, at in trainings:",
        "    accountant = PRVAccountant()",
        "    accountant.history = [(noise, rate, steps)]",
        "    print(accountant.get_epsilon(delta=at))",
    )
    expected = [tuple(row.proved for row in rows) for rows in (of_rho, of_steps)]
    limit = Limit("δ", of_steps[0].delta, 1e-10, 1e-5)
    note = "ε for each ρ by RDP at its orders, then for DP-SGD by the distribution of the losses."
    same = 1 - 1e-9, 1 + 1e-9
    return (
        within(Snippet(OPENDP, opendp, "ε for each ρ; it has no accountant for DP-SGD.", expected[0], *same), limit),
        within(
            Snippet(DP_ACCOUNTING, google, note, (*expected[0], *expected[1]), other_libraries.LOWEST_RATIO, 1.001),
            limit,
        ),
        within(
            Snippet(
                OPACUS,
                opacus,
                "ε of DP-SGD, by PRV; it does not take a ρ.",
                expected[1],
                other_libraries.LOWEST_RATIO,
                1.03,
            ),
            limit,
        ),
        *unavailable({DIFFPRIVLIB: "It composes (ε, δ) guarantees only: neither ρ nor DP-SGD."}),
    )
