"""What can be checked: the answers in lines of code, and the guarantees of a list that "Verify" proves."""

import math
from collections.abc import Sequence

from dpcore import composition, verify
from dpcore.checks import interval_bounds
from dpcore.composition import Release
from pages.composition import other_libraries
from pages.composition.dp_sgd.results import Training, TrainingNumbers
from pages.composition.published.results import Restatement, restatements_at
from pages.composition.results import DPCORE_ACCOUNTANTS, CompositionResult, all_releases
from pages.framework.layout.panels import Limit, list_lines, number, program, unavailable, within
from pages.framework.layout.section import Claim, Snippet
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP, OPENDP_SPACE
from pages.shared.releases import Releases

_MAX_LINES = 5  # lines of code for the list, whatever its number of releases
METHODS = {
    "exact": "By the exact integral, plus twice its estimated error.",
    "certified": "Certified by the distribution of the losses, or by RDP where that is smaller.",
    "rdp": "By RDP.",
    "zcdp": "By zCDP.",
    "basic": "By basic composition of releases.",
    "basic_of_lines": "By basic composition of the lines, each of which is composed exactly.",
    "kairouz_optimal": "By the binomial distribution of the losses of the (ε, δ) releases.",
}


def list_snippets(result: CompositionResult, accountant: str) -> tuple[Snippet, ...]:
    """Return ε of the list by an accountant; nothing where it has none."""
    releases, delta, name = all_releases(result), result.setting.delta, DPCORE_ACCOUNTANTS[accountant]
    bound = composition.epsilon(releases, delta, name)
    if math.isinf(bound.value):
        return ()
    code = program(*releases_lines(releases), f"delta = {number(delta)}", epsilon_line(name))
    snippet = Snippet(DPCORE, code, f"ε. {METHODS[str(bound.accountant)]}", (float(bound.value),))
    return snippet, *other_libraries.list_snippets(releases, delta, float(composition.epsilon(releases, delta).value))


def epsilon_line(accountant: str) -> str:
    """Return the line that prints the ε of a list by an accountant."""
    argument = "" if accountant == "best" else f', "{accountant}"'
    return f"print(composition.epsilon(releases, delta{argument}).value)"


def releases_lines(releases: Releases) -> list[str]:
    """Return the list of releases as lines of a program."""
    calls = [_release_text(release) for release in releases]
    return ["from dpcore import composition", "", *list_lines("releases", calls, _MAX_LINES)]


def _release_text(release: Release) -> str:
    numbers = ", ".join(number(value) for value in release.numbers)
    return f"composition.{release.kind}_release({numbers}, count={release.count})"


EXCESS = 1e-4  # the largest excess of a certified ε


def training_snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return the certified ε of the training, or the number that is solved for; nothing where there is none."""
    training = result.training
    if not training.is_solved or math.isinf(training.epsilon):
        return ()
    if training.solve == "epsilon":
        return poisson_snippets(training, training.epsilon)
    return _inverse_snippet(training), *other_libraries.training_snippets(
        training.noise, training.rate, training.steps, training.delta, training.epsilon
    )


def poisson_snippets(training: TrainingNumbers, epsilon: float) -> tuple[Snippet, ...]:
    """Return ε of DP-SGD with Poisson batches; nothing where it has none."""
    if math.isinf(epsilon):
        return ()
    code = program(
        "from dpcore import composition",
        "",
        f"delta, noise, epochs = {number(training.delta)}, {number(training.noise)}, {number(training.epochs)}",
        f"records, batch = {number(training.records)}, {number(training.batch)}",
        "steps = composition.steps_of_epochs(epochs, records, batch)",
        "releases = [composition.sampled_release(noise, batch / records, int(steps))]",
        f"certified = composition.certified_epsilon(releases, delta, {EXCESS}).value",
        "print(min(certified, composition.rdp_epsilon(releases, delta).value))",
    )
    snippet = Snippet(DPCORE, code, "Certified ε, for Poisson batches and add/remove-one neighbours.", (epsilon,))
    return snippet, *other_libraries.training_snippets(
        training.noise, training.rate, training.steps, training.delta, epsilon
    )


def _inverse_snippet(training: Training) -> Snippet:
    """Return the number that is solved for, with dpcore."""
    target = f"{number(training.target)}, {number(training.delta)}"
    rate = f"{number(training.batch)} / {number(training.records)}"
    noise, epochs, records = map(number, (training.noise, training.epochs, training.records))
    line, value, note = {
        "noise": (f"noise_multiplier({target}, {rate}, {training.steps})", training.noise, "The noise multiplier"),
        "steps": (f"steps({target}, {noise}, {rate})", training.steps, "The largest number of steps"),
        "rate": (f"batch({target}, {noise}, {epochs}, {records})", training.batch, "The largest expected batch size"),
    }[training.solve]
    code = program("from dpcore import composition", "", f"print(composition.dp_sgd_{line})")
    return Snippet(DPCORE, code, f"{note}, certified.", (float(value),))


def restatement_snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return ε today of what is published with its noise."""
    rows = restatements_at(result)
    of_rho, trained = ([row for row in rows if row.deployment.kind == kind] for kind in ("zcdp", "sampled"))
    of_steps = [row for row in trained if row.deployment.is_covered]
    shuffled = [row for row in trained if not row.deployment.is_covered]
    noises, _, epochs = map(list, zip(*(row.deployment.shuffled_training for row in shuffled), strict=True))
    deltas = [row.delta for row in shuffled]
    code = program(
        "from dpcore import composition",
        "",
        *_published_lines(of_rho, of_steps),
        "today = [*composition.epsilon_from_rho(delta, rho), "
        f"*composition.unamplified_epsilon({deltas}, {noises}, {epochs})]",
        "for *step, at in trainings:",
        "    releases = [composition.sampled_release(*step)]",
        "    rdp = composition.rdp_epsilon(releases, at).value",
        f"    today.append(min(rdp, composition.certified_epsilon(releases, at, {EXCESS}).value))",
        "print(*today)",
    )
    values = tuple(row.proved for row in (*of_rho, *shuffled, *of_steps))
    note = (
        f"ε today of the {len(of_rho)} guarantees with a ρ, then of DP-SGD with shuffled batches ({len(shuffled)}, "
        f"without amplification) and with Poisson batches ({len(of_steps)}), each in the order of the table."
    )
    return Snippet(DPCORE, code, note, values), *_published_snippets(of_rho, of_steps)


