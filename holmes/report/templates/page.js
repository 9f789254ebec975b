"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const el = (tag, props = {}, ...kids) => {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(props)) {
      if (key === "class") node.className = value;
      else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else if (value !== null && value !== undefined) node.setAttribute(key, value);
    }
    node.append(...kids.filter((kid) => kid !== null && kid !== undefined));
    return node;
  };
  const svg = (tag, props = {}, ...kids) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(props)) node.setAttribute(key, value);
    node.append(...kids);
    return node;
  };
  const kept = new Map();
  const unpack = (name) => {
    if (!kept.has(name)) {
      const bytes = Uint8Array.from(atob($("z-" + name).textContent), (letter) => letter.charCodeAt(0));
      kept.set(name, new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json());
    }
    return kept.get(name);
  };
  const alone = document.body.dataset.alone === "yes";
  const root = document.documentElement;
  $("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  let index, shown = [], limit = 100, current = -1;

  // ------------------------------------------------------------ list
  const matches = (row) => {
    const text = $("f-text").value.trim().toLowerCase(), task = $("f-task").value, run = $("f-run").value;
    const kind = $("f-class").value, type = $("f-type").value, low = $("f-low").value, high = $("f-high").value;
    if (task !== "" && row[1] !== +task) return false;
    if (type !== "" && !row[2].includes(+type)) return false;
    if (low !== "" && row[3] < +low) return false;
    if (high !== "" && row[3] > +high) return false;
    if (text && !text.split(/\s+/).every((word) => row.low.includes(word))) return false;
    const ended = run === "" ? Object.values(row[5]).flat() : row[5][run];
    if (!ended) return false;
    return kind === "" || ended.includes(+kind);
  };
  const item = (row) => {
    const dots = el("span", { class: "dots" });
    for (const [run, ended] of Object.entries(row[5]))
      for (const one of ended) dots.append(el("span", { class: "dot " + index.classes[one][0], title: index.runs[run] + ": " + index.classes[one][1], role: "img", "aria-label": index.runs[run] + ": " + index.classes[one][1] }));
    return el("li", {}, el("button", { type: "button", "data-place": row.place, "aria-current": row.place === current ? "true" : "false", onclick: () => open(row.place) },
      el("span", { class: "id" }, row[0]), dots));
  };
  const fill = () => {
    shown = index.cases.filter(matches);
    $("count").textContent = shown.length + " of " + index.cases.length + " cases";
    const list = $("list");
    list.replaceChildren(...shown.slice(0, limit).map(item));
    if (shown.length > limit) list.append(el("li", {}, el("button", { type: "button", class: "more", onclick: () => { limit += 200; fill(); } }, "Show more")));
  };
  const open = async (place, quiet) => {
    current = place;
    for (const button of document.querySelectorAll("#list button[data-place]")) button.setAttribute("aria-current", button.dataset.place == place ? "true" : "false");
    const block = await unpack(Math.floor(place / index.block));
    const rules = await unpack("rules");
    if (current !== place) return;
    const row = index.cases[place];
    show(block[place % index.block], rules);
    if (!quiet) {
      history.replaceState(null, "", "#case=" + encodeURIComponent(row[1] + "|" + row[0]));
      if (innerWidth < 960) $("view").scrollIntoView(); 
    }
  };
  const step = (by) => {
    const at = shown.findIndex((row) => row.place === current);
    const next = shown[Math.min(Math.max(at + by, 0), shown.length - 1)];
    if (!next) return;
    if (shown.indexOf(next) >= limit) { limit += 200; fill(); }
    open(next.place);
    document.querySelector('#list button[data-place="' + next.place + '"]')?.scrollIntoView({ block: "nearest" });
  };

  // ------------------------------------------------------------ one case
  const fold = (title, ...kids) => el("details", { class: "fold" }, el("summary", {}, title), ...kids);
  const chips = (view) => {
    const list = el("ul", { class: "facts" });
    for (const text of [view.asked || view.task, view.bundle, ...Object.entries(view.difficulty).map(([key, value]) => key + " " + value)]) if (text) list.append(el("li", {}, text));
    return list;
  };
  const show = (found, rules) => {
    const { view, replies } = found, box = $("view");
    const kids = [el("h3", {}, view.id), chips(view)];
    if (view.pair) kids.push(el("p", { class: "note" }, view.pair));
    if (view.types.length) kids.push(el("p", { class: "note" }, "Operations on rules: " + view.types.join("; ") + (view.decisive.length ? ". The answer turns on: " + view.decisive.join("; ") : "") + "."));
    if (view.proved) kids.push(el("p", { class: "note" }, view.proved));
    kids.push(fold("Rules", el("div", { class: "words rules", tabindex: "0" }, rules[view.rules])));
    kids.push(el("h4", {}, "Case"), el("p", { class: "words" }, view.case), el("h4", {}, "Question"), el("p", { class: "words" }, view.question));
    kids.push(el("p", { class: "gold" }, el("b", {}, "Gold answer: " + view.answer), view.choices.length ? " (of: " + view.choices.join(", ") + ")" : ""));
    const place = el("div");
    const all = Object.entries(replies).flatMap(([run, list]) => list.map((reply, number) => [index.runs[run] + (list.length > 1 ? " #" + (number + 1) : ""), reply]));
    if (all.length) {
      const tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Replies" });
      all.forEach(([name, reply], number) => tabs.append(el("button", { type: "button", role: "tab", "aria-selected": "false", onclick: () => pick(number) }, el("span", { class: "dot " + reply.class }), " " + name)));
      const pick = (number) => {
        [...tabs.children].forEach((tab, at) => tab.setAttribute("aria-selected", at === number ? "true" : "false"));
        place.replaceChildren(...reply(view, all[number][1]));
      };
      kids.push(el("h4", {}, "Replies"), tabs, place);
      box.replaceChildren(...kids);
      pick(0);
    } else {
      box.replaceChildren(...kids, place);
      place.append(...gold(view));
    }
  };
  const hit = (at) => {
    for (const node of document.querySelectorAll(".hit")) node.classList.remove("hit");
    if (at < 0) return;
    for (const node of document.querySelectorAll('[data-step="' + at + '"]')) { node.classList.add("hit"); if (node.tagName === "LI") node.scrollIntoView({ block: "nearest" }); }
  };
  const stepsList = (view, places, verdicts) => {
    const list = el("ol", { class: "steps", tabindex: "0", "aria-label": "Steps of the derivation" });
    for (const at of places) {
      const one = view.steps[at];
      list.append(el("li", { class: verdicts.get(at) || "", "data-step": at, onclick: () => hit(at) }, one.text, one.rule && !one.text.includes("Rule " + one.rule) && !one.text.includes(" " + one.rule) ? " [Rule " + one.rule + "]" : "", one.critical ? el("span", { class: "crit" }, "critical") : null));
    }
    return list;
  };
  const gold = (view) => {
    const places = view.shortest || view.steps.map((_, at) => at);
    return [el("h4", {}, view.shortest ? "Shortest derivation" + (view.count ? " (of " + view.count + ")" : "") : "Gold trace"), stepsList(view, places, new Map()), ...drawn(view, places, new Map()), ...(view.program ? [fold("Reference program", el("pre", {}, view.program))] : [])];
  };
  const coloured = (reply) => {
    const text = el("div", { class: "text" });
    if (!reply.text) { text.append("(no reply)"); return text; }
    const spans = (reply.claims || []).filter((claim) => claim[0] >= 0).sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    let from = 0;
    for (const [start, end, verdict, at, said] of spans) {
      if (start < from) continue;
      text.append(reply.text.slice(from, start));
      const told = { right: "right", leap: "right, but it does not follow yet", wrong: "wrong", unknown: "not understood" }[verdict];
      text.append(el("mark", { class: verdict, title: told + (said ? ": " + said : ""), tabindex: "0", onclick: () => hit(at), onkeydown: (event) => { if (event.key === "Enter") hit(at); } }, reply.text.slice(start, end)));
      from = end;
    }
    text.append(reply.text.slice(from));
    return text;
  };
  const reply = (view, one) => {
    const verdicts = new Map();
    for (const claim of one.claims || []) if (claim[3] >= 0) verdicts.set(claim[3], claim[2]);
    const first = (one.claims || []).find((claim) => claim[2] === "wrong");
    const left = el("div", {}, el("p", {}, el("span", { class: "chip " + one.class }, index.classes.find(([name]) => name === one.class)[1]), " read as: ", el("b", {}, one.answer)));
    if (one.cue) left.append(el("p", { class: "note warn" }, "Read by a weak cue: " + one.cue));
    left.append(el("p", { class: "note" }, one.reason));
    if (first) left.append(el("p", { class: "note" }, el("b", {}, "First false step: "), first[0] >= 0 ? "“" + one.text.slice(first[0], first[1]).trim() + "” " : "", first[3] >= 0 ? "— what holds: " + view.steps[first[3]].text : "— there is no such step: " + first[4]));
    left.append(el("div", { class: "legend" }, ...[["right", "right"], ["leap", "right, unsupported"], ["wrong", "wrong"]].map(([name, words]) => el("mark", { class: name }, words)), el("span", { style: "color:var(--grey)" }, "grey: not understood as a step")));
    left.append(coloured(one));
    const lost = (one.claims || []).filter((claim) => claim[0] < 0);
    if (lost.length) left.append(el("p", { class: "note" }, lost.length + " more claims were read from other parts of the reply."));
    if (one.raw) left.append(fold("The raw reply, its reasoning included", el("pre", {}, one.raw)));
    if (one.program) left.append(fold("Program and output", el("p", { class: "note" }, one.program.note), one.program.text ? el("pre", {}, one.program.text) : null, one.program.out ? el("pre", {}, one.program.out) : null, one.program.err ? el("pre", {}, one.program.err) : null));
    const parts = Object.entries(one.parts || {});
    if (parts.length) left.append(fold("All parts of the score", el("ul", { class: "facts", style: "padding-bottom:.7rem" }, ...parts.map(([name, value]) => el("li", {}, name + " " + value)))));
    const places = one.member || view.shortest || view.steps.map((_, at) => at);
    const right = el("div", {}, el("h4", { style: "margin-top:.2rem" }, one.member ? "The derivation it fits best" : view.shortest ? "Shortest derivation" : "Gold trace"), stepsList(view, places, verdicts));
    return [el("div", { class: "reply" }, left, right), ...drawn(view, places, verdicts), ...(view.program ? [fold("Reference program", el("pre", {}, view.program))] : [])];
  };
  const drawn = (view, places, verdicts) => {
    if (!view.graph) return view.nograph ? [el("p", { class: "note" }, view.nograph)] : [];
    const { size, boxes, edges, left_out } = view.graph, chosen = new Set(places), at = new Map(boxes.map((box) => [box[0], box]));
    const picture = svg("svg", { width: size[0] + 12, height: size[1] + 12, viewBox: `-6 -6 ${size[0] + 12} ${size[1] + 12}`, role: "img", "aria-label": "Explanation graph: the answer on top, what it rests on below" });
    for (const [upper, lower] of edges) {
      const a = at.get(upper), b = at.get(lower), y1 = a[2] + a[4] / 2, y2 = b[2] - b[4] / 2, middle = (y1 + y2) / 2;
      picture.append(svg("path", { d: `M${a[1]} ${y1}C${a[1]} ${middle} ${b[1]} ${middle} ${b[1]} ${y2}`, class: chosen.has(upper) && chosen.has(lower) ? "" : "faint" }));
    }
    for (const [number, x, y, wide, high, lines] of boxes) {
      const one = view.steps[number], group = svg("g", { class: [one.layer, one.critical ? "crit" : "", chosen.has(number) ? "" : "faint", verdicts.get(number) || ""].join(" "), "data-step": number });
      group.append(svg("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high }), svg("title", {}, one.text));
      const text = svg("text", { x, y: y - (lines.length - 1) * 7 + 4 });
      lines.forEach((line, row) => text.append(svg("tspan", { x, dy: row ? 14 : 0 }, line)));
      group.append(text);
      group.addEventListener("click", () => hit(number));
      picture.append(group);
    }
    const box = el("div", { class: "graph", tabindex: "0", role: "region", "aria-label": "Explanation graph" }, picture);
    requestAnimationFrame(() => { const top = boxes.reduce((a, b) => (a[2] < b[2] ? a : b)); box.scrollLeft = top[1] - box.clientWidth / 2; });
    return [el("h4", {}, "Explanation graph"), el("p", { class: "note" }, "The answer stands on top, on what it rests on. Dashed: facts. Thick: critical steps. Pale: steps of other derivations." + (left_out ? " " + left_out + " steps of other derivations are left out." : "")), box];
  };

  // ------------------------------------------------------------ start
  const start = async () => {
    if (typeof DecompressionStream === "undefined") { $("view").textContent = "This browser cannot open compressed data (DecompressionStream); a newer one shows the cases."; return; }
    index = await unpack("index");
    if (alone) { show((await unpack("0"))[0], await unpack("rules")); return; }
    index.cases.forEach((row, place) => { row.place = place; row.low = (row[0] + " " + row[4]).toLowerCase(); });
    const option = (list, name) => index[list].forEach((text, place) => { if (list !== "types" || index.cases.some((row) => row[2].includes(place))) $(name).append(el("option", { value: place }, text)); });
    option("tasks", "f-task"); option("runs", "f-run"); option("types", "f-type");
    $("filters").addEventListener("input", () => { limit = 100; fill(); });
    fill();
    const at = () => {
      if (!location.hash.startsWith("#case=")) return -1;
      const [task, id] = decodeURIComponent(location.hash.slice(6)).split(/\|(.*)/s);
      const exact = index.cases.findIndex((row) => row[0] === id && String(row[1]) === task);
      return exact >= 0 ? exact : index.cases.findIndex((row) => row[0] === id);
    };
    addEventListener("hashchange", () => { if (at() >= 0) { open(at()); $("cases").scrollIntoView(); } });
    if (at() >= 0) { await open(at()); $("cases").scrollIntoView(); } else if (shown.length) await open(shown[0].place, true);
    addEventListener("keydown", (event) => {
      if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "j") step(1); else if (event.key === "k") step(-1);
      else if (event.key === "/") { event.preventDefault(); $("f-text").focus(); }
    });
    addEventListener("beforeprint", () => document.querySelectorAll("details.fold").forEach((one) => { one.open = true; }));
    root.dataset.ready = "yes";
  };
  start().then(() => { root.dataset.ready = "yes"; });
})();
