// Starts the page of a review: everything comes from the server, and every change goes to it.

class Client {
  #token = "";

  /** Exchanges the secret in the address for a token, which stays in this tab. */
  async signIn() {
    const secret = location.hash.slice(1);
    this.#token = sessionStorage.getItem("swgrm") ?? "";
    if (!secret) return;
    history.replaceState(null, "", location.pathname);
    this.#token = (await this.post("/session", { secret })).token;
    sessionStorage.setItem("swgrm", this.#token);
  }

  #fetch(path, options = {}) {
    return fetch(path, { ...options, headers: { "X-Swgrm-Token": this.#token, ...options.headers } });
  }

  async get(path) {
    const answer = await this.#fetch(path);
    if (!answer.ok) throw new Error((await answer.json()).error);
    return answer;
  }

  async post(path, body = {}) {
    const answer = await this.#fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const data = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(data.error), { orphans: data.orphans });
    return data;
  }

  /** Calls `hear` for each event until the server ends. */
  async listen(hear) {
    const reader = (await this.get("/events")).body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line) await hear(JSON.parse(line));
    }
  }
}

class Review extends State {
  constructor(client) {
    super(async (key) => (await client.get(`/mesh/${key}`)).arrayBuffer());
    this.client = client;
    this.group = new Set();
    this.others = new Set();
  }

  makePanels() {
    return new ReviewPanels(this);
  }

  /** The key of a joint in the settings; its name may be another. */
  key(joint) {
    return this.review.keys[joint.name] ?? joint.name;
  }

  /** Shows a model; positions and the selection stay where they can. */
  async show({ scene, review }) {
    const before = this.kinematics;
    const selected = this.selected && this.key(this.selected);
    this.review = review;
    const frame = this.frame === null ? null : before.frames[this.frame].id;
    this.selected = this.frame = null;
    this.others.clear();
    await this.load(scene);
    for (const joint of this.kinematics.joints.values()) {
      const old = before?.joints.get(joint.name);
      if (old && old.type === joint.type && !joint.leaders && !this.kinematics.loops.contains(joint)) joint.q = old.q;
    }
    this.kinematics.update();
    const found = [...this.kinematics.joints.values()].find((joint) => this.key(joint) === selected);
    if (found) this.select(found);
    const index = this.kinematics.frames.findIndex((each) => each.id === frame);
    if (index >= 0) this.choose(index);
    if (!found && index < 0) this.view?.select(null);
    this.panels.values();
    this.view?.update();
  }

  /** Selects a joint; with `also`, adds it to those that are decided together. */
  select(joint, also = false) {
    if (also && joint && this.selected) this.others.add(this.selected);
    else this.others.clear();
    super.select(joint);
    if (this.review.highlights) this.client.post("/select", { joint: joint ? this.key(joint) : "" }).catch(() => {});
    for (const row of document.querySelectorAll("[data-joint]"))
      row.classList.toggle("also", this.others.has(this.kinematics.joints.get(row.dataset.joint)));
  }

  /** The joints that a decision is for. */
  marked(joint) {
    return [joint, ...[...this.others].filter((each) => each !== joint)];
  }

  /** Does something at the server, and shows the result or the refusal. */
  async act(action, done) {
    this.busy = true;
    try {
      const model = await action();
      if (model.scene) await this.show(model);
      this.tell(typeof done === "function" ? done(model) : done);
    } catch (error) {
      if (!error.orphans) {
        this.panels.detail();
        this.tell(error.message, true);
      }
      return error;
    } finally {
      this.busy = false;
    }
    return null;
  }

  /** Writes edits of the settings; settings that would lose their joint are removed if the user agrees. */
  async change(edits) {
    const send = (withOrphans) => this.act(() => this.client.post("/change", { edits, withOrphans }), `Written to ${this.review.file}.`);
    const refused = await send(false);
    if (refused?.orphans && confirm(refused.message)) await send(true);
    else if (refused?.orphans) this.panels.detail();
  }

  /** Decides keys of joints; a joint that is decided for the first time remembers its components. */
  decide(joints, values) {
    return this.change(joints.flatMap((joint) => {
      const key = this.key(joint);
      const edits = Object.entries(values).map(([name, value]) => ({ path: ["joints", key, name], value }));
      const between = this.review.between[key];
      const known = this.review.settings.joints?.[key];
      return between && !known && Object.values(values).some((value) => value !== null)
        ? [{ path: ["joints", key, "between"], value: between }, ...edits] : edits;
    }));
  }

  /** Makes the present position of a joint its zero, or a limit. */
  here(joint, key) {
    const zero = this.review.settings.joints?.[this.key(joint)]?.zero;
    if (key === "zero" && zero !== undefined) return this.tell("Remove the zero that is set first: positions are counted from it.", true);
    return this.decide([joint], { [key]: written(joint, joint.q) });
  }

  flip(joint) {
    return this.act(() => this.client.post("/flip", { joint: this.key(joint) }), `The axis of ${joint.name} is reversed.`);
  }

  /** Shows the parts of components in another light. */
  lightUp(components) {
    const inside = (path) => components.some((name) => path === name || path?.startsWith(`${name}/`));
    this.view?.light(this.kinematics.frames.filter((frame) => inside(frame.path)).map((frame) => frame.index));
  }

  toggle(component) {
    if (!this.group.delete(component)) this.group.add(component);
    this.panels.detail();
    this.tell(this.group.size ? `Group: ${[...this.group].join(", ")}` : "");
  }

  /** Fills a box with the explanation of a joint, or of a component that is given by its name. */
  async explain(subject, box) {
    const { lines } = await this.client.post("/explain", { joint: typeof subject === "string" ? subject : this.key(subject) });
    box.append(element("pre", {}, lines.join("\n")));
  }

  async export() {
    byId("export").disabled = true;
    await this.act(() => this.client.post("/export"), exportedText);
    byId("export").disabled = false;
  }

  async hear({ model, version, error, progress, share, exported }) {
    if (version > this.review.version && !this.busy) await this.act(async () => (await this.client.get("/model")).json(), "Changed on another page.");
    if (model) {
      await this.show(model);
      this.tell(`${this.review.file} was changed by another program.`);
    }
    if (error) this.tell(error, true);
    if (progress) this.tell(`Exporting: ${progress} (${Math.round(100 * share)} %)`);
    if (exported) this.tell(exportedText(exported));
  }
}

/** The result of an export in a sentence. */
function exportedText({ files, folder }) {
  return `Exported ${files} files to ${folder}.`;
}

/** The buttons that only a review has. */
function addReviewTools(review) {
  const button = (id, text, action) => element("button", { type: "button", id, onclick: action }, text);
  byId("zero").before(
    button("undo", "Undo", () => review.act(() => review.client.post("/undo"), "Undone.")),
    button("redo", "Redo", () => review.act(() => review.client.post("/redo"), "Redone.")),
    button("export", "Export", () => review.export()),
  );
  document.addEventListener("keydown", (event) => {
    const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) && event.target.type !== "range";
    const key = event.key.toLowerCase();
    if (typing || !(event.ctrlKey || event.metaKey) || !["z", "y"].includes(key)) return;
    event.preventDefault();
    byId(event.shiftKey || key === "y" ? "redo" : "undo").click();
  });
}

start(async () => {
  const client = new Client();
  await client.signIn();
  const review = new Review(client);
  window.swgrm = review;
  addReviewTools(review);
  connect(review);
  await review.show(await (await client.get("/model")).json());
  review.view?.fit();
  const ended = () => review.tell("The program behind this page has ended. Start swgrm review again to go on.", true);
  client.listen((event) => review.hear(event)).then(ended, ended);
});
