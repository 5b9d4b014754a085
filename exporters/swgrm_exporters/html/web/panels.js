// The lists beside the view. Names and messages come from files of others: they are only ever set as text.

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const byId = (id) => document.getElementById(id);

/** A position for people: mm for slides, degrees for turns. */
function shown(joint, value) {
  if (joint.type === "ball") return Q.log(value).map((angle) => `${((angle * 180) / Math.PI).toFixed(1)}°`).join(" ");
  return joint.type === "prismatic" ? `${(value * 1000).toFixed(1)} mm` : `${((value * 180) / Math.PI).toFixed(1)}°`;
}

function rangeText(joint) {
  if (joint.type === "ball") return "";
  const { lower, upper } = joint;
  if (lower === undefined && upper === undefined) return "no limits";
  return `${lower === undefined ? "−∞" : shown(joint, lower)} to ${upper === undefined ? "∞" : shown(joint, upper)}`;
}

/** The greatest effort and velocity of a joint, in the units that the page shows; empty where there is none. */
function effortText(joint) {
  return joint.effort === undefined ? "" : `${Number(joint.effort.toPrecision(6))} ${joint.type === "prismatic" ? "N" : "Nm"}`;
}

function velocityText(joint) {
  if (joint.velocity === undefined) return "";
  return joint.type === "prismatic" ? `${Number((joint.velocity * 1000).toPrecision(6))} mm/s` : `${Number(((joint.velocity * 180) / Math.PI).toPrecision(6))} deg/s`;
}

/** How a joint depends on others, in words; empty if it does not. */
function dependence(joint) {
  if (joint.leaders)
    return `follows ${joint.leaders.map(([leader, factor]) => `${Number(factor.toPrecision(4))} · ${leader.name}`).join(" + ")}`;
  return joint.dependent ? "set by a loop" : "";
}

