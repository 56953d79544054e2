"""Noise that the product does not have, registered as a new family to see that the pages then offer it.

Logistic noise of scale s has the density e^{−x/s}/(s(1 + e^{−x/s})²), whose logarithm changes by at most 1/s per unit:
it satisfies ε-DP from s = Δ₁/ε on. Run as a program, this module registers it and prints, as JSON, what the pages show;
in a second line what the page of tables says of it where it has no safe sampler.
"""

import json
import os
import sys
from dataclasses import replace
from functools import partial
from importlib import import_module

import numpy as np
from numpy.typing import ArrayLike

from dpcore.calibrations import LAPLACE
from dpcore.checks import Array
from dpcore.families import FAMILIES, Family


def scale_from_epsilon(epsilon: ArrayLike, _: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return np.nextafter(np.asarray(sensitivity, float) / epsilon, np.inf)


def epsilon_from_scale(_: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return np.nextafter(np.asarray(sensitivity, float) / scale, np.inf)


def delta_from_scale(epsilon: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return np.where(np.asarray(sensitivity) / scale <= np.asarray(epsilon) * (1 + 1e-15), 0.0, 1.0)


def tail(t: ArrayLike, scale: ArrayLike) -> Array:
    return 2 / (1 + np.exp(np.minimum(np.asarray(t) / scale, 700)))


def half_width(significance: ArrayLike, scale: ArrayLike) -> Array:
    return np.asarray(scale, float) * np.log(2 / np.asarray(significance, float) - 1)


def variance(scale: ArrayLike) -> Array:
    return np.pi**2 / 3 * np.square(scale)


def mean_absolute_error(scale: ArrayLike) -> Array:
    return 2 * np.log(2) * np.asarray(scale)


def sample(rng: np.random.Generator, scale: float, size: int | tuple[int, ...]) -> Array:
    return rng.logistic(0, scale, size)


CALIBRATION = replace(
    LAPLACE,
    key="logistic",
    name="Logistic",
    family="logistic",
    theorem="the density’s logarithm has a slope of at most 1/s",
    scale=scale_from_epsilon,
    epsilon=epsilon_from_scale,
    true_delta=delta_from_scale,
)


FAMILY = partial(Family, "logistic", "Logistic", sys.modules[__name__], "s", CALIBRATION)


def _register(*, is_sampled_safely: bool) -> None:
    FAMILIES["logistic"] = FAMILY(is_sampled_safely=is_sampled_safely, is_planned=is_sampled_safely)
    from pages.shared import looks

    looks.register("logistic", looks.Look("teal", dash="dot", proved_for="Every ε > 0."))


def _unsampled() -> dict[str, object]:
    from dpcore import plan
    from pages.tables.parameters import MECHANISM
    from pages.tables.text import MECHANISM_FIELD
    from tests.pages.conftest import exhibits_by_name, found_by, html_of

    noises = found_by("tables", section="noise", table="size", cells="12")
    return {
        "planned": plan.MECHANISMS,
        "offered": [*MECHANISM.options],
        "help": MECHANISM_FIELD.help,
        "compared": html_of(exhibits_by_name(noises, "tables")["mechanisms"]),
        "recommended": noises.recommendation.mechanism.key,
    }


def _shown() -> dict[str, object]:
    from pages.accuracy.error.text import noise_parameters
    from pages.shared import looks
    from tests.pages.conftest import exhibits_by_name, figure_of, found_by, html_of, topic_named
    from tests.programs import printed

    accuracy, wanted = (
        found_by("accuracy", mechanisms="all", query="own", known=known, accuracy="3")
        for known in ("epsilon", "accuracy")
    )
    tables = found_by("tables", section="table", mechanism="logistic")
    noises = found_by("tables", section="noise", table="size", cells="12")
    plan = found_by("plan", queries="!sum:300,0,50@logistic=A;count:5=B")
    (row,) = (mechanism for mechanism in tables.mechanisms if mechanism.key == "logistic")
    charts = {
        "accuracy": figure_of(exhibits_by_name(accuracy, "accuracy")["accuracy"]),
        "tables": figure_of(exhibits_by_name(noises, "tables")["noise_persons"]),
    }
    return {
        "errors": {"accuracy": accuracy.rows["logistic"].half_width, "tables": row.half_width(0.05)},
        "verdicts": [accuracy.rows["logistic"].chosen.status, row.status],
        "curves": {
            topic: next(
                [trace["line"]["color"], trace["line"]["dash"], np.asarray(trace["y"]).tolist()]
                for trace in chart["data"]
                if trace["name"] == "Logistic"
            )
            for topic, chart in charts.items()
        },
        "colour": looks.COLOURS["light"]["teal"],
        "answers": {
            topic: topic_named(topic).answer_text(result) for topic, result in (("tables", tables), ("plan", plan))
        },
        "scales": {part.row.name: [part.noise.family, part.noise.scale] for part in plan.planned_queries},
        "epsilon": plan.epsilon,
        "table": html_of(exhibits_by_name(plan, "plan")["plan_table"]),
        "parameters": [noise_parameters(result.rows["logistic"], result.setting) for result in (accuracy, wanted)],
        "programs": {
            topic: [
                (part.library, part.code, part.note, part.page_values, printed(part) if part.code else [])
                for part in topic_named(topic).snippets_of(result)
            ]
            for topic, result in (("tables", tables), ("plan", plan))
        },
        "downloads": [
            topic_named(topic).open_section(result).downloads(result)
            for topic, result in (("tables", tables), ("plan", plan))
        ],
        "claims": [str(claim) for claim in topic_named("tables").claims_of(tables)],
    }


def _print(*, is_sampled_safely: bool) -> None:
    _register(is_sampled_safely=is_sampled_safely)
    print(json.dumps(_shown() if is_sampled_safely else _unsampled(), default=float), flush=True)


if __name__ == "__main__":
    for library in ("pandas", "plotly.graph_objects", "streamlit.testing.v1"):
        import_module(library)  # once for both
    if not os.fork():
        _print(is_sampled_safely=True)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.wait()[1])
    _print(is_sampled_safely=False)
    sys.exit(status)
