// What leaves the page or changes how it is seen: menus, files, the link, a presentation.

// A button and what it opens beside itself; made anew each time it is opened.
function popover(button, fill) {
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-expanded", "false");
  const close = () => {
    button.box?.remove();
    button.box = null;
    button.setAttribute("aria-expanded", "false");
    removeEventListener("pointerdown", outside, true);
  };
  const outside = (event) => !button.box?.contains(event.target) && !button.contains(event.target) && close();
  button.onclick = () => {
    if (button.box) return close();
    button.box = element("div", "dp-popover", button.parentElement, {role: "dialog", "aria-label": button.getAttribute("aria-label") ?? button.textContent});
    button.box.onkeydown = (event) => event.key === "Escape" && (event.stopPropagation(), close(), button.focus());
    fill(button.box, close);
    button.setAttribute("aria-expanded", "true");
    const {left, right} = button.box.getBoundingClientRect();
    if (right > innerWidth - 8) button.box.style.translate = `${innerWidth - 8 - right}px 0`;
    else if (left < 8) button.box.style.translate = `${8 - left}px 0`;
    button.box.querySelector("button, input, select")?.focus();
    addEventListener("pointerdown", outside, true);
  };
}

function toolButton(host, name, act, kind = "dp-tool") {
  const button = element("button", kind, host, {type: "button"});
  button.textContent = name;
  button.onclick = act;
  return button;
}

function pageTools(stage) {
  stage.buttons = {
    pin: toolButton(stage.tools, "Pin", () => ask({pin: !told.head.pinned})),
    present: toolButton(stage.tools, "Present", () => change({present: told.head.present ? "off" : "on"}, false)),
    share: toolButton(stage.tools, "Share"),
  };
  stage.buttons.pin.title = "Keep this setting to compare with others";
  popover(stage.buttons.share, (box, close) => {
    const done = element("p", "dp-done", null, {role: "status"});
    const copy = (text, said) => navigator.clipboard.writeText(text).then(() => (done.textContent = said), () => (done.textContent = text));
    toolButton(box, "Copy link", () => copy(location.href, "The link is copied."), "dp-entry-button");
    toolButton(box, "Copy citation", () => copy(citation(), "The citation is copied."), "dp-entry-button");
    const code = () => (location.href.length > LONGEST ? (done.textContent = "The link is too long for a code.") : ask({qr: location.href}));
    if (!isReport()) toolButton(box, "Add the answer to the report", () => (close(), addToReport("answer")), "dp-entry-button");
    toolButton(box, "QR code of the link", code, "dp-entry-button");
    if (!isReport()) toolButton(box, "Print or PDF", () => (close(), setTimeout(print)), "dp-entry-button");
    box.append(done);
    stage.code = element("div", "dp-code", box);
  });
}

const LONGEST = 2500; // characters of a link that a QR code can hold
function citation() {
  const said = [...root.said.querySelectorAll("p")].slice(0, 2).map((line) => line.textContent.trim()).join(" ");
  return `“${said}” DP Trade-off Explorer ${told.head.version}, ${new Date().toISOString().slice(0, 10)}, ${location.href}`;
}

function exhibitTools(made, part) {
  made.part = part;
  if (made.tools) return;
  made.tools = element("div", "dp-exhibit-tools", made.chart?.frame ?? made.node);
  const menu = toolButton(made.tools, "⋯", null, "dp-menu");
  menu.setAttribute("aria-label", made.chart ? "Save or enlarge this chart" : "Save this table");
  popover(menu, (box, close) => {
    if (made.part.confidential) element("p", "dp-confidential", box).textContent = made.part.confidential;
    if (!isReport()) toolButton(box, "Add to report", () => (close(), addToReport(made.part.name)), "dp-entry-button");
    toolButton(box, "Numbers as CSV", () => (ask({csv: made.part.name}), close()), "dp-entry-button");
    if (!made.chart) return;
    toolButton(box, "Save picture", () => saveFields(box, made, close), "dp-entry-button");
    toolButton(box, "Reset zoom", () => (resetZoom(made.chart), close()), "dp-entry-button");
    if (document.fullscreenEnabled) toolButton(box, "Full screen", () => (close(), toggleFull(made.chart)), "dp-entry-button");
  });
}

// What an author asks of a saved picture; the browser remembers it.
const PAPER = {format: null, widthMm: 180, typePt: 8, titled: true, greySafe: false, transparent: false};
const saver = {script: null, font: null, wish: null};

