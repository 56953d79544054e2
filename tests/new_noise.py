"""A noise that the product does not have is registered, to see that the pages then offer it, as docs/recipes.md says.

Run as a program, this module prints, as JSON, what the pages show of it; in a second line what the page of tables says
of it where it has no safe sampler. The recipe quotes its records.
"""

import json
import os
import sys
from dataclasses import replace
from importlib import import_module

import numpy as np

from dpcore.calibrations import LAPLACE
from dpcore.families import FAMILIES, Family
from tests import logistic_noise as logistic

LOGISTIC = replace(
    LAPLACE,  # the scale is Δ₁/ε here too
    key="logistic",
    name="Logistic",
    family="logistic",
    theorem="the density’s logarithm has a slope below 1/s",
    true_delta=logistic.delta_from_scale,
)
FAMILY = Family("logistic", "Logistic", logistic, "s", LOGISTIC, is_sampled_safely=True, is_planned=True)


def _register(*, is_sampled_safely: bool) -> None:
    FAMILIES["logistic"] = replace(FAMILY, is_sampled_safely=is_sampled_safely, is_planned=is_sampled_safely)
    from pages.shared.looks import Look, register
    from pages.shared.site_map import TABLES
    from pages.start.glossary.noise_data import ENTRIES, Entry

    look = Look(
        "teal",
        dash="dot",
        marker="pentagon",
        proved_for="Every ε > 0.",
        scale=r"s=\frac{{\Delta_1}}\varepsilon=\frac{{{l1}}}{{{e}}}={value}",
        half_width=r"a=\frac{{\Delta_1}}\varepsilon\ln(2/\alpha-1)=\frac{{{s}}}{{{e}}}\ln(2/{l}-1)={value}",
    )
    entry = Entry(
        "Logistic noise",
        "Noise like Laplace noise, but round at 0. It needs no δ.",
        "Its density is proportional to e^(−x/s)/(1 + e^(−x/s))².",
        "definition of ε-DP",
        ((TABLES, "table"),),
    )
    register("logistic", look)
    ENTRIES["logistic"] = entry


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
