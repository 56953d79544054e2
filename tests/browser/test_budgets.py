"""The sections under "I publish" keep to their budgets of words and fields, and experts' words are one click away."""

import re
from collections.abc import Iterator

from playwright.sync_api import Page

from pages.framework.layout.page import load_page
from pages.shared import site_map
from tests.browser.layout import AT_REST, unspoken
from tests.browser.reading import ALL_IN_SIGHT, LIMIT, follow

FIRST_SCREEN, FOLDED, FIELDS, SCREENS = 180, 400, 6, 2.2
"""The most words on the first screen and with everything folded, the most fields beside the picture, and the most
screens of 1280 × 720 that a section is tall with everything folded. The aim is 1.5; the cells of a table take two.
"""
EXPERT_WORDS = re.compile(r"\bnats\b|\bpDP\b|staircase|p = 3|classical", re.IGNORECASE)
# The words in sight, of the first screen and of the whole page: what has a letter, but is no key, no icon, no option of
# a list, and no name that the user has given to a cell or a query.
_WORDS = r"""() => {
  const words = {first: [], all: []};
  const walker = document.createTreeWalker(document.querySelector(".stMain"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent.closest("option, select, kbd, [data-testid=stIconMaterial], script, style, .dp-hidden")) continue;
    if (parent.closest(".ytick, [class*=st-key-list_row_]")) continue;
    if (!parent.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true})) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const [box] = [...range.getClientRects()].filter(({width, height}) => width > 1 && height > 1);
    if (!box) continue;
    const found = node.textContent.split(/\s+/).filter((word) => /\p{L}/u.test(word));
    words.all.push(...found);
    if (box.top < innerHeight) words.first.push(...found);
  }
  const fields = [...document.querySelectorAll(".stMain .dp-field")].filter((field) => field.checkVisibility());
  const tall = document.querySelector(".dp-stage").getBoundingClientRect().height / innerHeight;
  const beside = fields.filter((field) => field.closest(".dp-controls"));
  return {...words, tall, fields: fields.length, beside: beside.length};
}"""


def sections() -> Iterator[tuple[str, str]]:
    """Yield the path of the page and the key of each section under "I publish"."""
    (group,) = (group for group in site_map.GROUPS if group.name == "I publish")
    for entry in group.entries:
        for tabs in entry.tabs:
            sections = load_page(tabs.page).section_by_key
            for key in tabs.keys or sections:
                yield from ((tabs.page.path, picture) for picture in (key, *sections[key].former))


def test_every_section_for_people_who_publish_keeps_to_its_budgets(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.set_default_timeout(LIMIT)
    problems = []
    for path, key in sections():
        follow(page, f"{server}/{path}?section={key}{'&query=mean' if key == 'records' else ''}", ALL_IN_SIGHT)
        page.evaluate(AT_REST)
        seen, name = page.evaluate(_WORDS), f"{path} {key}"
        problems += [f"{name}, not spoken as it is seen: {field}" for field in unspoken(page)]
        counts = {"first screen": (seen["first"], FIRST_SCREEN), "folded": (seen["all"], FOLDED)}
        problems += [
            f"{name}, {part}: {len(words)} words" for part, (words, most) in counts.items() if len(words) > most
        ]
        problems += [f"{name}: {seen['beside']} fields beside the picture"] if seen["beside"] > FIELDS else []
        problems += [f"{name}: fields below the picture"] if seen["fields"] > seen["beside"] else []
        problems += [f"{name}: {seen['tall']:.2f} screens tall"] if seen["tall"] > SCREENS else []
        experts = EXPERT_WORDS.findall(" ".join(seen["first"]))
        problems += [f"{name}: {', '.join(experts)}"] if experts else []
    assert not problems, "\n".join(problems)
