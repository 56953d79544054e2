import numpy as np
import pandas as pd
import streamlit as st

from dpcore import audit
from dpcore.tradeoff import readings
from pages.shared import attack, curve_editor, curves, export, frame, inputs, text
from pages.shared import tradeoff as words
from pages.shared.figures import tradeoff as figures

CURVES = curves.Curves()
VIEW = inputs.Choice("view", "view", figures.VIEWS, "errors")
QUOTE = inputs.Choice("quote", "quoted", {"delta": "at δ of the sidebar", "epsilon": "at ε of the sidebar"}, "delta")
OWN = (CURVES, inputs.ALPHA, inputs.PRIOR, VIEW, QUOTE, attack.Counts(), inputs.CONFIDENCE, inputs.SEED)

values = frame.open_page(words.TITLE, OWN)
items, alpha, prior, view, picture = (values[key] for key in ("curves", "alpha", "prior", "view", "picture"))
made, names = [curves.curve_of(item) for item in items], curves.labels(items)
place = next(place for place, item in enumerate(items) if item.chosen)
item, curve, name = items[place], made[place], names[place]
setting = {key: values[key] for key in ("alpha", "prior", "epsilon", "delta")}
header = words.csv_header(names, st.session_state.used["curves"], setting)
colour = frame.colours()
frame.answer(*words.answer(item, curve, name, alpha, prior))


@st.cache_resource(max_entries=256)
def drawn_points(recipe):
    """The points of a curve; they depend on nothing else on the page."""
    return readings.along(curves.curve_of(curves.Item(*recipe)))


drawn = [
    figures.Drawn(
        names[at],
        colour[each.colour],
        figures.DASHES[at],
        drawn_points(each.recipe),
        float(made[at](alpha)),
        float(made[at].power(np.asarray(alpha))),
    )
    for at, each in enumerate(items)
]
left, right = st.columns(2)
with left:
    inputs.quantity_field(inputs.ALPHA)
with right:
    inputs.quantity_field(inputs.PRIOR)
left, right = st.columns([3, 2])
with right, st.container(border=True):
    curve_editor.editor(items, names)
with left:
    inputs.choice_field(VIEW, "Show")
    figure = figures.curves_figure(drawn, alpha, view, words.subtitle(names, alpha), colour)
    numbers = pd.concat({each.name: each.points for each in drawn}, names=["curve"]).reset_index(level=0)
    alt = words.alternative(items, made, names, alpha, view)
    export.chart("curves", figure, alt, picture, numbers, header, lambda x: inputs.enter("alpha", text.nearest(x)))

st.header("The curves in numbers")
st.markdown(words.ROUNDING)
st.html(words.table_html(made, names, alpha, prior, values["delta"]))

st.header("One number instead of the curve")
inputs.choice_field(QUOTE, "Quote the chosen curve")
if values["quote"] == "delta":
    quoted = readings.quotation_at_delta(curve, values["delta"])
else:
    quoted = readings.quotation_at_epsilon(curve, values["epsilon"])
for line in words.quotation(curve, name, quoted, alpha, values["delta"]):
    st.markdown(line)
if quoted is not None:
    conceded = readings.conceded(curve, quoted)
    subtitle, labels = words.quotation_labels(name, quoted)
    figure = figures.quotation_figure(conceded, drawn[place], labels, quoted.touches, view, subtitle, colour)
    alt = " ".join(words.quotation(curve, name, quoted, alpha, values["delta"])).replace("**", "")
    export.chart("quotation", figure, alt, picture, conceded, header)

st.header("What an attack has proved")
measured, source = attack.attack_field()
if measured is None:
    st.markdown(words.NO_ATTACK)
else:
    left, right = st.columns(2)
    with left:
        inputs.quantity_field(inputs.CONFIDENCE)
    if measured.from_scores:
        with right:
            inputs.quantity_field(inputs.SEED)
    attack.drop_button()
    band = audit.band(measured, values["confidence"], np.random.default_rng(int(values["seed"])))
    epsilon, mu = audit.epsilon_lower(band, min(values["delta"], 1 - 1e-15)), audit.mu_lower(band)
    broken = {names[at]: audit.contradicted(band, each.beta) for at, each in enumerate(made)}
    summary = words.audit_text(measured, source, values["confidence"], epsilon, mu, values["delta"], broken, name)
    st.markdown(summary)
    points = (measured.alpha, measured.beta)
    hull = readings.reached(*points)
    figure = figures.attack_figure(drawn, points, hull, band, broken[name], view, words.subtitle(names, alpha), colour)
    export.chart("attack", figure, summary.replace("**", ""), picture, words.band_frame(band, broken[name]), header)
    st.markdown(words.NOT_PROVED)
frame.explanation(lambda: words.explanation(item, curve, name, alpha, quoted))