class Panels {
  constructor(state) {
    this.state = state;  // kinematics, scene, view (or null), selected joint, chosen frame; move(), select()
    this.tab = "joints";
    this.jointRows = [];  // the rows that are shown: joint, its value, its sliders, and the position that they show
    for (const button of document.querySelectorAll("[data-tab]"))
      button.addEventListener("click", () => this.open(button.dataset.tab));
    byId("filter").addEventListener("input", () => this.list());
    byId("check").addEventListener("change", () => this.list());
    document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
      const tabs = [...document.querySelectorAll("[data-tab]")];
      const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
      const at = tabs.indexOf(document.activeElement);
      if (!step || at < 0) return;
      const next = tabs[(at + step) % tabs.length];
      next.focus();
      next.click();
    });
    byId("list").addEventListener("keydown", (event) => this.#keys(event));
  }

  open(tab) {
    this.tab = tab;
    this.list();
  }

  /** Writes the heading and all lists anew. */
  refresh() {
    const { scene, kinematics } = this.state;
    const links = scene.frames.flatMap((frame) => frame.links ?? []);
    const mass = links.reduce((sum, link) => sum + (link.mass ?? 0), 0);
    document.title = scene.robot;
    byId("name").textContent = scene.robot;
    byId("summary").textContent = [
      `${kinematics.joints.size} moving joints`, `${links.length} links`, mass ? `${Number(mass.toPrecision(4))} kg` : "",
    ].filter(Boolean).join(" · ");
    const problems = scene.findings.filter((finding) => finding.severity !== "note").length;
    byId("problems").textContent = problems ? ` (${problems})` : "";
    this.list();
    this.detail();
  }

  get onlyToCheck() {
    return byId("check").checked;
  }

  list() {
    const box = byId("list");
    const words = byId("filter").value.trim().toLowerCase();
    const wanted = (...texts) => !words || texts.some((text) => text.toLowerCase().includes(words));
    for (const button of document.querySelectorAll("[data-tab]")) {
      button.setAttribute("aria-selected", button.dataset.tab === this.tab);
      button.tabIndex = button.dataset.tab === this.tab ? 0 : -1;
    }
    const left = [...this.state.kinematics.joints.values()].filter((joint) => this.isToCheck(joint)).length;
    byId("check").parentElement.hidden = this.tab !== "joints" || (!left && !this.onlyToCheck);
    byId("tocheck").textContent = `to check (${left})`;
    box.setAttribute("role", this.tab === "joints" ? "tree" : "list");
    const rows = { joints: () => this.#jointRows(wanted), findings: () => this.#findingRows(wanted), masses: () => this.#massRows(wanted) };
    box.replaceChildren(...rows[this.tab]());
    if (!box.children.length) box.append(element("p", { class: "empty" }, words ? "Nothing matches." : this.tab === "joints" && this.onlyToCheck ? "All joints are checked." : "None."));
  }

  #jointRows(wanted) {
    const depth = new Map();
    this.jointRows = [];
    const rows = [];
    for (const frame of this.state.kinematics.frames) {
      const level = frame.parent < 0 ? 0 : depth.get(frame.parent);
      depth.set(frame.index, level + (frame.joint ? 1 : 0));
      if (frame.joint && wanted(frame.joint.name, frame.joint.type) && (!this.onlyToCheck || this.isToCheck(frame.joint))) rows.push(this.#jointRow(frame.joint, level));
    }
    return rows;
  }

  #jointRow(joint, level) {
    const value = element("span", { class: "value" }, shown(joint, joint.q));
    const sliders = this.#sliders(joint);
    const row = element(
      "div",
      { class: "row", role: "treeitem", tabindex: -1, "data-joint": joint.name, "aria-level": level + 1,
        "aria-selected": this.state.selected === joint,
        ondblclick: () => this.state.view?.zoom(),
        onclick: (event) => { if (event.target.tagName !== "INPUT") this.state.select(joint, event.ctrlKey || event.metaKey); } },
      value,
      element("b", {}, joint.name),
      this.mark(joint),
      element("span", { class: "kind" }, [joint.type, dependence(joint)].filter(Boolean).join(", ")),
    );
    row.style.setProperty("--level", Math.min(level, 12));
    if (this.state.selected === joint || !this.state.selected) row.tabIndex = 0;
    row.append(...sliders);
    this.jointRows.push({ joint, value, sliders, q: joint.q });
    return row;
  }

  /** Whether a person should still look at a joint. */
  isToCheck(joint) {
    return Boolean(joint.why?.check);
  }

  /** A sign behind the name of a joint that a person should check. */
  mark(joint) {
    return joint.why?.check ? element("span", { class: "check", title: "Check this joint" }, " ⚠") : "";
  }

  #sliders(joint) {
    if (joint.type === "ball") {
      if (this.state.kinematics.loops.contains(joint)) return [];
      return ["x", "y", "z"].map((axis, k) => this.#slider(joint, -Math.PI, Math.PI, Q.log(joint.q)[k], ` about ${axis}`, (value) => {
        const turn = Q.log(joint.q);
        turn[k] = value;
        return Q.exp(turn);
      }));
    }
    const [low, high] = this.state.kinematics.range(joint);
    return [this.#slider(joint, low, high, joint.q, "", (value) => value)];
  }

  #slider(joint, min, max, value, label, position) {
    const input = element("input", {
      type: "range", min, max, step: "any", "aria-label": joint.name + label, "aria-valuetext": shown(joint, joint.q),
      oninput: () => this.state.move(joint, position(Number(input.value)), input),
    });
    input.value = value;
    return input;
  }

  #findingRows(wanted) {
    return this.state.scene.findings
      .filter((finding) => wanted(finding.code, finding.where, finding.message))
      .map((finding) => element(
        "div",
        { class: `finding ${finding.severity}`, role: "listitem", tabindex: 0, onclick: () => this.#goTo(finding) },
        element("div", { class: "severity" }, finding.severity, element("span", { class: "kind" }, finding.code)),
        element("b", {}, (finding.format ? `${finding.format}: ` : "") + finding.where), " ", finding.message,
        finding.remedy ? element("div", { class: "remedy" }, finding.remedy) : "",
      ));
  }

  #goTo(finding) {
    const name = finding.where.split(" ").slice(1).join(" ");
    const joints = [...this.state.kinematics.joints.values()];
    const joint = joints.find((each) => each.name === name || each.why?.mates.includes(name));
    this.state.select(joint ?? null);  // without a joint, the detail lists the decisions, of which one may be meant
  }

  #massRows(wanted) {
    const links = this.state.kinematics.frames.flatMap((frame) => (frame.links ?? []).map((link) => [frame, link]));
    return links
      .filter(([, link]) => wanted(link.name))
      .sort((a, b) => (b[1].mass ?? 0) - (a[1].mass ?? 0))
      .map(([frame, link]) => element(
        "div", { class: "row", role: "listitem", tabindex: 0, onclick: () => this.state.choose(frame.index) },
        element("span", { class: "value" }, link.mass === undefined ? "no mass" : `${Number(link.mass.toPrecision(4))} kg`), link.name,
      ));
  }

  /** Updates the positions in the list that have changed; `but` is the slider that the user holds, `stopped` one that goes back. */
  values(but = null, stopped = null) {
    for (const row of this.jointRows) {
      const { joint, value, sliders } = row;
      if (row.q === joint.q && !sliders.includes(stopped)) continue;
      row.q = joint.q;
      value.textContent = shown(joint, joint.q);
      sliders.forEach((input, k) => {
        if (input !== but) input.value = joint.type === "ball" ? Q.log(joint.q)[k] : joint.q;
        input.setAttribute("aria-valuetext", value.textContent);
      });
    }
  }

  /** Marks the row of the selected joint. */
  selection() {
    for (const row of document.querySelectorAll("[data-joint]")) {
      const chosen = row.dataset.joint === this.state.selected?.name;
      row.setAttribute("aria-selected", chosen);
      row.tabIndex = chosen ? 0 : -1;
      if (chosen) row.scrollIntoView({ block: "nearest" });
    }
    this.detail();
  }

  #keys(event) {
    const rows = [...byId("list").children];
    const at = rows.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (at < 0 || (!step && event.key !== "Enter")) return;
    event.preventDefault();
    const row = rows[Math.max(0, Math.min(rows.length - 1, at + (step ?? 0)))];
    row.focus();
    if (row.dataset.joint) this.state.select(this.state.kinematics.joints.get(row.dataset.joint));
    else if (!step) row.click();
  }

  detail() {
    const { selected, frame } = this.state;
    const parts = [];
    if (frame !== null && frame !== undefined) parts.push(...this.frameDetail(this.state.kinematics.frames[frame]));
    if (selected) parts.push(...this.jointDetail(selected));
    if (!parts.length) parts.push(...this.emptyDetail());
    byId("detail").replaceChildren(...parts);
  }

  emptyDetail() {
    return [element("p", { class: "empty" }, "Choose a joint in the list, or click a part of the robot.")];
  }

  mateItem(mate) {
    return element("li", {}, mate);
  }

  frameDetail(frame) {
    const links = (frame.links ?? []).map((link) =>
      element("li", {}, link.name, link.mass === undefined ? "" : `, ${Number(link.mass.toPrecision(4))} kg`));
    const sensors = (frame.sensors ?? []).map(([name, type]) => element("li", {}, `${name}, ${type} sensor`));
    return [element("h2", {}, frame.name ?? frame.id), element("ul", {}, ...links, ...sensors)];
  }

  jointDetail(joint) {
    const [low, high] = [joint.frame.parent, joint.frame.index].map((i) => this.state.kinematics.frames[i]);
    const facts = [
      ["type", joint.type],
      ["between", `${low?.name ?? low?.id ?? "world"} and ${high.name ?? high.id}`],
      ["range", rangeText(joint)],
      ["pitch", joint.pitch === undefined ? "" : `${Number((joint.pitch * 1000).toPrecision(6))} mm per turn`],
      ["depends", dependence(joint)],
      ["effort", effortText(joint)],
      ["velocity", velocityText(joint)],
    ].filter(([, value]) => value);
    const parts = [
      element("h2", {}, joint.name),
      element("dl", {}, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
    ];
    const { why } = joint;
    if (why)
      parts.push(
        element("h3", {}, "Why"),
        element("p", {}, why.freedom), element("p", {}, why.reason),
        why.check ? element("p", { class: "check" }, "Check this joint: its mates do not determine it with certainty.") : "",
      );
    if (why?.mates.length)
      parts.push(element("h3", {}, "Mates"), element("ul", {}, ...why.mates.map((mate) => this.mateItem(mate))));
    const about = this.state.scene.findings.filter((finding) => finding.where === `joint ${joint.name}`);
    if (about.length)
      parts.push(element("h3", {}, "Findings"), element("ul", {}, ...about.map((finding) => element("li", {}, finding.message))));
    return parts.filter(Boolean);
  }
}
