"""The answer of the open section, with dpcore; `peers` has it with other libraries."""

import math

from dpcore import composition
from dpcore.composition import Release
from pages.composition import other_libraries
from pages.composition.batch_sampling.results import Batching, batching_at
from pages.composition.dp_sgd.results import Training, training_at
from pages.composition.privacy_profile import results as profile
from pages.composition.published import results as published
from pages.composition.releases import Releases
from pages.composition.results import CompositionResult
from pages.composition.total_epsilon.results import DPCORE_ACCOUNTANTS, all_releases
from pages.framework.layout.code_panel import Snippet, number, program
from pages.shared.libraries import DPCORE

_MAX_LINES = 5  # lines of the list that a program has, of however many releases
EXCESS = 1e-4  # the excess that a certified ε is asked for
METHODS = {
    "exact": "By the exact integral, with twice its error on top.",
    "certified": "Certified by the distribution of the losses, or by RDP where that is less.",
    "rdp": "By RDP.",
    "zcdp": "By zCDP.",
    "basic": "By basic composition of releases.",
    "basic_of_lines": "By basic composition of lines, each of which is composed exactly.",
    "kairouz_optimal": "By the binomial distribution of the losses of promises.",
}
_PUBLISHED = ("zcdp", "sampled", "promise")


def snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """The answer of the open section; none where it has none."""
    section = result.section
    made = {"training": _training, "batching": _batching, "profile": _profile, "published": _published}
    if section in ("together", "accountants"):
        return list_snippets(result, result.setting.accountant if section == "together" else "exact")
    return made[section](result) if section in made else ()


def list_snippets(result: CompositionResult, accountant: str) -> tuple[Snippet, ...]:
    """ε of the list by an accountant."""
    releases, delta, name = all_releases(result), result.setting.delta, DPCORE_ACCOUNTANTS[accountant]
    bound = composition.epsilon(releases, delta, name)
    if math.isinf(bound.value):
        return ()
    code = program(*releases_lines(releases), f"delta = {number(delta)}", epsilon_line(name))
    own = Snippet(DPCORE, code, f"ε. {METHODS[str(bound.accountant)]}", (float(bound.value),))
    return own, *other_libraries.list_snippets(releases, delta, float(composition.epsilon(releases, delta).value))


def epsilon_line(accountant: str) -> str:
    """The line that prints the ε of a list by an accountant."""
    named = "" if accountant == "best" else f', "{accountant}"'
    return f"print(composition.epsilon(releases, delta{named}).value)"


def releases_lines(releases: Releases) -> list[str]:
    """The list of releases as lines of a program."""
    calls = [_release_text(release) for release in releases]
    per_line = math.ceil(len(calls) / _MAX_LINES)
    rows = [", ".join(calls[start : start + per_line]) for start in range(0, len(calls), per_line)]
    return ["from dpcore import composition", "", "releases = [", *(f"    {row}," for row in rows), "]"]


def _release_text(release: Release) -> str:
    numbers = ", ".join(number(value) for value in release.numbers)
    return f"composition.{release.kind}_release({numbers}, count={release.count})"


def _profile(result: CompositionResult) -> tuple[Snippet, ...]:
    """δ at ε, and ε at δ."""
    releases, setting = all_releases(result), result.setting
    points, bound = profile.points_at(result), composition.epsilon(all_releases(result), result.setting.delta)
    if math.isinf(bound.value):
        return ()
    code = program(
        *releases_lines(releases),
        f"epsilon, delta = {number(setting.epsilon)}, {number(setting.delta)}",
        "print(composition.delta(releases, epsilon).value)",
        epsilon_line("best"),
    )
    own = Snippet(DPCORE, code, f"δ at ε, and ε at δ. {METHODS[str(bound.accountant)]}", (points.delta, points.epsilon))
    return own, *other_libraries.list_snippets(releases, setting.delta, points.epsilon)


def _training(result: CompositionResult) -> tuple[Snippet, ...]:
    training = training_at(result)
    if not training.is_solved or math.isinf(training.epsilon):
        return ()
    if training.solve == "epsilon":
        return poisson_snippets(training, training.epsilon)
    return _inverse_snippet(training), *other_libraries.training_snippets(
        training.noise, training.rate, training.steps, training.delta, training.epsilon
    )