def _published_lines(of_rho: Sequence[Restatement], of_steps: Sequence[Restatement]) -> tuple[str, str, str]:
    """Return what is published with its noise as lines of code: every ρ, the δ of each, and the trainings."""
    steps = [(row.deployment.releases[0], row.delta) for row in of_steps]
    trainings = [(*step.numbers, step.count, delta) for step, delta in steps]
    rho, delta = [row.deployment.releases[0].numbers[0] for row in of_rho], [row.delta for row in of_rho]
    return f"rho = {rho}", f"delta = {delta}", f"trainings = {trainings}"


def _published_snippets(of_rho: Sequence[Restatement], of_steps: Sequence[Restatement]) -> tuple[Snippet, ...]:
    """Return the ε of what is published with its noise in each library, as far as it takes a ρ or DP-SGD."""
    rho, delta, trainings = _published_lines(of_rho, of_steps)
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
    least, by_prv = other_libraries.LOWEST_RATIO, "ε of DP-SGD, by PRV; it does not take a ρ."
    alone = "ε for each ρ; it has no accountant for DP-SGD."
    snippets = (
        Snippet(OPENDP, opendp, alone, expected[0], 1 - 1e-9, 1 + 1e-9),
        Snippet(DP_ACCOUNTING, google, note, (*expected[0], *expected[1]), least, 1.001),
        Snippet(OPACUS, opacus, by_prv, expected[1], least, 1.03),
    )
    none = unavailable({DIFFPRIVLIB: "It composes (ε, δ) guarantees only: neither ρ nor DP-SGD."})
    return *(within(snippet, limit) for snippet in snippets), *none


_RENYI = {"gaussian", "laplace", "guarantee", "zcdp"}
_MAX_RHO = interval_bounds(composition.RHO_RANGE)[1]
_LARGE_RHO = "ρ above 1e6 is not checked: it leaves hardly any privacy."
_NO_RDP = "The Rényi divergences of some lines have no closed formula."


def accountant_claim(accountant: str, releases: Releases, epsilon: float, delta: float) -> Claim:
    """Return the guarantee that releases satisfy the ε by an accountant, rounded as on the page."""
    epsilon_entry, delta_entry = format_up(epsilon), format_input_up(delta)
    if math.isinf(epsilon):
        return Claim(f"ε at δ = {delta_entry} by this accountant", reason="This accountant has no ε here.")
    if accountant == "exact":
        return exact_claim(releases, epsilon_entry, delta_entry)
    if accountant == "basic" or epsilon >= guarantee_claims.sum_of_epsilons(releases):
        subject = f"δ({epsilon_entry}) of the releases by basic composition"
        return guarantee_claims.basic_claim(subject, releases, epsilon_entry, delta_entry)
    return _renyi_claim(accountant, releases, epsilon_entry, delta_entry)


def exact_claim(releases: Releases, epsilon: str, delta: str) -> Claim:
    """Return the guarantee by the exact δ."""
    return guarantee_claims.exact_claim(f"δ({epsilon}) of the releases together", releases, epsilon, delta)


def _renyi_claim(accountant: str, releases: Releases, epsilon: str, delta: str) -> Claim:
    """Return the guarantee by Rényi divergences at the best order of the accountant; any order gives a bound."""
    subject = f"δ({epsilon}) of the releases by RDP"
    parts, accounted = guarantee_claims.claim_parts(releases), _without_deltas(releases)
    if accountant == "zcdp":
        rho = composition.rho(accounted)
        subject = f"δ({epsilon}) of the releases by zCDP with ρ = {exact_text(rho)}"
        if rho > _MAX_RHO:
            return Claim(subject, reason=_LARGE_RHO)
        accounted = (composition.zcdp_release(rho),)
        zero, of_rho = guarantee_claims.number("0"), guarantee_claims.number(exact_text(rho))
        broken = [(release.numbers[1], release.count) for release in releases if release.kind == "guarantee"]
        failures = [("guarantee", (zero, guarantee_claims.number(exact_text(delta))), n) for delta, n in broken]
        parts = [*failures, ("zcdp", (of_rho,), 1)]
    elif not {release.kind for release in releases} <= _RENYI:
        return Claim(subject, reason=_NO_RDP)
    order = float(composition.rdp_epsilon(accounted, float(guarantee_claims.number(delta))).order)
    arguments = {"epsilon": guarantee_claims.number(epsilon), "order": order, "parts": parts}
    return Claim(f"{subject} at order {order:.6g}", guarantee_claims.number(delta), verify.renyi_delta, arguments)


def _without_deltas(releases: Releases) -> Releases:
    """Return the releases with δ = 0 in all their (ε, δ) guarantees."""
    return tuple(
        composition.guarantee_release(release.numbers[0], 0.0, release.count)
        if release.kind == "guarantee"
        else release
        for release in releases
    )
