// The parameters: boxes, sliders and options, wherever they stand.

function showFields(host, keys) {
  const id = keys.map((key) => `${key} ${root.fields[key].label}`).join("|");
  if (host.keys !== id) {
    host.keys = id;
    host.replaceChildren();
    for (const key of keys) {
      const field = root.fields[key], make = field.steps ? quantityField : field.options ? choiceField : wordsField;
      root.widgets.set(key, make(host, key, field));
    }
  }
  host.hidden = keys.length === 0;
  for (const key of keys) root.widgets.get(key).refresh();
}

// Every place that shows a parameter follows it: its slider, its box, and the markers of the charts.
function follow(key, charted = true) {
  root.widgets.get(key)?.refresh();
  if (!charted) return;
  for (const chart of charts) if (chart.drawn && chart.marks.includes(key)) moveMark(chart, key);
}

let places = 0;
function fieldBox(host, key, field, kind) {
  const node = element("div", `dp-field dp-${kind}`, host, {"data-key": key}), id = `dp_${key}_${places++}`;
  const head = element("div", "dp-field-head", node);
  return {node, head, id, problem: element("p", "dp-problem", node, {id: `${id}_problem`, role: "alert"}), meant: element("p", "dp-meant", node)};
}

function helpButton(host, field, name) {
  if (!field.help && (field.short ?? name) === name) return;
  const button = element("button", "dp-help", host, {type: "button", "aria-label": `About ${field.symbol}`});
  button.textContent = "?";
  popover(button, (box) => {
    element("strong", "", box).textContent = name;
    element("p", "", box).textContent = field.help;
  });
}

function showEntry(box, input, key) {
  const field = root.fields[key], [entry, problem] = told.head.entered[key] ?? [field.used, ""];
  const text = wanted.get(key) ?? entry;
  if (document.activeElement !== input || input.value === input.told) input.value = text;
  input.told = text;
  box.problem.textContent = wanted.has(key) ? "" : problem;
  box.problem.hidden = !box.problem.textContent;
  box.meant.textContent = wanted.has(key) || problem ? "" : field.meant ?? "";
  box.meant.hidden = !box.meant.textContent;
  if (problem) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

function entryBox(host, box, key, name, lines = false) {
  const input = element(lines ? "textarea" : "input", "dp-entry", host, {
    ...(lines ? {rows: 3} : {type: "text"}), id: box.id, autocomplete: "off", spellcheck: "false", "aria-label": name, "aria-describedby": `${box.id}_problem`,
  });
  const commit = () => {
    if (input.value === input.told) return;
    const text = input.value;
    input.told = text; // until Python has read it
    change({[key]: text}, false);
  };
  input.onchange = commit;
  input.onkeydown = (event) => {
    if (event.key === "Enter" && !lines) commit();
    if (event.key === "Escape" && input.value !== input.told) {
      input.value = input.told;
      event.stopPropagation();
    }
  };
  return input;
}

function quantityField(host, key, field) {
  const box = fieldBox(host, key, field, "quantity");
  const symbol = element("label", "dp-symbol", box.head, {for: box.id, title: field.label});
  symbol.textContent = field.short;
  const input = entryBox(box.head, box, key, field.label);
  helpButton(box.head, field, field.label);
  const range = field.steps.length ? rangeOf(box, key, field) : null;
  return {refresh: () => root.fields[key] && (showEntry(box, input, key), range?.())};
}

function rangeOf(box, key, field) {
  const range = element("input", "dp-range", null, {
    type: "range", min: 0, max: field.steps.length - 1, step: "any", "aria-label": field.ends || `${field.label}, steps`,
  });
  box.head.after(range);
  const stepAt = () => field.steps[Math.round(Number(range.value))];
  range.oninput = () => turn(key, stepAt(), true);
  range.onchange = () => rest(key);
  range.onpointerenter = range.onfocus = () => near(key);
  range.onkeydown = (event) => {
    const step = keyStep(event, root.fields[key].steps, hand.valueOf(key));
    if (step !== undefined) turn(key, step, true);
  };
  range.onkeyup = range.onblur = () => rest(key);
  return () => {
    const {steps} = root.fields[key], value = hand.valueOf(key);
    const below = steps.filter((step) => Number(step) < value).length;
    range.value = String(Number(steps[below]) === value ? below : Math.max(0, below - 0.5));
    range.setAttribute("aria-valuetext", hand.textOf(key));
  };
}

function choiceField(host, key, field) {
  const box = fieldBox(host, key, field, "choice"), options = Object.entries(field.options);
  if (options.length > 4 || options.map(([, name]) => name).join("").length > 40) return selectField(box, key, field, options);
  const group = element("div", "dp-options", box.node, {role: "radiogroup", "aria-label": field.label});
  element("span", "dp-symbol", box.head).textContent = field.label;
  helpButton(box.head, field, field.label);
  const inputs = options.map(([option, name]) => {
    const label = element("label", "", group), input = element("input", "", label, {type: "radio", name: box.id, value: option});
    element("span", "", label).textContent = name;
    input.onchange = () => change({[key]: option}, false);
    return input;
  });
  return {refresh: () => { for (const input of inputs) input.checked = input.value === root.fields[key]?.used; }};
}

function selectField(box, key, field, options) {
  element("label", "dp-symbol", box.head, {for: box.id}).textContent = field.label;
  helpButton(box.head, field, field.label);
  const select = element("select", "dp-select", box.node, {id: box.id, "aria-label": field.label});
  for (const [option, name] of options) element("option", "", select, {value: option}).textContent = name;
  select.onchange = () => change({[key]: select.value}, false);
  return {refresh: () => { if (root.fields[key]) select.value = root.fields[key].used; }};
}

function wordsField(host, key, field) {
  const box = fieldBox(host, key, field, "words-field");
  element("label", "dp-symbol", box.head, {for: box.id}).textContent = field.label;
  helpButton(box.head, field, field.label);
  const input = entryBox(box.node, box, key, field.label, field.lines);
  box.head.after(input);
  return {refresh: () => root.fields[key] && showEntry(box, input, key)};
}
