"""The pages of the product: the address, name and question of each, once."""

from pages.framework.site import MenuEntry, MenuGroup, PageEntry, Tabs

START = PageEntry("start.py", "Start", "How much noise protects the people in what you publish?")
GAUSSIAN_BOUNDS = PageEntry(
    "pages/1_Gaussian_bounds.py",
    "Gaussian bounds",
    "How much Gaussian noise does each bound require, and is it proved?",
    "gaussian_bounds",
)
GENERALIZED_GAUSSIAN = PageEntry(
    "pages/2_Generalized_Gaussian.py",
    "Generalized Gaussian",
    "Which shape of noise has the least error?",
    "generalized_gaussian",
)
TRADEOFF = PageEntry(
    "pages/3_Trade-off_curves.py", "Trade-off curves", "How much can an attacker learn about one person?", "tradeoff"
)
LAPLACE_GAUSSIAN = PageEntry(
    "pages/4_Laplace_vs_Gaussian.py",
    "Laplace vs Gaussian",
    "Laplace or Gaussian noise: which has the smaller error?",
    "laplace_gaussian",
)
ACCURACY = PageEntry(
    "pages/5_Accuracy.py", "One number", "How accurate is a release, and what does accuracy cost?", "accuracy"
)
TABLES = PageEntry("pages/6_Tables.py", "A table", "Which noise for my table, and which cells remain usable?", "tables")
DENOISING = PageEntry("pages/7_Denoising.py", "Denoising", "How much of the noise can denoising remove?", "denoising")
CLIPPING = PageEntry(
    "pages/14_Clipping.py", "Clipping", "Where should I clip values, and how many records per person?", "clipping"
)
MEDIAN = PageEntry(
    "pages/16_A_median.py", "A median", "How far off is a private median, and what does that depend on?", "median"
)
PLAN = PageEntry("pages/13_Plan.py", "Several statistics", "Which noise for several queries, and what total ε?", "plan")
SERIES = PageEntry(
    "pages/17_A_series.py",
    "A series",
    "How accurate are monthly totals and ranges, and which noise do they need?",
    "series",
)
SURVEY = PageEntry(
    "pages/18_A_survey.py", "A survey", "How accurate is a survey in which each person adds the noise?", "survey"
)
COMPOSITION = PageEntry(
    "pages/8_Composition.py", "All releases together", "What do many releases cost together?", "composition"
)
MEANING = PageEntry("pages/15_What_epsilon_means.py", "What ε means", "What does ε mean for one person?", "meaning")
PAPERS = PageEntry(
    "pages/12_Papers_reproduced.py", "Papers reproduced", "Which published results can be reproduced?", "papers"
)
LIVE_CLASS = PageEntry("pages/19_Ask_the_class.py", "Ask the class", "What does a class think?", "live_class")
REPORT = PageEntry("pages/9_Report.py", "Report", "What goes into my report?", "report")
PAGES = (
    *(START, ACCURACY, TABLES, PLAN, MEDIAN, SERIES, SURVEY, CLIPPING, MEANING, COMPOSITION),
    *(GAUSSIAN_BOUNDS, GENERALIZED_GAUSSIAN, LAPLACE_GAUSSIAN, TRADEOFF, DENOISING, PAPERS, LIVE_CLASS, REPORT),
)


def _entry(page: PageEntry, *tabs: Tabs) -> MenuEntry:
    """Return the entry under the name and the question of a page, with these tabs or all of its sections."""
    return MenuEntry(page.name, page.question, tabs or (Tabs(page),))


GROUPS = (
    MenuGroup("", (_entry(START, Tabs(START, ("pages",))),)),
    MenuGroup(
        "I publish",
        (
            _entry(
                ACCURACY,
                Tabs(ACCURACY),
                Tabs(CLIPPING, ("sum",), "Where should I clip values before they are added up?"),
            ),
            _entry(
                TABLES,
                Tabs(TABLES, ("table", "release", "noise", "appear")),
                Tabs(CLIPPING, ("contributions",), "How many records of one person should count?"),
            ),
            _entry(PLAN),
            _entry(MEDIAN),
            _entry(SERIES),
            _entry(SURVEY),
            MenuEntry(
                "A trained model",
                "Which ε does a training have, and which noise does an ε need?",
                (Tabs(COMPOSITION, ("training",)),),
            ),
        ),
    ),
    MenuGroup(
        "Is it private enough?",
        (
            _entry(
                MEANING,
                Tabs(MEANING),
                Tabs(TRADEOFF, ("risk",), "Which noise keeps a risk below my limit?"),
                Tabs(COMPOSITION, ("published",), "Which ε have others used?"),
            ),
            _entry(COMPOSITION, Tabs(COMPOSITION, ("together", "profile"))),
        ),
    ),
    MenuGroup(
        "Theory",
        (
            _entry(GAUSSIAN_BOUNDS),
            _entry(GENERALIZED_GAUSSIAN),
            _entry(LAPLACE_GAUSSIAN),
            _entry(TRADEOFF, Tabs(TRADEOFF, ("curves", "attack"))),
            _entry(DENOISING),
            _entry(PAPERS),
        ),
    ),
    MenuGroup(
        "Teach and report",
        (
            MenuEntry(
                "Classroom",
                "What can I show in front of a class?",
                (Tabs(START, ("class",)), Tabs(LIVE_CLASS, (), LIVE_CLASS.question)),
            ),
            _entry(REPORT),
            MenuEntry("Glossary", "What do the words mean?", (Tabs(START, ("glossary",)),)),
        ),
    ),
)
"""The navigation, by question: the sections of an entry share a row of tabs, whatever pages they are on."""
