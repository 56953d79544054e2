"""The section on Liu's Figs. 4 and 5: the tails of Laplace and Gaussian noise."""

from collections.abc import Iterator
from typing import Any

from dpcore import laplace
from dpcore.calibrations import LAPLACE
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Field, Fields, Part, Section, Snippet
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, tex
from pages.papers.liu_tails import figures, text
from pages.papers.liu_tails.parameters import CUTOFF
from pages.papers.liu_tails.text import no_answer_text
from pages.papers.results import PapersResult
from pages.shared.laplace_query import CASE, GAUSSIAN, T, gaussian_name, sensitivity_parameters, sensitivity_text
from pages.shared.libraries import DPCORE, PEERS
from pages.shared.looks import LOOKS
from pages.shared.shared_parameters import DELTA, DELTAS, DELTAS_HELP, EPSILON


def explanation_text(result: PapersResult) -> str:
    """Return how the tails are computed, with the user's numbers, or that there are none at this ε."""
    tails, setting = result.tails, result.tails.setting
    if not tails.has_answer:
        return no_answer_text(setting)[1]
    rule, (laplace_noise, gaussian_noise) = setting.calibration, tails.noises
    e, b, sigma = (
        tex(format_input_up(setting.epsilon)),
        tex(format_up(laplace_noise.scale)),
        tex(format_up(gaussian_noise.scale)),
    )
    l1 = tex(sensitivity_text(setting, setting.l1))
    tail = tex(format_nearest(float(laplace.tail(setting.t, laplace_noise.scale))))
    return "\n\n".join(
        (
            rf"**Laplace noise**, pure ε-DP ({LAPLACE.theorem}): $b=\Delta_1/\varepsilon={l1}/{e}={b}$. Its tail is "
            rf"$p_1=\Pr(|e|>t)=e^{{-t/b}}={tail}$ at t = {format_input_up(setting.t)}.",
            f"**{rule.name}** ({rule.theorem}; {LOOKS[rule.key].proved_for.rstrip('.').lower()}): "
            rf"$${LOOKS[rule.key].equation}$$ Here $\sigma={sigma}$. Its tail is $p_2=2\Phi(-t/\sigma)$.",
            "**Fig. 4** shows $p_1/p_2$ at the same ε, for each δ.",
            r"**Fig. 5**, in closed form: the σ with Laplace’s tail at t is $\sigma=t/q$ with $q=-\Phi^{-1}(p_1/2)$; "
            "the formula of the Gaussian, solved for ε at that σ, gives ε₂, and the curve is ε₂/ε. For pDP "
            r"$\varepsilon_2=\Delta_2\,(-\Phi^{-1}(\delta/2)+\Delta_2/(2\sigma))/\sigma$.",
        )
    )


def tail_ratios(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return Liu's Fig. 4: the ratio of both tails."""
    tails, pinned_tails = result.tails, result.answered_pinned_tails
    if not tails.has_answer:
        return None
    t, setting = tails.ratio_grid, tails.setting
    numbers = tails.ratios(t, tails.deltas)
    pinned = pinned_tails and pinned_tails.ratios(t, [pinned_tails.setting.delta])
    figure = figures.ratio_figure(numbers, pinned, setting.t, text.subtitle(tails), setting.calibration, colours)
    return Exhibit("ratio", figure, text.RATIOS_ALTERNATIVE_TEXT, numbers, csv_header(result))


def privacy_costs(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return Liu's Fig. 5: the privacy cost of the same tail."""
    tails, pinned_tails = result.tails, result.answered_pinned_tails
    if not tails.has_answer:
        return None
    t, setting = tails.cost_grid, tails.setting
    numbers = tails.costs(t, tails.deltas)
    pinned = pinned_tails and pinned_tails.costs(t, [pinned_tails.setting.delta])
    figure = figures.cost_figure(numbers, pinned, setting.t, text.subtitle(tails), setting.calibration, colours)
    return Exhibit("cost", figure, text.COSTS_ALTERNATIVE_TEXT, numbers, csv_header(result))


def csv_header(result: PapersResult) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV, with those of the pinned setting."""
    setting = result.tails.setting
    own = {
        "l1_sensitivity": repr(setting.l1),
        "l2_sensitivity": repr(setting.l2),
        "gaussian": gaussian_name(setting.calibration),
        "t": setting.t,
        "cutoff": setting.cutoff,
        "units": "epsilon in nats; delta and tails are probabilities; t in query units",
    }
    pinned = {} if result.pinned is None else {"pinned": text.setting_text(result.pinned.tails.setting)}
    return setting.csv_header | own | pinned


_NAMES = {"analytic": "ANALYTIC", "pdp": "PDP", "classical": "CLASSICAL"}
_NO_TAILS = "It does not compare the tails of two noises."


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return the code of the answer; nothing where Laplace noise has no answer or the ratio has no finite value."""
    tails, setting = result.tails, result.tails.setting
    if not tails.has_answer or not min(tails.tails) > 0:
        return ()
    numbers = ", ".join(number(value) for value in (setting.epsilon, setting.delta, *setting.norms, setting.t))
    code = program(
        "from dpcore import laplace_gaussian as rivals",
        "",
        f"epsilon, delta, l1, l2, t = {numbers}",
        f"rule = rivals.{_NAMES[setting.gaussian]}",
        "print(rivals.tail_ratios(t, rule, epsilon, delta, l1, l2)['ratio'][0])",
        "print(rivals.privacy_costs(t, rule, epsilon, delta, l1, l2)['cost'][0])",
    )
    ratio = float(tails.ratios(setting.t, [setting.delta])["ratio"].to_numpy()[0])
    note = "Laplace’s tail over the Gaussian’s at t, and the Gaussian’s ε over Laplace’s at the same tail."
    return Snippet(DPCORE, code, note, (ratio, tails.cost)), *unavailable(dict.fromkeys(PEERS, _NO_TAILS))


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield Liu's Fig. 4, Liu's Fig. 5, and what follows of them."""
    yield tail_ratios(result, colours)
    yield Fields(
        (
            Field(DELTAS, "δ of the curves, comma-separated", DELTAS_HELP),
            CUTOFF,
            Field(CASE, "Query"),
            Field(GAUSSIAN, "Gaussian calibration"),
        )
    )
    yield privacy_costs(result, colours)
    if result.tails.has_answer:
        yield text.status_text(result.tails)
        yield text.recommendation_text(result.tails.setting)


SECTION = Section[PapersResult](
    controls=lambda result: (EPSILON, DELTA, T, *sensitivity_parameters(result.tails.setting.case)),
    parts=parts,
    key="tails",
    name="Liu Figs. 4–5: tails",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(tail_ratios, privacy_costs),
    snippets=snippets,
)
