"""The ε of a list and of a training in other libraries, as programs that print it."""

import math
from dataclasses import replace

from dpcore.composition import Release, gaussian_release
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, OPACUS, OPENDP, OPENDP_SPACE
from pages.shared.releases import Releases, own_guarantees

LOWEST_RATIO = 1 - 3e-4  # dpcore's ε may be certified, which is up to a share of 1e-4 and a little above the exact one
_OPENDP_MEASUREMENTS = {  # for lists whose lines are not all of the other kind
    "laplace": "gaussian = lambda noise: dp.m.make_gaussian(*space, scale=noise)",
    "gaussian": "laplace = lambda epsilon: dp.c.make_pureDP_to_zCDP(dp.m.make_laplace(*space, scale=1 / epsilon))",
}
_LOSS_CALLS = {  # in dp-accounting, by kind
    "gaussian": "from_gaussian_mechanism({0})",
    "laplace": "from_laplace_mechanism(1 / {0})",
    "geometric": "from_discrete_laplace_mechanism({0} / {1}, int({1}))",
    "discrete_gaussian": "from_discrete_gaussian_mechanism({0}, int({1}))",
    "guarantee": "from_privacy_parameters(common.DifferentialPrivacyParameters({0}, {1}))",
    "sampled": "from_gaussian_mechanism({0}, sampling_prob={1})",
}
_NO_DP_SGD = {
    OPENDP: "It has no Poisson subsampling of Gaussian noise, without which these steps cost far more.",
    DIFFPRIVLIB: "It has no accountant for DP-SGD, only basic composition of (ε, δ) guarantees.",
}
_NOT_OF_OPENDP = (
    "It composes only its own mechanisms. The program here is for Gaussian and Laplace noise; “Several statistics” has "
    "measurements of noise on whole numbers."
)
_GDP_UNSAFE = (
    "Its GaussianAccountant (“gdp”) is unsafe: it uses the central limit theorem as if it were a bound. For "
    "noise 1.1, 256 of 60,000 records and 14,063 steps at δ = 1e-6 it prints 2.622, where the exact ε is 2.697."
)


def list_snippets(releases: Releases, delta: float, expected: float) -> tuple[Snippet, ...]:
    """Return the ε of a list in each library; `expected` is the exact ε of dpcore."""
    makers = _opendp_snippet, _dp_accounting_snippet, _diffprivlib_snippet, _opacus_snippet
    snippets = [make(releases, delta) for make in makers]
    count = sum(release.count for release in releases)
    limits = (
        *(Limit("ε", expected, 0.1, 60), Limit("δ", delta, 1e-10, 0.1), Limit("releases", count, 1, 3000)),
        Limit("lines", len(releases), 1, 4),  # the ε of longer lists is certified less closely
    )
    values = {OPACUS: (expected, expected)}
    return tuple(
        within(replace(snippet, page_values=values.get(snippet.library, (expected,))), *limits)
        if snippet.code
        else snippet
        for snippet in snippets
    )


def _has_only(releases: Releases, *kinds: str) -> bool:
    return all(release.kind in kinds for release in releases)


def _opendp_snippet(releases: Releases, delta: float) -> Snippet:
    if not _has_only(releases, "gaussian", "laplace"):
        return Snippet(OPENDP, "", _NOT_OF_OPENDP)
    measurements = " + ".join(
        f"[{'gaussian' if release.kind == 'gaussian' else 'laplace'}({number(release.numbers[0])})] * {release.count}"
        for release in releases
    )
    code = program(
        *OPENDP_SPACE,
        *(line for kind, line in _OPENDP_MEASUREMENTS.items() if not _has_only(releases, kind)),
        f"together = dp.c.make_composition({measurements})",
        f"print(dp.c.make_zCDP_to_approxDP(together).map(1.0).epsilon({number(delta)}))",
    )
    return Snippet(
        OPENDP, code, "ρ of all releases added up, and converted to (ε, δ).", min_ratio=LOWEST_RATIO, max_ratio=math.inf
    )


def _dp_accounting_snippet(releases: Releases, delta: float) -> Snippet:
    if not _has_only(releases, *_LOSS_CALLS):
        no_losses = "It has no privacy loss distribution for the exponential mechanism or ρ-zCDP"
        return Snippet(DP_ACCOUNTING, "", f"{no_losses}; its RdpAccountant accepts ρ.")
    calls = (_LOSS_CALLS[release.kind].format(*map(number, release.numbers)) for release in releases)
    losses = ", ".join(f"(pld.{call}, {release.count})" for call, release in zip(calls, releases, strict=True))
    code = program(
        "from dp_accounting.pld import common, privacy_loss_distribution as pld",
        "",
        "together = pld.identity()",
        f"for loss, count in [{losses}]:",
        "    together = together.compose(loss.self_compose(count))",
        f"print(together.get_epsilon_for_delta({number(delta)}))",
    )
    note = "By a privacy loss distribution on a grid of 1e-4, which gives an upper bound."
    return Snippet(DP_ACCOUNTING, code, note, min_ratio=LOWEST_RATIO, max_ratio=1.05)


