"""Step 3 of the program of a release: noise by OpenDP’s exact samplers, in one composition."""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from pages.shared.release_program.steps.check import MOST_OWN, OWN, ReleaseError, opendp_module, shown
from pages.shared.release_program.steps.choose import chosen, rate_of
from pages.shared.release_program.steps.limit import MARGIN, step_of
from pages.shared.release_program.steps.series import rounding_of

ROUNDING = 1e-9  # a relative difference that counts as none
ULP = 2.0**-52  # OpenDP’s δ of a threshold is rounded up by as much for each group
OPENDP = "OpenDP"
_DRAWN = "an exact draw of this program, which is not OpenDP’s"
_NAMED = "OpenDP’s exact noise on each count, of which this program names the largest, with a proof of its own"
_REDRAWN = "OpenDP’s exact noise, drawn again beyond ±N, with a threshold and a proof of this program"


Noisy = dict[str, int]
"""The noisy counts in steps of the groups that appear, by name."""


def is_truncated(statistic: dict[str, Any]) -> bool:
    """Return whether groups have noise that ends at ±N, of which OpenDP has no measurement."""
    return str(statistic["noise"]) == "truncated_geometric"


def limit_in_steps(statistic: dict[str, Any], growth: float) -> int:
    """Return what the noisy count of a group that appears must exceed, in steps.

    It grows with the noise, and a little more, so that the δ of OpenDP’s map, which is rounded up, is within that of
    the plan.
    """
    threshold, most = statistic["groups"]["threshold"], statistic["max_in_cell"]
    if is_truncated(statistic):
        return int(threshold) - 1
    return math.ceil((most + (threshold - most) * growth * (1 + MARGIN)) / step_of(statistic))


def threshold_delta(statistic: dict[str, Any], limit: int, scale: float) -> float:
    """Return how often any of the groups of a person appears in which nobody else is: the δ of the threshold.

    `scale` is that of Gaussian or Laplace noise, in steps.
    """
    beyond = (limit - statistic["max_in_cell"] / step_of(statistic)) / scale
    alone = math.exp(-beyond) / 2 if statistic["noise"] == "laplace" else math.erfc(beyond / math.sqrt(2)) / 2
    return -math.expm1(statistic["max_cells"] * math.log1p(-alone))


def above(noisy: Noisy, limit: int) -> Noisy:
    """Return the groups above a limit. OpenDP keeps those at its threshold too, whose δ its map leaves out."""
    return {name: number for name, number in noisy.items() if number > limit}


def space_of(opendp: Any, is_gaussian: bool) -> tuple[Any, Any]:
    """Return the domain of counts by name, and the distance of two of them."""
    metric = opendp.l02inf_distance if is_gaussian else opendp.l01inf_distance
    counts = opendp.map_domain(opendp.atom_domain(T=str), opendp.atom_domain(T="i64"))
    return counts, metric(opendp.absolute_distance(T="i64"))


def moved_in_steps(statistic: dict[str, Any], n_people: int, size: int) -> tuple[int, int, int]:
    """Return in how many groups people move a count, by how much in the norm of the noise, and in one group."""
    in_one = statistic["max_in_cell"] * round(1 / step_of(statistic))
    return n_people * statistic["max_cells"], n_people * size, n_people * in_one


def truncated_draws(opendp: Any, statistic: dict[str, Any]) -> Callable[[Noisy], Noisy]:
    """Return the release of groups with noise on −N … N: OpenDP’s, drawn again where it is beyond."""
    noise = opendp.m.make_laplace(opendp.atom_domain(T="i64"), opendp.absolute_distance(T="i64"), statistic["scale"])
    bound, limit = int(statistic["groups"]["bound"]), limit_in_steps(statistic, 1.0)

    def drawn() -> int:
        while abs(number := noise(0)) > bound:
            pass
        return int(number)

    return lambda counts: above({name: count + drawn() for name, count in counts.items()}, limit)


