"""The pages of the product: the address, name and question of each, once."""

from pages.framework.layout.page_entry import PageEntry, PageGroup, SectionEntry

START = PageEntry("start.py", "Start", "What does each choice of privacy parameters cost?")
GAUSSIAN_BOUNDS = PageEntry(
    "pages/1_Gaussian_bounds.py",
    "Gaussian bounds",
    "How much Gaussian noise does each bound require, and is it proved?",
    "gaussian_bounds",
    "**How much Gaussian noise does each known bound require, and is it proved?** "
    "σ of six bounds against ε and δ, the privacy that each really gives, and a verdict on each in words.",
)
GENERALIZED_GAUSSIAN = PageEntry(
    "pages/2_Generalized_Gaussian.py",
    "Generalized Gaussian",
    "Which shape of noise has the least error?",
    "generalized_gaussian",
    "**Which shape of noise has the least error?** The scale of generalized Gaussian noise for every shape p, "
    "exact where the paper bounds or simulates, the best p at each ε and δ, and noise for bounded statistics.",
)
TRADEOFF = PageEntry(
    "pages/3_Trade-off_curves.py",
    "Trade-off curves",
    "How much can an attacker learn about one person?",
    "tradeoff",
    "**How much can an attacker learn about one person?** The least error rates of any attack under up to eight "
    "guarantees or mechanisms, the posterior after a positive test, what one (ε, δ) or μ leaves out, and the ε that "
    "the results of an attack prove.",
)
LAPLACE_GAUSSIAN = PageEntry(
    "pages/4_Laplace_vs_Gaussian.py",
    "Laplace vs Gaussian",
    "Laplace or Gaussian noise: which has the smaller error?",
    "laplace_gaussian",
    "**Which noise should I add, Laplace or Gaussian?** Their tails, errors and draws side by side, the number of "
    "statistics and the δ from which the Gaussian has the smaller error, and what the same tail costs in ε.",
)
ACCURACY = PageEntry(
    "pages/5_Accuracy.py",
    "Accuracy",
    "How accurate is a release, and what does accuracy cost?",
    "accuracy",
    "**What ε do I need for the error I can accept?** The accuracy of every mechanism for counts, sums, means, "
    "proportions and histograms, and the ε or the number of records that an acceptable error requires. The "
    "sensitivity follows from the query.",
)
TABLES = PageEntry(
    "pages/6_Tables.py",
    "Tables",
    "Which noise should I add to my table, and which cells remain usable?",
    "tables",
    "**I publish a table of counts: which noise should I add, how much, and which cells remain usable?** One "
    "recommended noise with its reason, the error of one cell and of all cells at once, your own table with its error "
    "bars, and trial releases.",
)
DENOISING = PageEntry(
    "pages/7_Denoising.py",
    "Denoising",
    "How much of the noise can denoising remove?",
    "denoising",
    "**How much of the noise can denoising remove?** It costs no privacy. Shrinkage, "
    "thresholds, wavelets, projections and smoothing on graphs, ranked on the release itself, on your counts and on "
    "maps.",
)
CLIPPING = PageEntry(
    "pages/14_Clipping.py",
    "Clipping",
    "Where should I clip values, and how many records per person?",
    "clipping",
    "**Where should I clip values before noise is added?** The bound of the least error of a sum or mean, bias against "
    "noise, for a distribution or your own values, the rule of thumb, and the cost of a bound that is itself private.",
)
PLAN = PageEntry(
    "pages/13_Plan.py",
    "Plan",
    "Which noise for several queries, and what total ε?",
    "plan",
    "**I publish several statistics: which noise for each, and what total ε?** A list of queries with the errors that "
    "you need gives the least total that a search finds, with the mechanism and scale of each query; or a total gives "
    "the errors that it allows.",
)
COMPOSITION = PageEntry(
    "pages/8_Composition.py",
    "Composition",
    "What do many releases cost together?",
    "composition",
    "**What do many releases cost together?** A list of releases of any kind, composed exactly, and what each line "
    "costs; a comparison of accountants; noise, steps and batches of DP-SGD, also for shuffled batches; and "
    "published guarantees, computed again.",
)
PAPERS = PageEntry(
    "pages/12_Papers_reproduced.py",
    "Papers reproduced",
    "Which published results can be reproduced?",
    "papers",
    "**Which published figures and experiments can be reproduced?** Balle and Wang 2018, experiments 5.1 and 5.2; "
    "Liu 2019, Figs. 3 to 12 and the exponential mechanism of Lemma 10. Each takes your own parameters, and shows what "
    "the paper omits.",
)
REPORT = PageEntry(
    "pages/9_Report.py",
    "Report",
    "What goes into my report?",
    "report",
    "**What goes into my report?** The pictures, tables and answers that you add on the other pages, in your "
    "order and with your notes, as one file that needs no network, as a PDF, and as CSV. Its link rebuilds it.",
)
GROUPS = (
    PageGroup("", (START,)),
    PageGroup("Noise", (GAUSSIAN_BOUNDS, GENERALIZED_GAUSSIAN, LAPLACE_GAUSSIAN)),
    PageGroup("Risk", (TRADEOFF,)),
    PageGroup("Releases", (CLIPPING, PLAN, ACCURACY, TABLES, DENOISING, COMPOSITION)),
    PageGroup("", (PAPERS, REPORT, SectionEntry(START, "glossary", "Glossary"))),
)
"""The navigation: a new page gets its place in a group, and with it a link, a line on the start page and its tests."""
PAGES = tuple(entry for group in GROUPS for entry in group.entries if isinstance(entry, PageEntry))
