import numpy as np
import streamlit as st

from dpcore import comparison, tables
from dpcore.calibrations import FAILS
from pages.shared import export, frame, inputs
from pages.shared import gaussian_bounds as words
from pages.shared.figures import gaussian_bounds as figures

CALIBRATIONS = {bound.key: bound.name for bound in comparison.CALIBRATIONS}
CHOSEN = inputs.Choice("bound", "bound", CALIBRATIONS, "analytic")
PINNED = inputs.Pin("pinned", "pinned setting", inputs.SHARED)
EPSILONS, DELTAS = np.logspace(-3, 2, 161), np.logspace(-12, 0, 161)[:-1]
NAMES = ("epsilon", "delta", "profile")

values = frame.open_page("How much Gaussian noise, and does the bound hold?", (CHOSEN, PINNED))
now = {quantity.key: values[quantity.key] for quantity in inputs.SHARED}
pinned = dict(zip(now, values["pinned"], strict=True)) if values["pinned"] else None
table = comparison.table(**now)
rows = table.set_index("bound").to_dict("index")
pinned_rows = comparison.table(**pinned).set_index("bound").to_dict("index") if pinned else None
frame.answer(*words.answer(rows, now))
inputs.pin_button(PINNED, words.PIN_HELP)
if pinned:
    st.text(f"Pinned, in grey: {words.described(pinned)}.")


@st.cache_resource(max_entries=64)  # shared and never changed: the frame does not depend on ε
def along_epsilon(delta, sensitivity):
    """The bounds along ε."""
    return comparison.against(EPSILONS, delta, sensitivity)


def curves(setting, rows):
    """The frames behind the pictures: the bounds along ε, along δ, and the profiles of their σ."""
    epsilon, delta, sensitivity = setting["epsilon"], setting["delta"], setting["l2_sensitivity"]
    sigma = {key: row["sigma"] for key, row in rows.items() if row["sigma"] > 0}
    return {
        "epsilon": along_epsilon(delta, sensitivity),
        "delta": comparison.against(epsilon, DELTAS, sensitivity),
        "profile": comparison.profiles(EPSILONS, sigma, sensitivity),
    }


colour = frame.colours()
failing = {key for key, row in rows.items() if row["status"] == FAILS}
alt, header, picture = words.alternative(rows, now), words.csv_header(now), values["picture"]
shown, ghosts = curves(now, rows), curves(pinned, pinned_rows) if pinned else dict.fromkeys(NAMES)
st.header("Which bound asks for how much")
figure = figures.ratio_figure(
    shown["epsilon"], comparison.classical_limit(now["delta"]), now, colour, ghosts["epsilon"]
)
export.chart("ratio", figure, alt, picture, shown["epsilon"], header)
left, right = st.columns(2)
with left:
    figure = figures.profile_figure(shown["profile"], failing, now, colour, ghosts["profile"])
    export.chart("profile", figure, alt, picture, shown["profile"], header)
    figure = figures.sigma_figure(shown["delta"], "delta", now, colour, ghosts["delta"])
    export.chart("sigma_delta", figure, alt, picture, shown["delta"], header)
with right:
    figure = figures.sigma_figure(shown["epsilon"], "epsilon", now, colour, ghosts["epsilon"])
    export.chart("sigma_epsilon", figure, alt, picture, shown["epsilon"], header)
    share = comparison.pdp_share(*figures.pdp_share_grid())
    export.chart("pdp_share", figures.pdp_share_figure(share, now, colour), words.SHARE_ALT, picture, share, {})

st.header("The bounds in numbers")
st.markdown(words.ROUNDING)
st.html(words.table_html(rows, now, pinned_rows))
export.csv_button(table, header, "bounds")
frame.explanation(lambda: words.explanation(rows, now))

st.header("On a real table")
inputs.choice_field(CHOSEN, "Bound that sets σ")
counts, source = inputs.counts_field(tables.czech_autoworkers(), words.CZECH)
row, name = rows[values["bound"]], CALIBRATIONS[values["bound"]]
if np.isnan(row["sigma"]):
    st.text(f"The {name} bound is not defined at this ε, so it sets no σ.")
else:
    count = counts["count"].to_numpy()
    clear = tables.distinguishable(count, row["accuracy"])
    counts = counts.assign(low=count - row["accuracy"], high=count + row["accuracy"], clear=clear)
    summary = words.counts_summary(count, clear, name, row, now)
    st.markdown(summary)
    subtitle = words.counts_subtitle(source, row["accuracy"], now)
    figure = figures.counts_figure(counts, row["accuracy"], subtitle, colour)
    export.chart(
        "counts", figure, summary.replace("**", ""), picture, counts, header | {"bound": name, "table": source}
    )