def truncated_delta(statistic: dict[str, Any], epsilon: float) -> float:
    """Return the δ of groups with noise on −N … N, by optimal composition of what one person moves.

    Each group is (c/s, δ₀)-DP, where δ₀ is the probability of the last c numbers up to N (Kairouz, Oh & Viswanath
    2015, for the composition). Where ε covers the losses of all records of a person together, there is only δ₀: that
    of as many groups with c records as the limit in all has room for, and one with the rest.

    Raises
    ------
    ReleaseError
        if a group in which a person is alone could appear with a count that tells.
    """
    groups, scale, k, c = statistic["groups"], statistic["scale"], statistic["max_cells"], statistic["max_in_cell"]
    bound = groups["bound"]
    if groups["threshold"] <= bound or bound < c:
        raise ReleaseError(f"The threshold of {shown(statistic['name'])} is below the noise of one person.")
    own, most = c / scale, statistic["max_in_all"]

    def broken_of(n_records: int) -> float:
        last = math.exp(-(bound - n_records + 1) / scale) * -math.expm1(-n_records / scale)
        return last / (1 + math.exp(-1 / scale) - 2 * math.exp(-(bound + 1) / scale))

    broken = broken_of(c)
    if most < k * c and most <= epsilon * scale:
        full, rest = divmod(most, c)
        return -math.expm1(full * math.log1p(-broken) + math.log1p(-broken_of(rest)))
    together = 0.0
    for n_against in range(k + 1):
        gap = epsilon - (k - 2 * n_against) * own
        if gap < 0:
            ways = math.lgamma(k + 1) - math.lgamma(n_against + 1) - math.lgamma(k - n_against + 1)
            mass = ways - n_against * own - k * math.log1p(math.exp(-own))
            together += math.exp(mass) * -math.expm1(gap)
    return -math.expm1(k * math.log1p(-broken)) * (1 - together) + together


@dataclass(frozen=True)
class Composition:
    """The noise of a run as one measurement of OpenDP, (ε, δ) of the whole plan by OpenDP’s map, and its share of it.

    The share is one of the plan’s ε where all noise has one without a δ, else of its ρ.
    """

    invoke: Callable[[dict[str, Any]], list[Any]]
    epsilon: float
    delta: float
    share: float = 1.0


def is_gaussian(statistic: dict[str, Any]) -> bool:
    """Return whether the noise of a statistic is Gaussian, on real or on whole numbers."""
    return str(statistic["noise"]).endswith("gaussian")


def sampler_of(statistic: dict[str, Any]) -> str:
    """Return who draws the noise of a statistic and states its privacy: OpenDP, or in part this program."""
    if statistic["choice"]:
        return _NAMED if statistic["noise"] == "report_noisy_max" else _DRAWN
    return _REDRAWN if statistic["kind"] == "groups" and is_truncated(statistic) else OPENDP


def sensitivity_in_steps(statistic: dict[str, Any]) -> float:
    """Return by how much one person can change a statistic in steps of its grid, in the norm of its noise."""
    size = planned_size(statistic) / step_of(statistic)
    size += statistic["kind"] == "mean"  # which is rounded to a step
    if statistic["kind"] == OWN:  # of which each is rounded to a step
        size += math.sqrt(MOST_OWN) if is_gaussian(statistic) else MOST_OWN
    if statistic["series"]:
        size += rounding_of(statistic["series"], statistic["max_in_all"], is_gaussian(statistic))
    if is_gaussian(statistic) and statistic["kind"] != "groups":
        return size
    is_number = statistic["whole"] and abs(size - round(size)) <= ROUNDING * size
    return round(size) if is_number else math.ceil(size)  # whole numbers move by one, but for the plan’s last bits


def planned_size(statistic: dict[str, Any]) -> float:
    """Return the sensitivity of the plan in the norm of the noise, in units of the statistic."""
    return float(statistic["l2" if is_gaussian(statistic) else "l1"])


def growth_of(statistic: dict[str, Any]) -> float:
    """Return how many times as large as in the plan the noise is, for what is rounded to steps: hardly above 1."""
    if statistic["choice"]:
        return 1.0
    growth = max(sensitivity_in_steps(statistic) * step_of(statistic) / planned_size(statistic), 1.0)
    return growth if statistic["whole"] else growth * (1 + MARGIN)


