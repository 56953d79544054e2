import numpy as np
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
items, picture, colour = values["curves"], values["picture"], frame.colours()
made, names = [curves.curve_of(item) for item in items], curves.labels(items)
place = curves.chosen_place(items)
item, curve, name = items[place], made[place], names[place]
written, noticed = st.session_state.used["curves"], bool(st.session_state.link_problems)


@st.cache_resource(max_entries=256)
def points_of(recipe):
    """The points of a curve and what each says; they depend on nothing else on the page."""
    points = readings.along(curves.curve_of(curves.Item(*recipe)))
    return points, figures.hints(points)


def drawn_at(alpha):
    """The curves as the figures need them."""
    return [
        figures.Drawn(label, colour[each.colour], dash, *points_of(each.recipe), float(f(alpha)), float(f.power(alpha)))
        for each, f, label, dash in zip(items, made, names, figures.DASHES, strict=False)
    ]


answer_place = st.empty()
left, right = st.columns([3, 2])
with right, st.container(border=True):
    curve_editor.editor(items, names)
st.header("The curves in numbers")
st.markdown(words.ROUNDING)
table_place = st.empty()
st.markdown(words.GLOSSARY)


@st.fragment  # α and the prior change nothing else on the page, and this part alone is redrawn sooner
def reading():
    """The answer, the curves and their table at an α and a prior."""
    now = inputs.settings((*inputs.SHARED, *OWN))
    if (now["view"], bool(st.session_state.link_problems)) != (values["view"], noticed):
        st.rerun()
    alpha, prior, view = np.float64(now["alpha"]), now["prior"], now["view"]
    with answer_place.container():
        frame.answer(*words.answer(item, curve, name, alpha, prior))
    for column, quantity in zip(st.columns(2), (inputs.ALPHA, inputs.PRIOR), strict=True):
        with column:
            inputs.quantity_field(quantity)
    inputs.choice_field(VIEW, "Show")
    drawn, header = drawn_at(alpha), words.csv_header(names, written, alpha=alpha, prior=prior)
    figure = figures.curves_figure(drawn, alpha, view, words.subtitle(names, f"α = {text.nearest(alpha, 17)}"), colour)
    alt = words.alternative(made, names, alpha, view)
    export.chart("curves", figure, alt, picture, lambda: words.curves_frame(drawn), header, take_alpha)
    table_place.html(words.table_html(made, names, alpha, prior, values["delta"]))
    frame.write_link(OWN)


def take_alpha(x):
    """Take the α of a clicked point, to two digits."""
    inputs.enter("alpha", text.nearest(x, 2))


with left:
    reading()
st.header("One number instead of the curve")
inputs.choice_field(QUOTE, "Quote the chosen curve")
if values["quote"] == "delta":
    quoted = readings.quotation_at_delta(curve, values["delta"])
else:
    quoted = readings.quotation_at_epsilon(curve, values["epsilon"])
conceded = None if quoted is None else readings.conceded(curve, quoted)
said = words.quotation(curve, name, quoted, conceded, values["delta"])
st.markdown("\n\n".join(said))
if quoted is not None and conceded is not None:
    subtitle, labels = words.quotation_labels(name, quoted)
    drawn = drawn_at(np.float64(quoted.touches))[place]
    figure = figures.quotation_figure(conceded, drawn, labels, quoted.touches, values["view"], subtitle, colour)
    alt = text.unmarked(" ".join(said))
    chosen = {"curve": name, "epsilon": quoted.epsilon, "delta": quoted.delta, "smallest mu": quoted.limited_mu.mu}
    export.chart("quotation", figure, alt, picture, conceded, words.csv_header(names, written, **chosen))

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
    confidence, delta = values["confidence"], min(values["delta"], 1 - 1e-15)
    band = audit.band(measured, confidence, np.random.default_rng(int(values["seed"])))
    epsilon, mu = audit.epsilon_lower(band, delta), audit.mu_lower(band)
    broken = {label: audit.contradicted(band, each.beta) for label, each in zip(names, made, strict=True)}
    summary = words.audit_text(measured, source, confidence, epsilon, mu, delta, broken, name)
    st.markdown(summary)
    points = (measured.alpha, measured.beta)
    subtitle = words.subtitle(names, f"{source}, confidence {text.nearest(confidence, 17)}")
    drawn, hull = drawn_at(np.float64(0.5)), readings.reached(*points)
    figure = figures.attack_figure(drawn, name, points, hull, band, broken[name], values["view"], subtitle, colour)
    proved = {"claim": name, "source": source, "confidence": confidence, "seed": values["seed"], "delta": delta}
    proved |= {"proved epsilon": float(epsilon.value), "proved mu": float(mu.value)}
    header = words.csv_header(names, written, **proved)
    export.chart("attack", figure, text.unmarked(summary), picture, words.band_frame(band, broken[name]), header)
    st.markdown(words.NOT_PROVED)
frame.explanation(lambda: words.explanation(item, name, quoted))
