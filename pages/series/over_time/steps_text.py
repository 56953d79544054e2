"""What to do with the answer on a series, in three steps."""

from pages.framework.parameters.number_format import format_input_up, format_up
from pages.series.conditions import limit_text
from pages.series.over_time.text import LINE_NAMES, number_words
from pages.series.results import SeriesResult
from pages.shared import release_steps


def series_steps_text(result: SeriesResult) -> str:
    """Return how to limit what a person adds, which noise to draw once, and what to publish with each number."""
    setting, found = result.setting, result.over_time
    when = f"when its {setting.period} ends" if setting.publication == "as_it_goes" else "at the end"
    terms = f"ε = {format_input_up(setting.epsilon)} and δ = {format_input_up(setting.delta)}"
    better = (
        f" Better here: Laplace noise with **b = {format_up(found.laplace_scale)}** in each {setting.period}, and sums "
        f"of it (±{format_up(found.laplace)}, without a δ)."
        if found.is_laplace_better
        else ""
    )
    return release_steps.steps_text(
        f"Make sure that {limit_text(setting)}.",
        f"Draw Gaussian noise with **σ = {format_up(found.noise_scale)}** for each noisy sum "
        f"({LINE_NAMES[found.chosen.strategy]}), **once for the whole series**.{better}",
        f"Publish each {number_words(setting)} {when}, with ±{format_up(found.half_width)} in "
        f"{setting.share_text}, {terms} for a person over the whole series, and the conditions.",
    )