def _loss_call(release: Release) -> str:
    return _LOSS_CALLS[release.kind].format(*(number(value) for value in release.numbers))


def _diffprivlib_snippet(releases: Releases, delta: float) -> Snippet:
    guarantees = own_guarantees(releases)
    if guarantees is None:
        return Snippet(
            DIFFPRIVLIB, "", "It composes (ε, δ) guarantees only and does not use the distribution of the noise."
        )
    if any(own_delta for _, own_delta, _ in guarantees):
        return Snippet(DIFFPRIVLIB, "", "It composes guarantees with δ > 0 to a total δ that differs from yours.")
    budget = " + ".join(f"[({number(epsilon)}, 0.0)] * {count}" for epsilon, _, count in guarantees)
    code = program(
        "from diffprivlib import BudgetAccountant",
        "",
        f"print(BudgetAccountant(spent_budget={budget}, slack={number(delta)}).total()[0])",
    )
    note = "By a bound of Kairouz, Oh and Viswanath for ε-DP releases, independent of the mechanism."
    return Snippet(DIFFPRIVLIB, code, note, min_ratio=LOWEST_RATIO, max_ratio=math.inf)


def _opacus_snippet(releases: Releases, delta: float) -> Snippet:
    if not _has_only(releases, "gaussian", "sampled"):
        return Snippet(OPACUS, "", "It accounts for Gaussian noise and steps of DP-SGD only.")
    steps = ((*release.numbers, 1.0)[:2] for release in releases)  # Gaussian noise is a step with all records
    history = ", ".join(
        f"({', '.join(map(number, step))}, {release.count})" for step, release in zip(steps, releases, strict=True)
    )
    code = _opacus_code(f"[{history}]", delta)
    return Snippet(OPACUS, code, _OPACUS_NOTE, min_ratio=LOWEST_RATIO, max_ratio=math.inf)


_OPACUS_NOTE = (
    "First by RDP, looser; then by PRV: an upper bound from a numerical composition with an error of 0.01 in ε."
)


def _opacus_code(history: str, delta: float) -> str:
    return program(
        "from opacus.accountants import PRVAccountant, RDPAccountant",
        "",
        "for accountant in (RDPAccountant(), PRVAccountant()):",
        f"    accountant.history = {history}",
        f"    print(accountant.get_epsilon(delta={number(delta)}))",
    )


def training_snippets(noise: float, rate: float, steps: int, delta: float, expected: float) -> tuple[Snippet, ...]:
    """Return the ε of DP-SGD with Poisson batches in each library; `expected` is that of the page."""
    limits = (
        Limit("noise", noise, 0.5, 10),
        Limit("the sampling rate", rate, 0.001, 1),
        Limit("steps", steps, 1, 20000),
        Limit("δ", delta, 1e-8, 1e-3),
        Limit("ε", expected, 0.1, 20),
    )
    pld = program(
        "import dp_accounting as dpa",
        "",
        f"step = dpa.PoissonSampledDpEvent({number(rate)}, dpa.GaussianDpEvent({number(noise)}))",
        "for accountant in (dpa.rdp.RdpAccountant(), dpa.pld.PLDAccountant()):",
        f"    accountant.compose(step, {steps})",
        f"    print(accountant.get_epsilon({number(delta)}))",
    )
    note = "First by RDP, looser; then by the privacy loss distribution. Poisson batches, add/remove-one neighbours."
    ratios = (expected, expected), LOWEST_RATIO, math.inf
    google = Snippet(DP_ACCOUNTING, pld, note, *ratios)
    code = _opacus_code(f"[({number(noise)}, {number(rate)}, {steps})]", delta)
    opacus = Snippet(OPACUS, code, f"{_OPACUS_NOTE} {_GDP_UNSAFE}", *ratios)
    return *unavailable(_NO_DP_SGD), within(google, *limits), within(opacus, *limits)


def unamplified_snippets(noise: float, uses: int, delta: float, expected: float) -> tuple[Snippet, ...]:
    """Return ε of batches in turn: of Gaussian noise that is released as often as a record is used."""
    snippets = list_snippets((gaussian_release(noise, uses),), delta, expected)
    warning = "ε without amplification: the ε of Poisson batches is not that of these. "
    return tuple(replace(snippet, note=f"{warning}{snippet.note}") if snippet.code else snippet for snippet in snippets)
