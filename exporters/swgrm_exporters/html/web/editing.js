// The panels of a review: the same lists, with everything that the settings can decide.

const JOINT_TYPES = ["revolute", "prismatic", "fixed", "ball", "screw"];
// SENSOR_TYPES are those of swgrm/model/sensor_types.py; html/page.py puts them before this script.

/** A position as the settings write it. */
function written(joint, value) {
  return joint.type === "prismatic" ? `${Number((value * 1000).toPrecision(9))} mm` : `${Number(((value * 180) / Math.PI).toPrecision(9))} deg`;
}

/** The units of the fields: those in which the page shows their values, and which a number without a unit has. */
const FIELD_UNITS = {
  prismatic: { lower: "mm", upper: "mm", zero: "mm", velocity: "mm/s", effort: "N", damping: "Ns/m", friction: "N" },
  other: { lower: "deg", upper: "deg", zero: "deg", velocity: "deg/s", effort: "Nm", damping: "Nms/rad", friction: "Nm" },
};
const PLAIN_NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;

const unitOf = (joint, key) => (FIELD_UNITS[joint.type] ?? FIELD_UNITS.other)[key] ?? "";

/** What was typed into a field of a joint: a plain number gets the unit of the field. */
function withUnit(joint, key, text) {
  const unit = unitOf(joint, key);
  return unit && PLAIN_NUMBER.test(text) ? `${text} ${unit}` : text;
}

/** Sections of the settings whose entries are decisions: the heading, and the words behind the name of an entry. */
const DECISION_WORDS = {
  robot: ["Robot", (value) => `: ${plainText(value)}`],
  base: ["Base", (value) => `: ${plainText(value)}`],
  joints: ["Joints", (joint) => `: ${Object.entries(joint ?? {}).filter(([key]) => key !== "between").map(([key, value]) => `${key} ${plainText(value)}`).join(", ")}`],
  mates: ["Mates", (value) => `: ${plainText(value)}`],
  links: ["Links", (value) => `: ${plainText(value)}`],
  fasteners: ["Fasteners", (choice) => ({ true: ": a fastener", false: ": not a fastener" }[choice] ?? `: a ${choice}`)],
  mirrors: ["Mirrored", (way) => `: ${way}`],
  subAssemblies: ["Sub-assemblies", (way) => `: ${way}`],
  sensors: ["Sensors", (sensor) => `, ${sensor?.type} at ${sensor?.at}`],
};
/** Keys that hold several decisions: lists, and names by object. */
const LISTED = { mates: { ignore: "Ignored mates" }, links: { leaveOut: "Left out", join: "Joined" } };
const BY_NAME = { links: { rename: "Names of links" } };

function plainText(value) {
  if (Array.isArray(value)) return value.map(plainText).join(" + ");
  if (value === null || typeof value !== "object") return String(value);
  return Object.entries(value).map(([key, inner]) => `${key} ${plainText(inner)}`).join(", ");
}

