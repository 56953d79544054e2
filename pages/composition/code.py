"""The answer of the open section, with dpcore; `peers` has it with other libraries."""

import math

from dpcore import composition
from dpcore.composition import Release
from pages.composition import other_libraries
from pages.composition.batch_sampling.results import Batching, batching
from pages.composition.dp_sgd.results import Training, training
from pages.composition.privacy_profile import results as profile
from pages.composition.published import results as published
from pages.composition.releases import Releases
from pages.composition.results import CompositionResult
from pages.composition.total_epsilon.results import ACCOUNTANT_OF, whole
from pages.framework.layout.code_panel import Snippet, number, program
from pages.shared.libraries import DPCORE

_A_LINE = 5  # lines of the list that a program has, of however many releases
_CLOSE = 1e-4  # the excess that a certified ε is asked for
_HOW = {
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
        return _list(result, result.setting.accountant if section == "together" else "exact")
    return made[section](result) if section in made else ()


def _list(result: CompositionResult, accountant: str) -> tuple[Snippet, ...]:
    """ε of the list by an accountant."""
    releases, delta, name = whole(result), result.setting.delta, ACCOUNTANT_OF[accountant]
    bound = composition.epsilon(releases, delta, name)
    if math.isinf(bound.value):
        return ()
    code = program(*_written(releases), f"delta = {number(delta)}", _epsilon(name))
    own = Snippet(DPCORE, code, f"ε. {_HOW[str(bound.accountant)]}", (float(bound.value),))
    return own, *other_libraries.of_list(releases, delta, float(composition.epsilon(releases, delta).value))


def _epsilon(accountant: str) -> str:
    """The line that prints the ε of a list by an accountant."""
    named = "" if accountant == "best" else f', "{accountant}"'
    return f"print(composition.epsilon(releases, delta{named}).value)"


def _written(releases: Releases) -> list[str]:
    """The list of releases as lines of a program."""
    made = [_one(each) for each in releases]
    each_line = math.ceil(len(made) / _A_LINE)
    rows = [", ".join(made[start : start + each_line]) for start in range(0, len(made), each_line)]
    return ["from dpcore import composition", "", "releases = [", *(f"    {row}," for row in rows), "]"]


def _one(release: Release) -> str:
    numbers = ", ".join(number(each) for each in release.numbers)
    return f"composition.{release.kind}_release({numbers}, count={release.count})"


def _profile(result: CompositionResult) -> tuple[Snippet, ...]:
    """δ at ε, and ε at δ."""
    releases, setting = whole(result), result.setting
    here, bound = profile.point(result), composition.epsilon(whole(result), result.setting.delta)
    if math.isinf(bound.value):
        return ()
    code = program(
        *_written(releases),
        f"epsilon, delta = {number(setting.epsilon)}, {number(setting.delta)}",
        "print(composition.delta(releases, epsilon).value)",
        _epsilon("best"),
    )
    own = Snippet(DPCORE, code, f"δ at ε, and ε at δ. {_HOW[str(bound.accountant)]}", (here.delta, here.epsilon))
    return own, *other_libraries.of_list(releases, setting.delta, here.epsilon)


def _training(result: CompositionResult) -> tuple[Snippet, ...]:
    now = training(result)
    if not now.kept or math.isinf(now.epsilon):
        return ()
    if now.solve == "epsilon":
        return _poisson(now, now.epsilon)
    return _solved(now), *other_libraries.of_training(now.noise, now.rate, now.steps, now.delta, now.epsilon)


def _poisson(now: Training | Batching, epsilon: float) -> tuple[Snippet, ...]:
    """ε of DP-SGD with Poisson batches; none where it has none."""
    if math.isinf(epsilon):
        return ()
    code = program(
        "from dpcore import composition",
        "",
        f"delta, noise, epochs = {number(now.delta)}, {number(now.noise)}, {number(now.epochs)}",
        f"records, batch = {number(now.records)}, {number(now.batch)}",
        "steps = composition.steps_of_epochs(epochs, records, batch)",
        "releases = [composition.sampled_release(noise, batch / records, int(steps))]",
        f"certified = composition.certified_epsilon(releases, delta, {_CLOSE}).bound",
        "print(min(certified, composition.rdp_epsilon(releases, delta).value))",
    )
    own = Snippet(DPCORE, code, "ε, certified: Poisson batches, add or remove one record.", (epsilon,))
    return own, *other_libraries.of_training(now.noise, now.rate, now.steps, now.delta, epsilon)


def _solved(now: Training) -> Snippet:
    """What was left open, and the ε that it keeps."""
    target = f"{number(now.target)}, {number(now.delta)}"
    rate = f"{number(now.batch)} / {number(now.records)}"
    line, value, what = {
        "noise": (f"dp_sgd_noise_multiplier({target}, {rate}, {now.steps})", now.noise, "The noise multiplier"),
        "steps": (f"dp_sgd_steps({target}, {number(now.noise)}, {rate})", now.steps, "How many steps it lasts"),
        "rate": (
            f"dp_sgd_batch({target}, {number(now.noise)}, {number(now.epochs)}, {number(now.records)})",
            now.batch,
            "The largest expected batch",
        ),
    }[now.solve]
    code = program("from dpcore import composition", "", f"print(composition.{line})")
    return Snippet(DPCORE, code, f"{what}, certified.", (float(value),))


def _batching(result: CompositionResult) -> tuple[Snippet, ...]:
    now = batching(result)
    if now.loader == "poisson":
        return _poisson(now, now.poisson)
    lines = [
        "from dpcore import composition",
        "",
        f"delta, noise, uses = {number(now.delta)}, {number(now.noise)}, {now.uses}",
        "print(composition.unamplified_epsilon(delta, noise, uses))",
    ]
    values, note = [now.at_most], "ε without amplification, which a fixed order has."
    if now.loader != "fixed" and now.whole and now.at_least > 0:
        asked = f"delta, noise, {now.batches}, {now.whole}"
        lines.append(f"print(composition.shuffled_batches_epsilon_at_least({asked}))")
        values.append(now.at_least)
        note = "ε without amplification, the most that shuffled batches cost, and the least that they do."
    return Snippet(DPCORE, program(*lines), note, tuple(values)), *other_libraries.of_turns(
        now.noise, now.uses, now.delta, now.at_most
    )


def _published(result: CompositionResult) -> tuple[Snippet, ...]:
    """ε today of what is published with its noise, and how many of all promises are at most the page's ε."""
    rows, epsilon = published.restated(result), result.setting.epsilon
    of_rho, trained, alone = ([row for row in rows if row.deployment.kind == kind] for kind in _PUBLISHED)
    of_steps = [row for row in trained if row.deployment.is_covered]
    shuffled = [row for row in trained if not row.deployment.is_covered]
    noises, _, epochs = (list(each) for each in zip(*(row.deployment.turns for row in shuffled), strict=True))
    at = [row.delta for row in shuffled]
    others = ", ".join(number(row.proved) for row in alone if not math.isnan(row.proved))
    code = program(
        "from dpcore import composition",
        "",
        *other_libraries.written(of_rho, of_steps),
        "today = [*composition.epsilon_from_rho(rho, delta), "
        f"*composition.unamplified_epsilon({at}, {noises}, {epochs})]",
        "for *step, at in trainings:",
        "    releases = [composition.sampled_release(*step)]",
        "    rdp = composition.rdp_epsilon(releases, at).value",
        f"    today.append(min(rdp, composition.certified_epsilon(releases, at, {_CLOSE}).bound))",
        "print(*today)",
        f"print(sum(each <= {number(epsilon)} for each in [*today, {others}]))",
    )
    values = *(row.proved for row in (*of_rho, *shuffled, *of_steps)), float(published.at_most(rows, epsilon))
    note = (
        f"ε today of the {len(of_rho)} promises with a ρ, then of DP-SGD on shuffled batches ({len(shuffled)}, without "
        f"amplification) and on Poisson batches ({len(of_steps)}), each in the order of the table, and how many of all "
        "promises are at most your ε."
    )
    return Snippet(DPCORE, code, note, values), *other_libraries.of_published(of_rho, of_steps)
