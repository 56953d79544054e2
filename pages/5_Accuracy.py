import streamlit as st

from pages.shared import accuracy as words
from pages.shared import budget, export, frame, inputs, query
from pages.shared.figures import accuracy as figures

BUDGET = budget.Queries()
OWN = (*query.OWN, BUDGET)

values = frame.open_page(words.TITLE, OWN)
epsilon, delta, significance = (values[key] for key in ("epsilon", "delta", "significance"))
asked, picture, colour = query.asked(values), values["picture"], frame.colours()
by_accuracy = values["known"] == "accuracy"
wanted = values["accuracy"] if by_accuracy else None
noticed = bool(st.session_state.link_problems)
made = query.rows(asked, epsilon, delta, significance, wanted)
header = words.csv_header(asked, values)

frame.answer(*words.answer(asked, made, epsilon, delta, significance, wanted))
with st.container(border=True):
    left, right = st.columns(2)
    with left:
        inputs.choice_field(query.KNOWN, "I know")
        if by_accuracy:
            inputs.quantity_field(query.ACCURACY)
        if asked.query != "proportion":
            inputs.text_field(query.UNIT, "Unit of the query", "What the query counts or measures: people, dollars.")
    with right:
        query.query_field()
        if asked.query != "own":
            inputs.choice_field(query.NEIGHBOURS, "Neighbouring data sets")
        if asked.query in ("sum", "mean"):
            for column, bound in zip(st.columns(2), (query.LOW, query.HIGH), strict=True):
                with column:
                    inputs.quantity_field(bound)
        if asked.query in ("mean", "proportion"):
            inputs.quantity_field(query.N_RECORDS)
        if asked.query == "own":
            inputs.quantity_field(inputs.L1_SENSITIVITY)
    if asked.problem is not None:
        with st.container(key="problem_query"):
            st.text(asked.problem)
    st.markdown(asked.reason)

curves = query.curves(asked, delta, significance)
subtitle = words.described(asked, delta, significance)
needed = {key: row.epsilon for key, row in made.items()}
st.header("What each ε buys")
figure = figures.accuracy_figure(query.EPSILONS, curves, epsilon, wanted, needed, asked.unit, subtitle, colour)
alt = words.alternative(asked, made, epsilon, significance, wanted)
export.chart("accuracy", figure, alt, picture, lambda: words.curves_frame(curves, "accuracy"), header)

st.header("All mechanisms in numbers")
st.markdown(words.ROUNDING)
table_place = st.container()
st.markdown(words.readings(asked, made, epsilon, wanted))

st.header("How many records it takes")
if asked.width is None:
    st.markdown(words.NO_RECORDS)
else:
    if not by_accuracy:
        inputs.quantity_field(query.ACCURACY)
    aim = values["accuracy"]
    records = query.records(asked.width, aim, delta, significance)
    said = words.records_text(asked, asked.width, aim, epsilon, delta, significance)
    st.markdown(said)
    subtitle = words.records_described(asked, aim, delta, significance)
    figure = figures.records_figure(query.EPSILONS, records, epsilon, values["n_records"], subtitle, colour)
    alt = said.replace("**", "").replace("\\", "")
    export.chart("records", figure, alt, picture, lambda: words.curves_frame(records, "n_records"), header)

st.header("A budget over several queries")
st.markdown(budget.NOTE)


@st.fragment  # the list changes nothing else on the page, and this part alone is redrawn sooner
def spread():
    """The budget: its editor, who gets how much, and what each query's accuracy is then."""
    items = inputs.settings((*inputs.SHARED, *OWN))["budget"]
    if bool(st.session_state.link_problems) != noticed:
        st.rerun()
    found = budget.spread(items, epsilon, delta, significance)
    left, right = st.columns([2, 3])
    with left:
        budget.editor(items, found)
    with right:
        if found is None:
            with st.container(key="problem_budget"):
                st.text(budget.too_much(items, epsilon))
        else:
            st.markdown(budget.summary(found))
            names, locked = budget.names_of(items), [bool(item.locked) for item in items]
            subtitle = budget.described(items, epsilon, delta)
            figure = figures.shares_figure(names, found.epsilon, locked, epsilon, subtitle, colour)
            top = budget.csv_header(items, values)
            export.chart("budget", figure, budget.alternative(items, found), picture, budget.numbers(items, found), top)
    if found is not None:
        st.html(budget.table_html(items, found, significance))
    frame.write_link(OWN)


spread()
with table_place:  # after the charts, whose painting it would delay
    st.html(words.table_html(asked, made, epsilon, significance, wanted))
    export.csv_button(lambda: words.rows_frame(made), header, "mechanisms")
frame.explanation(lambda: words.explanation(asked, made, values["neighbours"], epsilon, delta, significance))
