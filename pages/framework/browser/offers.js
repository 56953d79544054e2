// What the buttons beside the answer open below it. Python makes it for one setting; at another it is never shown, but
// asked for anew once the hand rests.
const REST = 300; // ms

function newOffer(stage) {
  stage.panel = element("section", "dp-offer", stage.node, {id: "dp-offer"});
  stage.panel.hidden = true;
  stage.panel.onkeydown = (event) => { // which returns nothing: false would take Tab and Enter from the buttons in it
    if (event.key === "Escape") event.stopPropagation(), closeOffer(true);
  };
  stage.panel.onclick = (event) => copyCode(event.target.closest("[data-copy]"));
  stage.news = element("p", "dp-hidden", stage.node, {role: "status"});
  stage.copied = element("p", "dp-hidden", stage.node, {role: "status"});
}

function showOffers(offers) {
  if (root.offers.names !== JSON.stringify(offers)) {
    root.offers.names = JSON.stringify(offers);
    root.offers.replaceChildren();
    for (const [key, name] of Object.entries(offers)) {
      const button = toolButton(root.offers, name, () => (root.open?.key === key ? closeOffer() : openOffer(key)), "");
      button.dataset.offer = key;
      button.setAttribute("aria-controls", "dp-offer");
    }
  }
  if (root.open && !offers[root.open.key]) root.open = null;
  showOffer();
}

function openOffer(key) {
  root.open = {key, view: null, html: ""};
  showOffer();
}

function closeOffer(byKey) {
  const button = root.offers.querySelector(`[data-offer="${root.open?.key}"]`);
  root.open = null;
  showOffer();
  if (byKey) button?.focus();
}

function takeOffer(key, bytes) {
  if (root?.open?.key === key) Object.assign(root.open, {view: told.head.view, html: new TextDecoder().decode(bytes)});
}

const isFresh = () => Boolean(root.open?.view && root.view) && plainView(root.open.view) === plainView(root.view);

function showOffer() {
  const {open, panel} = root;
  for (const button of root.offers.children) button.setAttribute("aria-expanded", String(open?.key === button.dataset.offer));
  panel.hidden = !open;
  if (!open) {
    setHtml(panel, "");
    root.news.textContent = panel.style.minHeight = "";
    return;
  }
  const name = told.head.offers[open.key] ?? "", fresh = isFresh();
  panel.setAttribute("aria-label", name);
  panel.setAttribute("role", "region");
  panel.setAttribute("aria-busy", String(!fresh));
  panel.style.minHeight = fresh ? "" : `${panel.offsetHeight}px`; // nothing jumps while the setting moves
  setHtml(panel, fresh ? open.html : "<p>Computing for this setting …</p>");
  const news = fresh ? `${name}: shown below the answer` : `${name}: computing`;
  if (root.news.textContent !== news) root.news.textContent = news;
  if (!fresh) askOffer(open.view ? REST : 0);
}

function askOffer(wait) {
  clearTimeout(root.asking);
  root.asking = setTimeout(() => {
    if (!root?.open || isFresh()) return;
    if (busy || queue || told.hold) askOffer(REST);
    else ask({offer: root.open.key, have: told.head.view, how: "none"});
  }, wait);
}

async function copyCode(button) {
  if (!button) return;
  const code = button.parentNode.querySelector("code"), done = root.copied;
  try {
    await navigator.clipboard.writeText(code.textContent);
    done.textContent = "The code is copied.";
    button.textContent = "Copied";
  } catch { // no clipboard for a page that is not served safely
    getSelection().selectAllChildren(code);
    done.textContent = "The code is selected: copy it from there.";
    button.textContent = "Selected";
  }
}