def poisson_snippets(training: Training | Batching, epsilon: float) -> tuple[Snippet, ...]:
    """ε of DP-SGD with Poisson batches; none where it has none."""
    if math.isinf(epsilon):
        return ()
    code = program(
        "from dpcore import composition",
        "",
        f"delta, noise, epochs = {number(training.delta)}, {number(training.noise)}, {number(training.epochs)}",
        f"records, batch = {number(training.records)}, {number(training.batch)}",
        "steps = composition.steps_of_epochs(epochs, records, batch)",
        "releases = [composition.sampled_release(noise, batch / records, int(steps))]",
        f"certified = composition.certified_epsilon(releases, delta, {EXCESS}).bound",
        "print(min(certified, composition.rdp_epsilon(releases, delta).value))",
    )
    own = Snippet(DPCORE, code, "ε, certified: Poisson batches, add or remove one record.", (epsilon,))
    return own, *other_libraries.training_snippets(
        training.noise, training.rate, training.steps, training.delta, epsilon
    )


def _inverse_snippet(training: Training) -> Snippet:
    """What was left open, and the ε that it keeps."""
    target = f"{number(training.target)}, {number(training.delta)}"
    rate = f"{number(training.batch)} / {number(training.records)}"
    line, value, what = {
        "noise": (
            f"dp_sgd_noise_multiplier({target}, {rate}, {training.steps})",
            training.noise,
            "The noise multiplier",
        ),
        "steps": (
            f"dp_sgd_steps({target}, {number(training.noise)}, {rate})",
            training.steps,
            "How many steps it lasts",
        ),
        "rate": (
            f"dp_sgd_batch({target}, {number(training.noise)}, {number(training.epochs)}, {number(training.records)})",
            training.batch,
            "The largest expected batch",
        ),
    }[training.solve]
    code = program("from dpcore import composition", "", f"print(composition.{line})")
    return Snippet(DPCORE, code, f"{what}, certified.", (float(value),))


def _batching(result: CompositionResult) -> tuple[Snippet, ...]:
    batching = batching_at(result)
    if batching.loader == "poisson":
        return poisson_snippets(batching, batching.poisson)
    lines = [
        "from dpcore import composition",
        "",
        f"delta, noise, uses = {number(batching.delta)}, {number(batching.noise)}, {batching.uses}",
        "print(composition.unamplified_epsilon(delta, noise, uses))",
    ]
    values, note = [batching.at_most], "ε without amplification, which a fixed order has."
    if batching.loader != "fixed" and batching.complete_epochs and batching.at_least > 0:
        arguments = f"delta, noise, {batching.batches}, {batching.complete_epochs}"
        lines.append(f"print(composition.shuffled_batches_epsilon_at_least({arguments}))")
        values.append(batching.at_least)
        note = "ε without amplification, the most that shuffled batches cost, and the least that they do."
    return Snippet(DPCORE, program(*lines), note, tuple(values)), *other_libraries.unamplified_snippets(
        batching.noise, batching.uses, batching.delta, batching.at_most
    )


def _published(result: CompositionResult) -> tuple[Snippet, ...]:
    """ε today of what is published with its noise, and how many of all promises are at most the page's ε."""
    rows, epsilon = published.restatements_at(result), result.setting.epsilon
    of_rho, trained, alone = ([row for row in rows if row.deployment.kind == kind] for kind in _PUBLISHED)
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
        *other_libraries.published_lines(of_rho, of_steps),
        "today = [*composition.epsilon_from_rho(delta, rho), "
        f"*composition.unamplified_epsilon({deltas}, {noises}, {epochs})]",
        "for *step, at in trainings:",
        "    releases = [composition.sampled_release(*step)]",
        "    rdp = composition.rdp_epsilon(releases, at).value",
        f"    today.append(min(rdp, composition.certified_epsilon(releases, at, {EXCESS}).bound))",
        "print(*today)",
        f"print(sum(each <= {number(epsilon)} for each in [*today, {guarantees}]))",
    )
    values = *(row.proved for row in (*of_rho, *shuffled, *of_steps)), float(published.count_at_most(rows, epsilon))
    note = (
        f"ε today of the {len(of_rho)} promises with a ρ, then of DP-SGD on shuffled batches ({len(shuffled)}, without "
        f"amplification) and on Poisson batches ({len(of_steps)}), each in the order of the table, and how many of all "
        "promises are at most your ε."
    )
    return Snippet(DPCORE, code, note, values), *other_libraries.published_snippets(of_rho, of_steps)