class ReviewPanels extends Panels {
  get #review() {
    return this.state.review;
  }

  #decided(joint) {
    return this.#review.settings.joints?.[this.state.key(joint)] ?? {};
  }

  mark(joint) {
    return this.#decided(joint).reviewed ? element("span", { class: "reviewed", title: "Reviewed" }, " ✓") : super.mark(joint);
  }

  isToCheck(joint) {
    return super.isToCheck(joint) && !this.#decided(joint).reviewed;
  }

  refresh() {
    super.refresh();
    byId("undo").disabled = !this.#review.undo;
    byId("redo").disabled = !this.#review.redo;
    byId("export").disabled = !this.#review.canExport;
    byId("export").title = this.#review.canExport ? "" : "Start swgrm review with -o FOLDER to export.";
  }

  #button(text, action, attributes = {}) {
    return element("button", { type: "button", onclick: action, ...attributes }, text);
  }

  /** A labelled field whose value is a setting; the button behind it removes the setting. */
  #field(label, input, path, decided) {
    const back = this.#button("↺", () => this.state.change([{ path, value: null }]), {
      title: "As inferred", "aria-label": `${label}: as inferred`, disabled: !decided,
    });
    input.id = `field-${label.replaceAll(" ", "-")}`;
    return [element("label", { for: input.id, class: decided ? "decided" : "" }, label), input, back];
  }

  #text(label, joint, key, shownValue) {
    const own = this.#decided(joint)[key];
    const unit = unitOf(joint, key);
    const title = unit && `A number without a unit is in ${unit}.`;
    const input = element("input", { type: "text", placeholder: shownValue ?? (unit ? `none [${unit}]` : "none"), title, autocomplete: "off" });
    input.value = own ?? "";
    input.addEventListener("change", () => this.state.decide(this.state.marked(joint), { [key]: withUnit(joint, key, input.value.trim()) || null }));
    return this.#field(label, input, ["joints", this.state.key(joint), key], own !== undefined);
  }

  #choice(label, joint, key, values, shownValue) {
    const own = this.#decided(joint)[key];
    const input = element("select", {}, ...values.map((value) => element("option", { selected: value === (own ?? shownValue) }, value)));
    input.addEventListener("change", () => this.state.decide(this.state.marked(joint), { [key]: input.value }));
    return this.#field(label, input, ["joints", this.state.key(joint), key], own !== undefined);
  }

  jointDetail(joint) {
    const several = this.state.marked(joint);
    const limit = (end) => (joint[end] === undefined ? "none" : written(joint, joint[end]));
    const form = element(
      "form", { class: "fields", onsubmit: (event) => event.preventDefault() },
      ...this.#choice("type", joint, "type", JOINT_TYPES, joint.type),
      ...(several.length === 1
        ? [...this.#text("name", joint, "name", joint.name), ...this.#text("lower", joint, "lower", limit("lower")),
           ...this.#text("upper", joint, "upper", limit("upper")), ...this.#text("zero", joint, "zero", "0")]
        : []),
      ...this.#text("effort", joint, "effort", effortText(joint) || undefined),
      ...this.#text("velocity", joint, "velocity", velocityText(joint) || undefined),
      ...this.#text("damping", joint, "damping"), ...this.#text("friction", joint, "friction"),
    );
    const here = (key) => this.#button(`${key} here`, () => this.state.here(joint, key));
    const tools = joint.type === "ball" || several.length > 1 ? [] : [
      this.#button("flip the axis", () => this.state.flip(joint), { id: "flip" }), here("zero"), here("lower"), here("upper"),
    ];
    const reviewed = element("input", { type: "checkbox", id: "reviewed" });
    reviewed.checked = Boolean(this.#decided(joint).reviewed);
    reviewed.addEventListener("change", () => this.state.decide(several, { reviewed: reviewed.checked || null }));
    const story = element("details", {}, element("summary", {}, "The whole explanation"));
    story.addEventListener("toggle", () => this.state.explain(joint, story), { once: true });
    const heading = several.length > 1 ? `Decide for ${several.length} joints` : "Decide";
    return [
      ...super.jointDetail(joint), element("h3", {}, heading), form, element("p", { class: "buttons" }, ...tools),
      element("label", {}, reviewed, " Reviewed"), story,
    ];
  }

  mateItem(mate) {
    const known = this.#review.mates.find((each) => each.name === mate);
    if (!known) return super.mateItem(mate);
    return element(
      "li", {},
      this.#button(mate, () => this.state.lightUp(known.components), { class: "plain", title: "Show its parts in the view" }),
      `, ${known.type}: ${known.components.join(", ")} `,
      this.#button("ignore", () => this.#listed(["mates", "ignore"], mate, true), { class: "small", "aria-label": `ignore the mate ${mate}` }),
    );
  }

  /** Adds an entry to a list of the settings, or removes it. */
  #listed(path, entry, add) {
    const old = path.reduce((data, key) => data?.[key], this.#review.settings) ?? [];
    const rest = old.filter((each) => JSON.stringify(each) !== JSON.stringify(entry));
    const value = add ? [...rest, entry] : rest;
    return this.state.change([{ path, value: value.length ? value : null }]);
  }

  frameDetail(frame) {
    const parts = super.frameDetail(frame);
    if (frame.links?.length === 1) parts.push(this.#renameForm(frame.links[0].name));
    if (frame.kind === "component") parts.push(...this.#componentTools(frame.path));
    if (frame.kind === "coordinateSystem") parts.push(this.#sensorForm(frame));
    return parts;
  }

  #componentTools(path) {
    const fastener = path in this.#review.fasteners;
    const group = [...this.state.group];
    const inGroup = this.state.group.has(path);
    const decide = (section, key, value) => () => this.state.change([{ path: [section, key], value }]);
    const tied = this.#review.images[path]; // undefined: not made by a mirror feature
    const unit = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    const story = element("details", { id: "why-held" }, element("summary", {}, "Why does it move, or not?"));
    story.addEventListener("toggle", () => this.state.explain(path, story), { once: true });
    return [
      story,
      element("p", { class: "buttons" },
        this.#button("make it the base", () => this.state.change([{ path: ["base", "root"], value: path }]), { disabled: this.#review.root === path }),
        this.#button("leave out", () => this.#listed(["links", "leaveOut"], path, true)),
        this.#button(fastener ? "not a fastener" : "a fastener", () => this.state.change([{ path: ["fasteners", path], value: !fastener }])),
        fastener ? this.#button("parts turn on it", decide("fasteners", path, "pivot")) : "",
        tied === undefined ? "" : this.#button(tied ? "moves by itself" : "follows its source", decide("mirrors", path, tied ? "independent" : "tied")),
        unit ? this.#button(`keep ${unit} rigid`, decide("subAssemblies", unit, "never")) : "",
        this.#button(inGroup ? "remove from group" : "add to group", () => this.state.toggle(path)),
        group.length > 1 ? this.#button(`join ${group.length} components`, () => this.#join(group), { id: "join" }) : "",
      ),
    ];
  }

  #join(group) {
    this.state.group.clear();
    return this.#listed(["links", "join"], group, true);
  }

  /** A link keeps the name that was inferred as its key in the settings. */
  #renameForm(link) {
    const names = this.#review.settings.links?.rename ?? {};
    const key = Object.keys(names).find((old) => names[old] === link) ?? link;
    const input = element("input", { type: "text", placeholder: key, autocomplete: "off", id: "link-name" });
    input.value = names[key] ?? "";
    input.addEventListener("change", () => this.state.change([{ path: ["links", "rename", key], value: input.value.trim() || null }]));
    return element("p", { class: "line" }, element("label", { for: input.id }, "name of the link"), input);
  }

  #sensorForm(frame) {
    const name = element("input", { type: "text", "aria-label": "Name of the sensor", placeholder: "name" });
    const type = element("select", { "aria-label": "Type of the sensor" }, ...SENSOR_TYPES.map((each) => element("option", {}, each)));
    const add = (event) => {
      event.preventDefault();
      if (name.value.trim())
        this.state.change(["type", "at"].map((key) => ({ path: ["sensors", name.value.trim(), key], value: key === "at" ? frame.id : type.value })));
    };
    return element("form", { class: "line", onsubmit: add }, name, type, element("button", {}, "add a sensor"));
  }

  /** Decisions of one kind, each with a button that takes it back: [text, action]. */
  #decisions(title, entries) {
    if (!entries.length) return [];
    const item = ([text, action]) => element("li", {}, text, " ", this.#button("take back", action, { class: "small", "aria-label": `take back: ${title}, ${text}` }));
    return [element("h3", {}, title), element("ul", {}, ...entries.map(item))];
  }

  emptyDetail() {
    return [
      ...super.emptyDetail(),
      element("h3", {}, "Robot"), this.#robotForm(),
      ...this.#allDecisions(),
      element("h3", {}, "Add a joint"), this.#jointForm(),
      element("p", { class: "empty" }, `Changes are written to ${this.#review.file}.`),
    ];
  }

  /** Every decision that the settings contain, section by section, also those about joints that no list shows. */
  #allDecisions() {
    const { settings, sections } = this.#review;
    const shownSections = Object.keys(settings).filter((section) => sections.includes(section) && settings[section]);
    const parts = shownSections.flatMap((section) => this.#sectionDecisions(section, settings[section]));
    if (!parts.length) return [];
    return [element("section", { id: "decisions", "aria-label": "Decisions" }, ...parts)];
  }

  #sectionDecisions(section, values) {
    if (typeof values !== "object" || Array.isArray(values)) return this.#decisions(section, [[plainText(values), this.#removal([section])]]);
    const [title, words] = DECISION_WORDS[section] ?? [section, (value) => `: ${plainText(value)}`];
    const single = [], more = [];
    for (const [key, value] of Object.entries(values)) {
      const list = LISTED[section]?.[key], named = BY_NAME[section]?.[key];
      if (list) more.push(...this.#decisions(list, (value ?? []).map((entry) => [[entry].flat().join(" + "), () => this.#listed([section, key], entry, false)])));
      else if (named) more.push(...this.#decisions(named, Object.entries(value ?? {}).map(([old, name]) => [`${old}: ${name}`, this.#removal([section, key, old])])));
      else single.push([key + words(value), this.#removal([section, key])]);
    }
    return [...this.#decisions(title, single), ...more];
  }

  #removal(path) {
    return () => this.state.change([{ path, value: null }]);
  }

  #robotForm() {
    const { settings } = this.#review;
    const name = element("input", { type: "text", placeholder: this.state.scene.robot, autocomplete: "off" });
    name.value = settings.robot?.name ?? "";
    name.addEventListener("change", () => this.state.change([{ path: ["robot", "name"], value: name.value.trim() || null }]));
    const up = element("select", {}, ...["y", "z"].map((axis) => element("option", { selected: axis === (settings.base?.up ?? "y") }, axis)));
    up.addEventListener("change", () => this.state.change([{ path: ["base", "up"], value: up.value }]));
    return element(
      "form", { class: "fields", onsubmit: (event) => event.preventDefault() },
      ...this.#field("robot name", name, ["robot", "name"], settings.robot?.name !== undefined),
      ...this.#field("axis up", up, ["base", "up"], settings.base?.up !== undefined),
    );
  }

  #jointForm() {
    const list = element("datalist", { id: "components" }, ...this.#review.components.map((name) => element("option", { value: name })));
    const input = (name, list) => element("input", { type: "text", "aria-label": name, placeholder: name, list });
    const fields = { name: input("name"), parent: input("parent", "components"), child: input("child", "components"), axis: input("axis or coordinate system") };
    const type = element("select", { "aria-label": "type" }, ...JOINT_TYPES.slice(0, 2).map((each) => element("option", {}, each)));
    const add = (event) => {
      event.preventDefault();
      const value = (key) => fields[key].value.trim();
      const edits = ["parent", "child", "axis"].filter(value).map((key) => ({ path: ["joints", value("name"), key], value: value(key) }));
      if (value("name")) this.state.change([...edits, { path: ["joints", value("name"), "type"], value: type.value }]);
    };
    return element("form", { class: "line", id: "add-joint", onsubmit: add }, ...Object.values(fields), type, list, element("button", {}, "add"));
  }
}
