from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from dpcore.generalized_gaussian import choices
from pages.shared import bounded, export, frame, inputs, text
from pages.shared import generalized_gaussian as words
from pages.shared.figures import generalized_gaussian as figures

MAP_POINTS = 51

values = frame.open_page(words.TITLE, (*words.OWN, inputs.SEED, *bounded.OWN))
setting = words.setting_of(values)
guarantee, epsilon, delta, level = setting.guarantee, setting.epsilon, setting.delta, setting.significance
by_key = {each.key: each for each in choices.GUARANTEES}
picture, colour, header = values["picture"], frame.colours(), words.csv_header(setting)
measure, size = values["measure"], values["size"]
best_level = level if measure == "accuracy" else 0.05  # on which the other measures do not depend


@st.cache_resource(max_entries=64)
def best_along(key, measure, deltas, grid, significance):
    """The best p over ε for several δ."""
    return choices.best_frame(by_key[key], measure, np.array(grid), np.array(deltas)[:, None], significance)


@st.cache_resource(max_entries=64)
def best_map(key, measure, significance):
    """The best p over the map, which no ε, δ or sensitivity changes."""
    return choices.best_frame(by_key[key], measure, *figures.map_grid(MAP_POINTS), significance)


@st.cache_resource(max_entries=64)
def several(epsilon, delta, p, sensitivities, significance):
    """A curve of Proposition 8, some tens of ms a point."""
    return choices.along_several(epsilon, delta, p, sensitivities, significance)


@st.cache_resource(max_entries=1024)
def simulated(epsilon, delta, p, sensitivities, significance, n, seed):
    """A point of the paper's Monte Carlo."""
    return choices.simulated(epsilon, delta, p, sensitivities, np.random.default_rng(seed), n, significance)


noise, best = None, None
if setting.has_answer:
    noise = choices.noise(guarantee, epsilon, delta, setting.p, setting.sensitivity, level)
    best = choices.best_against(guarantee, measure, epsilon, delta, setting.p, level)
    frame.answer(*words.answer(setting, noise, words.rival_scale(setting), best))
else:
    frame.answer(*words.no_answer(setting))
with st.container(border=True):
    left, right = st.columns(2)
    with left:
        inputs.quantity_field(words.P)
    with right:
        inputs.choice_field(words.GUARANTEE, "Guarantee")
        st.markdown(words.pure_words(setting))

st.header("The noise of each shape")
left, right = st.columns(2)
with left:
    inputs.text_field(words.SHAPES, "p of the curves, apart by commas", words.SHAPES_HELP)
with right:
    inputs.choice_field(words.MATCH, "Densities with the")
shapes = values["shapes"]
if noise is not None:
    scales = choices.matched_scales(values["match"], guarantee, epsilon, delta, setting.p, shapes, setting.sensitivity)
    drawn = choices.densities(shapes, scales, figures.density_reach(shapes, scales))
    figure = figures.density_figure(drawn, words.densities_words(setting, values["match"]), colour)
    export.chart("densities", figure, words.densities_alt(shapes, scales), picture, drawn, header)
    chosen = choices.along(guarantee, epsilon, delta, shapes, setting.sensitivity, level)
    st.html(words.table_html(setting, chosen, words.paper_scales(setting, shapes)))
    st.markdown(words.ROUNDING)

st.header("How much noise each promise needs")
left, right = st.columns([2, 3])
with left:
    inputs.choice_field(words.STATISTICS, "Statistics")
    if values["statistics"] == "own":
        inputs.text_field(words.SENSITIVITIES, "Sensitivity Δ of each, apart by commas", words.SENSITIVITIES_HELP)
with right:
    inputs.choice_field(words.SIZE, "Show")
one, sensitivities = values["statistics"] == "one", words.sensitivities_of(values)
asked = setting if one else words.several_setting(setting)
at, points = {"epsilon": asked.epsilon, "delta": delta, "p": setting.p}, {}
if one:
    grids = figures.grids(asked.epsilon, delta)
    solved = {each.key: choices.along_each(each, at, grids, setting.sensitivity, level) for each in setting.drawn}
    curves = {key: {name: frames[key] for name, frames in solved.items()} for key in grids}
else:
    known = {"sensitivities": sensitivities, "significance": level}
    grids = figures.coarse_grids(asked.epsilon, delta, setting.p)
    curves = {key: {"several": several(**(at | {key: grids[key]}), **known)} for key in grids}
    st.markdown(words.statistics_words(sensitivities, setting, asked, several(**(at | {"p": 2.0}), **known)))
    left, right = st.columns(2)
    with left:
        inputs.choice_field(words.MONTE_CARLO, "The paper's Monte Carlo")
        if values["monte_carlo"] == "on":
            inputs.quantity_field(words.DRAWS)
            inputs.quantity_field(inputs.SEED)
            wanted = words.simulated_places(at, values["draws"])
            st.markdown(words.draws_words(values["draws"], wanted))
            bar = st.progress(0.0, "Monte Carlo")
            for done, (key, place) in enumerate(wanted, 1):
                points.setdefault(key, []).append(
                    simulated(**place, **known, n=int(values["draws"]), seed=int(values["seed"]))
                )
                bar.progress(done / len(wanted), f"Monte Carlo: {done} of {len(wanted)} points")
            bar.empty()
names, sized = figures.guarantee_names(choices.GUARANTEES), (size, words.size_names(setting)[size])
for column, key in zip(st.columns(3), ("p", "epsilon", "delta"), strict=True):
    with column:
        overlaid = pd.concat(points[key]) if key in points else None
        said = words.curves_words(asked, key, None if one else sensitivities)
        figure = figures.size_figure(curves[key], names, key, sized, at[key], said, colour, overlaid)
        numbers = partial(words.curves_frame, curves[key], overlaid)
        alt = words.curves_alt(curves[key], names, key, sized)
        export.chart(f"size_{key}", figure, alt, picture, numbers, words.curves_header(asked, values))

st.header("Which p is best?")
left, right = st.columns([3, 2])
with left:
    inputs.choice_field(inputs.MEASURE, "Compare by")
if best is not None:
    st.markdown(words.map_words(setting, best))
with right:
    inputs.text_field(inputs.DELTAS, "δ of the curves, apart by commas", inputs.DELTAS_HELP)
least, header = words.measure_name(setting, measure), header | {"least": measure}
left, right = st.columns([3, 2])
with left:
    chart = best_map(guarantee.key, measure, best_level)
    said = words.map_subtitle(setting)
    figure = figures.map_figure(chart, (epsilon, delta), f"The shape p with the least {least}", said, colour)
    export.chart("best_map", figure, words.map_alt(setting), picture, chart, header)
with right:
    grid = figures.best_grid(epsilon)
    deltas = tuple(sorted({*values["deltas"], delta}))
    chart = best_along(guarantee.key, measure, deltas, grid, best_level)
    figure = figures.best_figure(chart, epsilon, f"Best p: least {least}", said, colour)
    export.chart("best_p", figure, words.map_alt(setting), picture, chart, header)
    chart = chart.query("delta == @delta")
    figure = figures.saving_figure(
        chart, epsilon, f"What the best p saves: {least}", f"δ = {text.nearest(delta)}, {said}", colour
    )
    export.chart("saving", figure, words.SAVING_ALT, picture, chart, header)

bounded.section(values, colour, picture)
frame.explanation(lambda: words.explanation(setting, noise) + "\n\n" + bounded.explanation(values))