def measurement_of(opendp: Any, statistic: dict[str, Any]) -> Any:
    """Return the noise of one statistic as a measurement of OpenDP on the aggregated numbers of all of them.

    Its distance is a number of people. Its scale has the ratio to the sensitivity that the plan has.
    """
    in_l2, name, is_of_groups = is_gaussian(statistic), statistic["name"], statistic["kind"] == "groups"
    aggregates = opendp.user_domain(
        "the aggregated numbers of all statistics", lambda numbers: isinstance(numbers, dict)
    )
    known = aggregates, opendp.user_distance("people")
    if sampler_of(statistic) != OPENDP:
        return own_measurement(opendp, known, statistic)
    size, planned, growth = sensitivity_in_steps(statistic), planned_size(statistic), growth_of(statistic)
    scale = math.nextafter(statistic["scale"] / step_of(statistic) * growth, math.inf)
    space: tuple[Any, Any] = (
        opendp.vector_domain(opendp.atom_domain(T="i64")),
        opendp.l2_distance(T="f64") if in_l2 else opendp.l1_distance(T="i64"),
    )
    space = space_of(opendp, in_l2) if is_of_groups else space
    transformation = opendp.t.make_user_transformation(
        *known,
        *space,
        function=lambda numbers: numbers[name],
        stability_map=lambda n: moved_in_steps(statistic, n, int(size)) if is_of_groups else n * size,
    )
    if is_of_groups:
        limit = limit_in_steps(statistic, growth)
        make_noise = opendp.m.make_gaussian_threshold if in_l2 else opendp.m.make_laplace_threshold
        measurement = transformation >> make_noise(*space, scale, limit) >> (lambda noisy: above(noisy, limit))
        privacy, of_threshold = measurement.map(1)
        delta, k = statistic["groups"]["delta"], statistic["max_cells"]
        checked(f"δ of the threshold of {shown(name)}", of_threshold - (k + 1) * ULP, delta)
        checked(
            f"δ of the threshold of {shown(name)}", threshold_delta(statistic, limit, scale), delta, "The program’s"
        )
    else:
        make_noise = opendp.m.make_gaussian if in_l2 else opendp.m.make_laplace
        measurement = transformation >> make_noise(*space, scale)
        privacy = measurement.map(1)
    allowed = planned / statistic["scale"]
    checked(f"privacy of {shown(name)}", privacy, allowed**2 / 2 if in_l2 else allowed)
    return measurement


def checked(words: str, privacy: float, allowed: float, judge: str = "OpenDP’s") -> None:
    """Stop where a privacy by OpenDP’s map, or by another judge, is above that of the plan."""
    if privacy > allowed * (1 + ROUNDING):
        raise ReleaseError(f"{judge} {words} is {privacy}, above {allowed}, which the plan allows.")


def own_measurement(opendp: Any, known: tuple[Any, Any], statistic: dict[str, Any]) -> Any:
    """Return a choice, or groups with truncated noise, as a measurement whose privacy is stated here, not by OpenDP."""
    name = statistic["name"]
    if statistic["choice"]:
        own, noise = statistic["choice"]["epsilon"], None
        if statistic["noise"] == "report_noisy_max":
            noise = noise_of_counts(opendp, statistic)
        return opendp.m.make_user_measurement(
            *known,
            output_measure=opendp.max_divergence(),
            function=lambda numbers: chosen(numbers[name], statistic, noise),
            privacy_map=lambda n_people: n_people * own,
        )
    epsilon = statistic["groups"]["epsilon"]
    delta = truncated_delta(statistic, epsilon)
    checked(f"δ of {shown(name)}", delta, statistic["groups"]["delta"], "The program’s")
    draws = truncated_draws(opendp, statistic)
    return opendp.m.make_user_measurement(
        *known,
        output_measure=opendp.approximate(opendp.max_divergence()),
        function=lambda numbers: draws(numbers[name]),
        privacy_map=lambda n_people: (epsilon, delta) if n_people <= 1 else (math.inf, 1.0),
    )


def noise_of_counts(opendp: Any, statistic: dict[str, Any]) -> Any:
    """Return the noise of the counts of which one choice names the largest: 2Δ moves one against another, ε is its own.

    What a count must exceed, with its noise, is moved by that much at most, whatever the noise of the others is.
    """
    unit, rate = round(1 / step_of(statistic)), rate_of(statistic)
    noise = opendp.m.make_laplace(
        opendp.atom_domain(T="i64"), opendp.absolute_distance(T="i64"), math.nextafter(float(unit / rate), math.inf)
    )
    moved = statistic["max_in_cell"] * unit * (2 if statistic["choice"]["is_replaced"] else 1)
    allowed = statistic["choice"]["epsilon"] / statistic["choice"]["n_chosen"]
    checked(f"privacy of {shown(statistic['name'])}", noise.map(moved), allowed)
    return noise


