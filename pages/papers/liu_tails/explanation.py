"""How the tails of both noises are computed."""

from dpcore import laplace
from dpcore.calibrations import LAPLACE
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, tex
from pages.papers.liu_tails.text import no_answer_text
from pages.papers.results import PapersResult
from pages.shared.laplace_query import sensitivity_text
from pages.shared.looks import LOOKS


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
