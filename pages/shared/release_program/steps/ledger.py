"""The earlier releases of a folder in the program of a release: what was spent there, and whether more is allowed."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from pages.shared.release_program.steps.check import ReleaseError, shown, up, up_text


@dataclass(frozen=True)
class Occasion:
    """Which statistics of a plan one run releases, and for which month or other time, as the user names it."""

    statistics: tuple[str, ...] = ()
    time: str = ""


@dataclass(frozen=True)
class Ledger:
    """The place of a release in its folder: its number there, and (ε, δ) of all releases of the folder together.

    `terms` are what a later run is to know of this one, and `n_earlier` says how often each statistic of the plan was
    released before it. These cost `is_more` than the plan of this release: another one, or the same one once more.
    """

    folder: Path
    number: int
    epsilon: float
    delta: float
    terms: dict[str, Any] = field(default_factory=dict)
    n_earlier: Counter[str] = field(default_factory=Counter)
    is_more: bool = False


def plan_key(plan: dict[str, Any]) -> str:
    """Return a text that two plans have in common only if they release the same with the same noise."""
    words = ("link", "version", "conditions", "assumptions", "statement")
    terms = {key: value for key, value in plan.items() if key not in words}
    return sha256(json.dumps(terms, sort_keys=True).encode()).hexdigest()


def cost_of(records: list[dict[str, Any]]) -> tuple[float, float]:
    """Return (ε, δ) of releases together: each plan counts as often as it takes to have all that was released of it."""
    of_plan: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for place, record in enumerate(records):
        of_plan[record.get("plan", f"{place}")].append(record)
    epsilon, delta = 0.0, 0.0
    for own in of_plan.values():
        most = own[0].get("releases_in_the_plan", own[0].get("limits", {}))  # as earlier versions called it
        n_plans = max((-(-n // most[name]) for name, n in releases_of(own).items()), default=len(own))
        epsilon, delta = epsilon + n_plans * own[0]["epsilon"], delta + n_plans * own[0]["delta"]
    return epsilon, delta


def releases_of(records: list[dict[str, Any]]) -> Counter[str]:
    """Return how often each statistic was released."""
    return Counter(name for record in records for name in record.get("released", ()))


def ledger_of(folder: Path, plan: dict[str, Any], again: bool, occasion: Occasion | None = None) -> Ledger:
    """Return the place of a new release, whose file is made now: one that is stopped from here on counts too.

    Raises
    ------
    ReleaseError
        if the folder has a release that the plan has not, or this one, and the user did not ask for another, or if the
        file of an earlier one is missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    occasion, key = occasion or Occasion(), plan_key(plan)
    planned = {statistic["name"]: statistic["n_releases"] for statistic in plan.get("statistics", ())}
    terms = {"plan": key, "released": list(occasion.statistics), "releases_in_the_plan": planned}
    terms |= {"time": occasion.time} if occasion.time else {}
    record = {name: up(plan[name]) for name in ("epsilon", "delta")} | terms
    paths = [*folder.glob("release-*.json")]
    if {path.name for path in paths} != {f"release-{place}.json" for place in range(1, len(paths) + 1)}:
        raise ReleaseError(
            f"The folder {folder} must have the files of all its releases, release-1.json, release-2.json and so on: "
            "what the missing one cost would be forgotten. Put it back, or take another folder and add both ε yourself."
        )
    earlier = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    own = [each for each in earlier if each.get("plan") == key]
    epsilon, delta = cost_of([*earlier, record])
    if earlier and not again and (epsilon, delta) != cost_of(earlier):
        raise ReleaseError(
            f"The folder {folder} has a release already. Another one costs the same people again: with it ε = "
            f"{up_text(epsilon)} and δ = {up_text(delta)} in all. Use --again to pay that."
        )
    repeated = [
        name
        for name in occasion.statistics
        for each in own
        if each.get("time", "") == occasion.time
        if name in each["released"]
    ]
    if repeated and not again:
        raise ReleaseError(
            f"{shown(repeated[0])} was released for {shown(occasion.time)} already. Another time takes one more of the "
            f"{planned[repeated[0]]} releases of the plan. Use --again to pay that."
        )
    number = 1 + len(earlier)
    with (folder / f"release-{number}.json").open("x", encoding="utf-8") as file:
        json.dump(record, file)
    is_more = (epsilon, delta) != cost_of([record])
    return Ledger(folder, number, epsilon, delta, terms, releases_of(own), is_more)