function saveFields(box, made, close) {
  const paper = {...PAPER, ...remembered(), format: told.head.picture};
  box.replaceChildren();
  if (made.part.confidential) element("p", "dp-confidential", box).textContent = made.part.confidential;
  const pick = (name, key, options) => {
    const label = element("label", "dp-row", box), select = element("select", "dp-select", label);
    label.prepend(name);
    for (const [value, words] of options) element("option", "", select, {value}).textContent = words;
    select.value = String(paper[key]);
    select.onchange = () => (paper[key] = key === "format" ? select.value : Number(select.value));
  };
  pick("Format", "format", [["svg", "SVG"], ["png", "PNG, 300 dpi"], ["pdf", "PDF"]]);
  pick("Width", "widthMm", [[85, "85 mm"], [120, "120 mm"], [180, "180 mm"]]);
  pick("Type", "typePt", [6, 7, 8, 9, 10, 11, 12].map((size) => [size, `${size} pt`]));
  for (const [key, name] of [["titled", "With its title"], ["greySafe", "Apart in grey print"], ["transparent", "No white ground"]]) {
    const label = element("label", "dp-row", box), tick = element("input", "", label, {type: "checkbox"});
    label.append(name);
    tick.checked = paper[key];
    tick.onchange = () => (paper[key] = tick.checked);
  }
  toolButton(box, "Save", () => {
    rememberPaper(paper);
    saver.wish = {...paper, name: made.part.name, alternative: made.part.alt, hidden: [...made.chart.hidden], ranges: zoomOf(made.chart)};
    ask({light: made.part.name, script: !saver.script, how: "replace", ...(paper.format === told.head.picture ? {} : {set: {picture: paper.format}})});
    close();
  }, "dp-entry-button");
  box.querySelector("select").focus();
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem("dp_paper")) ?? {};
  } catch {
    return {}; // a browser may refuse to remember
  }
}

function rememberPaper(paper) {
  try {
    localStorage.setItem("dp_paper", JSON.stringify(paper));
  } catch {} // as above
}

// The ranges of the axes that are fixed, by their figure or by a zoom.
function zoomOf({plot}) {
  const axes = Object.entries(plot._fullLayout ?? {}).filter(([key, axis]) => /^[xy]axis\d*$/.test(key) && axis.autorange === false);
  return Object.fromEntries(axes.map(([key, axis]) => [key, [...axis.range]]));
}

async function savePicture(part) {
  const {savedPicture} = await saver.script, {wish} = saver;
  if (!wish) return;
  saver.wish = null;
  const about = {link: location.href, version: told.head.version, date: new Date().toISOString().slice(0, 10), font: saver.font};
  const {name, blob} = await savedPicture(globalThis.Plotly, part.figure, {...wish, ...about});
  save(name, blob);
}

// Files and codes that Python has made.
function deliver(kind, what, bytes) {
  if (kind === "csv") save(what, new Blob([bytes], {type: "text/csv"}));
  if (kind === "added") takeItem(JSON.parse(new TextDecoder().decode(bytes)));
  if (kind === "plotly") visit.plotly = inflated(bytes);
  if (kind === "file") takeFile(what, bytes);
  if (kind === "keep") storeCopy(what, bytes);
  if (kind === "qr" && root.code) root.code.innerHTML = new TextDecoder().decode(bytes);
  if (kind === "font") saver.font = bytes;
  if (kind === "script") saver.script = import(URL.createObjectURL(new Blob([bytes], {type: "text/javascript"})));
  if (kind === "offer") takeOffer(what, bytes);
  if (kind === "light") savePicture(unpack(bytes));
}

function save(name, blob) {
  const link = element("a", "", document.body, {href: URL.createObjectURL(blob), download: name});
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

addEventListener("beforeprint", drawAll);
addEventListener("resize", () => { for (const chart of charts) if (chart.height) redraw(chart); wake(); });

// Whether a key is for the field that has the focus: where nothing is being typed, Escape and the page keys are not.
function isForField({target, key}) {
  const field = target.closest?.("[role=dialog]") ?? target.closest?.("input, select, textarea, [role=slider]");
  if (!field || !["Escape", "PageDown", "PageUp"].includes(key)) return Boolean(field);
  return !field.matches("[type=range], [type=radio], [role=slider], .dp-entry") || (field.matches(".dp-entry") && field.value !== field.told);
}

// In a presentation the page keys go through the sections, from its sliders too; in a demonstration they step.
addEventListener("keydown", (event) => {
  const by = {PageDown: 1, PageUp: -1}[event.key];
  if (!by || !root?.present || told.head?.demo || isForField(event)) return;
  const links = [...root.sections.children], at = links.findIndex((link) => link.hasAttribute("aria-current"));
  event.preventDefault();
  event.stopImmediatePropagation();
  links[at + by]?.click();
}, true);

// The arrow keys move its first parameter, and Escape ends it.
addEventListener("keydown", (event) => {
  if (!root?.present || isForField(event)) return;
  const key = Object.keys(root.fields).find((each) => root.fields[each].steps?.length && root.strip.querySelector(`[data-key="${each}"]`));
  if (event.key === "Escape") return change({present: "off"}, false);
  const step = key && event.key.startsWith("Arrow") && keyStep(event, root.fields[key].steps, hand.valueOf(key));
  if (step) turn(key, step, true);
});
addEventListener("keyup", (event) => root?.present && event.key.startsWith("Arrow") && rest(nearKey));
