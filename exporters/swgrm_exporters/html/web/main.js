// Starts the page: reads the data in it, and connects the kinematics, the view and the panels.

/** The bytes of a mesh that is in the page: deflated, as base64. */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

class State {
  constructor(meshes) {
    this.meshes = meshes;
    this.view = null;
    this.selected = null;
    this.frame = null;
    try {
      this.view = new View(byId("view"), (frame) => this.choose(frame));
    } catch (error) {
      this.tell("This browser shows no 3D, because WebGL 2 is off. The lists and the sliders work.", true);
    }
    this.panels = new Panels(this);
  }

  async load(scene) {
    this.scene = scene;
    this.kinematics = new Kinematics(scene);
    await this.view?.load(this.kinematics, (key) => inflated(this.meshes[key]));
    this.view?.fit();
    this.panels.refresh();
  }

  tell(text, problem = false) {
    byId("status").textContent = text;
    byId("status").className = problem ? "problem" : "";
  }

  /** Moves a joint; `slider` is the one that the user holds. */
  move(joint, position, slider = null) {
    const done = this.kinematics.move(joint.name, position);
    this.tell(done ? "" : `A loop stops ${joint.name} at ${shown(joint, joint.q)}.`, !done);
    this.view?.update();
    this.panels.values(done ? slider : null);
    return done;
  }

  select(joint) {
    this.selected = joint;
    this.frame = null;
    this.view?.select(joint);
    this.panels.selection();
  }

  /** Selects a frame, and the joint that moves it. */
  choose(frame) {
    let joint = null;
    for (let i = frame ?? -1; i >= 0 && !joint; i = this.kinematics.frames[i].parent) joint = this.kinematics.frames[i].joint ?? null;
    this.select(joint);
    this.frame = frame;
    this.panels.detail();
  }
}

function connect(state) {
  byId("zero").addEventListener("click", () => {
    state.kinematics.reset();
    state.tell("");
    state.view?.update();
    state.panels.values();
  });
  byId("fit").addEventListener("click", () => state.view?.fit());
  for (const box of document.querySelectorAll("[data-show]"))
    box.addEventListener("change", () => state.view?.show(box.dataset.show, box.checked));
  byId("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = getComputedStyle(root).getPropertyValue("--dark").trim() === "1";
    root.dataset.theme = dark ? "light" : "dark";
    state.view?.update();
  });
}

(async () => {
  const { scene, meshes } = JSON.parse(byId("data").textContent);
  const state = new State(meshes);
  window.swgrm = state;
  connect(state);
  await state.load(scene);
  document.body.dataset.ready = "1";
})().catch((error) => {
  byId("status").textContent = `This page cannot show the robot: ${error.message}`;
  byId("status").className = "problem";
});