def in_zcdp(opendp: Any, measurement: Any, statistic: dict[str, Any]) -> Any:
    """Return a measurement with its privacy as ρ-zCDP: ρ = ε²/2 of ε-DP, which OpenDP has without a threshold only."""
    if is_gaussian(statistic):
        return measurement
    if statistic["kind"] != "groups":
        return opendp.c.make_pureDP_to_zCDP(measurement)

    def privacy_map(n_people: int) -> tuple[float, float]:
        epsilon, delta = measurement.map(n_people)
        return math.nextafter(epsilon**2 / 2, math.inf), delta

    return opendp.m.make_user_measurement(
        measurement.input_domain,
        measurement.input_metric,
        output_measure=opendp.approximate(opendp.zero_concentrated_divergence()),
        function=measurement,
        privacy_map=privacy_map,
    )


def person_lists(measurements: list[Any], statistics: list[dict[str, Any]]) -> list[list[Any]]:
    """Return the lists of measurements that one person can be in: all, but of a group of disjoint people one."""
    of_group: defaultdict[str, list[Any]] = defaultdict(list)
    for place, (measurement, statistic) in enumerate(zip(measurements, statistics, strict=True)):
        of_group[statistic["group"] or f"alone {place}"].append(measurement)
    return list(map(list, product(*(worst_of(own) for own in of_group.values()))))


def worst_of(measurements: list[Any]) -> list[Any]:
    """Return those measurements that no other one costs at least as much as, both in ε or ρ and in δ."""
    worst: list[Any] = []
    for measurement in sorted(measurements, key=loss_of, reverse=True):
        if not worst or loss_of(measurement)[1] > loss_of(worst[-1])[1]:
            worst.append(measurement)
    return worst


def loss_of(measurement: Any) -> tuple[float, float]:
    """Return ε or ρ of a measurement, and its δ."""
    privacy = measurement.map(1)
    return privacy if isinstance(privacy, tuple) else (privacy, 0.0)


def composition_of(plan: dict[str, Any], released: Sequence[str] = ()) -> Composition:
    """Return the noise of the statistics that a run releases, of all by default, with the privacy of the whole plan.

    It is ε-DP where all of it is, else by ρ-zCDP. The δ of thresholds is added to that of the noise, which is then what
    is left of the plan’s; or all of it, where the plan, which may use that the greater of the two counts, leaves less
    than half.

    Raises
    ------
    ReleaseError
        if ε of a plan without δ is below OpenDP’s.
    """
    opendp, statistics = opendp_module(), plan["statistics"]
    measurements = [measurement_of(opendp, statistic) for statistic in statistics]
    has_groups, is_zcdp = (
        any(statistic["kind"] == "groups" for statistic in statistics),
        any(map(is_gaussian, statistics)),
    )
    if is_zcdp:
        measurements = [
            in_zcdp(opendp, measurement, statistic)
            for measurement, statistic in zip(measurements, statistics, strict=True)
        ]
    if has_groups:
        measurements = [
            measurement if statistic["kind"] == "groups" else opendp.c.make_approximate(measurement)
            for measurement, statistic in zip(measurements, statistics, strict=True)
        ]
    run = [
        (measurement, statistic)
        for measurement, statistic in zip(measurements, statistics, strict=True)
        if statistic["name"] in released or not released
    ]
    repeated = [
        opendp.c.make_composition([measurement] * statistic["n_releases"])
        for measurement, statistic in zip(measurements, statistics, strict=True)
    ]
    together = opendp.c.make_composition
    lists = [together(own) for own in person_lists(repeated, statistics)]
    of_run = [together(own) for own in person_lists(*map(list, zip(*run, strict=True)))]
    loss, own_loss = (max(loss_of(each)[0] for each in own) for own in (lists, of_run))
    totals = [total_of(opendp, each, is_zcdp, plan["delta"]) for each in lists]
    epsilon, delta = (max(sizes) for sizes in zip(*totals, strict=True))
    if not plan["delta"]:
        checked("ε", epsilon, plan["epsilon"])
    invoke = together([measurement for measurement, _ in run])
    return Composition(invoke, epsilon, delta, own_loss / loss if loss else 1.0)


def total_of(opendp: Any, measurement: Any, is_zcdp: bool, plan_delta: float) -> tuple[float, float]:
    """Return (ε, δ) of a measurement by OpenDP’s map."""
    if not is_zcdp:
        return loss_of(measurement)
    total = opendp.c.make_zCDP_to_approxDP(measurement).map(1)
    privacy, of_thresholds = total if isinstance(total, tuple) else (total, 0.0)
    left = plan_delta - of_thresholds
    left = left if 2 * left > plan_delta else plan_delta
    return privacy.epsilon(left), left + of_thresholds
