import numpy as np
import pandas as pd
import streamlit as st

from dpcore import laplace
from dpcore import laplace_gaussian as rivals
from pages.shared import export, frame, inputs, text
from pages.shared import laplace_gaussian as words
from pages.shared.figures import laplace_gaussian as figures

values = frame.open_page(words.TITLE, (*words.OWN, inputs.L1_SENSITIVITY, inputs.SEED))
setting = words.setting_of(values)
case, k, measure, calibration = values["case"], values["k"], values["measure"], setting.calibration
epsilon, delta, level = setting.epsilon, setting.delta, setting.significance
possible = epsilon >= words.LEAST_EPSILON
counted = possible and case == "counts"
noises = rivals.matched(calibration, setting.hold, max(epsilon, words.LEAST_EPSILON), delta, *setting.norms, setting.t)
errors = rivals.errors(noises, level)
frame.answer(*(words.answer(setting, noises, errors) if possible else words.no_answer(setting)))

with st.container(border=True):
    left, right = st.columns(2)
    with left:
        inputs.choice_field(words.CASE, "Query")
        if case == "counts":
            inputs.quantity_field(words.K)
        elif case == "own":
            inputs.quantity_field(inputs.L1_SENSITIVITY)
        if impossible := words.impossible_norms(case, setting, values["l1_sensitivity"]):
            with st.container(key="problem_norms"):
                st.text(impossible)
        st.text(words.sensitivity_words(case, setting))
    with right:
        inputs.choice_field(words.GAUSSIAN, "The Gaussian's formula")
        inputs.choice_field(words.HOLD, "Held equal")
        if setting.hold == "tail":
            inputs.quantity_field(words.T)

picture, colour, header = values["picture"], frame.colours(), words.csv_header(setting)
gaussian = figures.Gaussian(calibration.key, calibration.name)
alt, same = words.alternative(setting, noises, errors), words.subtitle(setting, words.both(setting, noises))
if possible:
    accuracy = {"laplace": errors[0].accuracy, "gaussian": errors[1].accuracy}
    st.header("How far the noise goes")
    left, right = st.columns(2)
    with left:
        tails = rivals.tails(noises.scale, noises.sigma, figures.tail_grid(noises, level), values["cutoff"])
        figure = figures.tails_figure(tails, accuracy, level, same, gaussian, colour)
        export.chart("tails", figure, alt, picture, tails, header)
    with right:
        rng = np.random.default_rng(int(values["seed"]))
        drawn = {
            "laplace": rivals.quantile_dots(laplace.sample(rng, noises.scale, words.N_DRAWS)),
            "gaussian": rivals.quantile_dots(rng.normal(0, noises.sigma, words.N_DRAWS)),
        }
        said = words.subtitle(
            setting, f"of {words.N_DRAWS:,} draws, seed {values['seed']:.0f}; dashed: ± of the answer"
        )
        figure = figures.dots_figure(drawn, accuracy, said, gaussian, colour)
        export.chart("draws", figure, alt, picture, pd.DataFrame(drawn), header | {"seed": values["seed"]})
        inputs.quantity_field(inputs.SEED)
    st.markdown(words.ROUNDING)
    st.html(words.table_html(setting, noises, errors))
    st.markdown(words.PROMISES)

st.header("Where each wins")
inputs.choice_field(inputs.MEASURE, "Compare by")
names = words.measure_names(setting)
crossing = rivals.crossover(calibration, measure, max(epsilon, words.LEAST_EPSILON), delta, level)
here = float(rivals.frontier(calibration, measure, max(epsilon, words.LEAST_EPSILON), *setting.norms, level))
on_map = words.map_words(setting, measure, here)
if not possible:
    st.markdown(words.NO_CROSSING["epsilon"])
else:
    st.markdown(f"{words.crossing_words(setting, measure, crossing) if counted else words.NO_CROSSING[case]} {on_map}")
left, right = st.columns(2)
with left:
    if counted:
        along = rivals.along_statistics(calibration, epsilon, delta, figures.count_grid(k, crossing), level)
        said = words.crossing_words(setting, measure, crossing)
        where = f"ε = {text.nearest(epsilon)}, δ = {text.nearest(delta)}<br>Δ₁ = k, Δ₂ = √k"
        figure = figures.statistics_figure(along, (measure, names[measure]), crossing, k, where, gaussian, colour)
        export.chart("statistics", figure, text.unmarked(said), picture, along, header)
with right if counted else st.container():
    frontiers = rivals.frontiers(calibration, figures.map_grid(epsilon), *setting.norms, level)
    where = words.subtitle(setting, gaussian.name)
    figure = figures.map_figure(frontiers, measure, names, (epsilon, delta), where, gaussian, colour)
    export.chart("map", figure, text.unmarked(on_map), picture, frontiers, header)

if possible:
    st.header("For several δ at once")
    left, right = st.columns(2)
    with left:
        inputs.text_field(inputs.DELTAS, "δ of the curves, apart by commas", inputs.DELTAS_HELP)
    with right:
        inputs.quantity_field(words.CUTOFF)
    deltas, cutoff = sorted({*values["deltas"], delta}), values["cutoff"]
    said = words.subtitle(setting, f"{gaussian.name}; grey: less likely than {text.nearest(cutoff)}")
    left, right = st.columns(2)
    with left:
        t = figures.distances(
            laplace.half_width(cutoff, noises.scale), calibration.scale(epsilon, deltas, setting.l2), cutoff
        )
        ratios = rivals.tail_ratios(calibration, epsilon, deltas, t, *setting.norms, cutoff)
        figure = figures.ratio_figure(ratios, said, gaussian, colour)
        export.chart("ratio", figure, words.RATIO_ALT, picture, ratios, header)
    with right:
        t = figures.distances(laplace.half_width(cutoff, noises.scale), [], cutoff)
        costs = rivals.privacy_costs(calibration, epsilon, deltas, t, *setting.norms, cutoff)
        figure = figures.cost_figure(costs, said, gaussian, colour)
        export.chart("cost", figure, words.COST_ALT, picture, costs, header)
    st.header("Density and distribution")
    densities = rivals.densities(noises.scale, noises.sigma, figures.noise_grid(noises))
    for column, kind in zip(st.columns(2), ("pdf", "cdf"), strict=True):
        with column:
            figure = figures.density_figure(densities, kind, same, gaussian, colour)
            export.chart(kind, figure, alt, picture, densities, header)
frame.explanation(lambda: words.explanation(setting, noises) if possible else words.no_answer(setting)[1])
