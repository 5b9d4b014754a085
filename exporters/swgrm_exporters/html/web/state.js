// What the page knows: the scene, the kinematics, the selection; it connects the view and the panels.

class State {
  /** `bytes(key)` gives a promise of the bytes of a mesh. */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = null;
    this.selected = null;
    this.frame = null;
    try {
      this.view = new View(byId("view"), (frame) => this.choose(frame));
    } catch (error) {
      this.tell("This browser shows no 3D, because WebGL 2 is off. The lists and the sliders work.", true);
    }
    this.panels = this.makePanels();
  }

  makePanels() {
    return new Panels(this);
  }

  async load(scene) {
    this.scene = scene;
    this.kinematics = new Kinematics(scene);
    await this.view?.load(this.kinematics, this.bytes);
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
    this.panels.values(done ? slider : null, done ? null : slider);
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

/** Runs the start of a page, and shows what goes wrong. */
function start(begin) {
  begin().then(
    () => (document.body.dataset.ready = "1"),
    (error) => {
      byId("status").textContent = `This page cannot show the robot: ${error.message}`;
      byId("status").className = "problem";
    },
  );
}
