"""The answer of the open section, with dpcore; `peers` has it with other libraries."""

import math

from dpcore import composition
from dpcore.composition import Release
from pages.composition import accounts, peers, profile, published
from pages.composition.accounts import Releases
from pages.composition.batching import Batching, batching
from pages.composition.found import Found
from pages.composition.together import whole
from pages.composition.training import Training, training
from pages.shared.code import DPCORE, Snippet, number, program

_A_LINE = 5  # lines of the list that a program has, of however many releases
_CLOSE = 1e-4  # the excess that a certified ε is asked for
_HOW = {
    "contour": "By the exact integral, with twice its error on top.",
    "certified": "Certified by the distribution of the losses.",
    "rdp": "By RDP.",
    "zcdp": "By zCDP.",
    "basic": "Added up.",
}
_PUBLISHED = ("zcdp", "sampled", "promise")


def snippets(found: Found) -> tuple[Snippet, ...]:
    """The answer of the open section; none where it has none."""
    section = found.values["section"]
    made = {"training": _training, "batching": _batching, "profile": _profile, "published": _published}
    if section in ("together", "accountants"):
        return _list(found, found.setting.accountant if section == "together" else "exact")
    return made[section](found) if section in made else ()


def _list(found: Found, accountant: str) -> tuple[Snippet, ...]:
    """ε of the list by an accountant."""
    releases, delta = whole(found), found.setting.delta
    value = accounts.total(accountant, releases, delta)
    by = _found_by(accountant, releases, delta, value)
    if math.isinf(value) or not by:
        return ()
    code = program(*_written(releases), f"delta = {number(delta)}", *_lines(by, releases))
    own = Snippet(DPCORE, code, f"ε. {_HOW[by]}", (value,))
    return own, *peers.of_list(releases, delta, accounts.exact(releases, delta))


def _found_by(accountant: str, releases: Releases, delta: float, value: float) -> str:
    """What the ε of a list comes from; "" where it is none of the formulas of a program."""
    if accountant == "basic":  # whose δ is shared by the lines that need some of it: not a matter of a few lines
        return accountant if all(each.kind in accounts.PURE for each in releases) else ""
    if accountant != "exact":
        return accountant
    found = {"rdp": accounts.rdp, "zcdp": accounts.zcdp}
    if accounts.is_smooth(releases) and accounts.has_losses(releases):
        found = {"contour": accounts.by_contour} | found
    by = next((key for key, total in found.items() if total(releases, delta) == value), "")
    if by or not accounts.has_losses(releases):
        return by
    return "certified" if accounts.certified(releases, delta, _excess(releases))[0] == value else ""


def _excess(releases: Releases) -> float:
    """The excess that a certified ε of the page is asked for."""
    return 2e-3 if accounts.is_broad(releases) else _CLOSE


_EPSILON = {
    "contour": (
        "found = composition.exact_epsilon(releases, delta)",
        "print(found.value + 2 * found.error)",
    ),
    "certified": ("print(composition.certified_epsilon(releases, delta, {0}).bound)",),
    "rdp": ("print(composition.rdp_epsilon(releases, delta).value)",),
    "zcdp": ("print(composition.zcdp_epsilon(releases, delta))",),
    "basic": (
        "epsilon, count = [each.numbers[0] for each in releases], [each.count for each in releases]",
        "print(composition.basic_epsilon(epsilon, count))",
    ),
}


def _lines(by: str, releases: Releases) -> list[str]:
    return [line.format(_excess(releases)) for line in _EPSILON[by]]


def _written(releases: Releases) -> list[str]:
    """The list of releases as lines of a program."""
    made = [_one(each) for each in releases]
    each_line = math.ceil(len(made) / _A_LINE)
    rows = [", ".join(made[start : start + each_line]) for start in range(0, len(made), each_line)]
    return ["from dpcore import composition", "", "releases = [", *(f"    {row}," for row in rows), "]"]


def _one(release: Release) -> str:
    numbers = ", ".join(number(each) for each in release.numbers)
    return f"composition.{release.kind}_release({numbers}, count={release.count})"


def _profile(found: Found) -> tuple[Snippet, ...]:
    """δ at ε, and ε at δ."""
    releases, now = whole(found), found.setting
    here = profile.point(found)
    by, how = _found_by("exact", releases, now.delta, here.epsilon), _delta_by(releases, now.epsilon, here.delta)
    if not by or not how:
        return ()
    code = program(
        *_written(releases),
        f"epsilon, delta = {number(now.epsilon)}, {number(now.delta)}",
        *_DELTA[how],
        *_lines(by, releases),
    )
    own = Snippet(DPCORE, code, f"δ at ε, and ε at δ. {_HOW[by]}", (here.delta, here.epsilon))
    return own, *peers.of_list(releases, now.delta, here.epsilon)


_DELTA = {
    "contour": ("found = composition.exact_delta(releases, epsilon)", "print(found.value + 2 * found.error)"),
    "rdp": ("print(composition.rdp_delta(releases, epsilon).value)",),
    "certified": ("print(composition.certified_delta(releases, epsilon, 0.01).bound)",),
}


def _delta_by(releases: Releases, epsilon: float, delta: float) -> str:
    """What the δ of a list comes from; "" where it is none of the formulas of a program."""
    if float(composition.rdp_delta(releases, epsilon).value) == delta:
        return "rdp"
    if not accounts.has_losses(releases):
        return ""
    found = composition.exact_delta(releases, epsilon) if accounts.may_converge(releases) else None
    if found is not None and math.isclose(float(found.value + 2 * found.error), delta, rel_tol=1e-12):
        return "contour"
    certified = composition.certified_delta(releases, epsilon, 0.01).bound
    return "certified" if float(certified) == delta else ""


def _training(found: Found) -> tuple[Snippet, ...]:
    now = training(found)
    if not now.kept or math.isinf(now.epsilon):
        return ()
    if now.solve == "epsilon":
        return _poisson(now, now.epsilon)
    return _solved(now), *peers.of_training(now.noise, now.rate, now.steps, now.delta, now.epsilon)


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
    return own, *peers.of_training(now.noise, now.rate, now.steps, now.delta, epsilon)


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


def _batching(found: Found) -> tuple[Snippet, ...]:
    now = batching(found)
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
    return Snippet(DPCORE, program(*lines), note, tuple(values)), *peers.of_turns(
        now.noise, now.uses, now.delta, now.at_most
    )


def _published(found: Found) -> tuple[Snippet, ...]:
    """ε today of what is published with its noise, and how many of all promises are at most the page's ε."""
    rows, epsilon = published.restated(found), found.setting.epsilon
    of_rho, trained, alone = ([row for row in rows if row.deployment.kind == kind] for kind in _PUBLISHED)
    of_steps = [row for row in trained if row.deployment.is_covered]
    shuffled = [row for row in trained if not row.deployment.is_covered]
    noises, _, epochs = (list(each) for each in zip(*(row.deployment.turns for row in shuffled), strict=True))
    at = [row.delta for row in shuffled]
    others = ", ".join(number(row.proved) for row in alone if not math.isnan(row.proved))
    code = program(
        "from dpcore import composition",
        "",
        *peers.written(of_rho, of_steps),
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
    return Snippet(DPCORE, code, note, values), *peers.of_published(of_rho, of_steps)
