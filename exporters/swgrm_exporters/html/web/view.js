// The robot in 3D: its meshes at the poses of the frames, the camera, and what the pointer does.

const PALETTE = [[0.62, 0.66, 0.71], [0.79, 0.64, 0.42], [0.5, 0.64, 0.78], [0.61, 0.75, 0.56], [0.77, 0.56, 0.62], [0.65, 0.61, 0.79]];
const ACCENT = [0.85, 0.28, 0.06, 1];
const FIELD = (32 * Math.PI) / 180;

class View {
  /** `onPick(frame index or null)` is called for a click. */
  constructor(canvas, onPick) {
    this.canvas = canvas;
    this.renderer = new Renderer(canvas);
    this.marks = new Marks(this.renderer);
    this.onPick = onPick;
    this.meshes = new Map();
    this.shown = { edges: true, collisions: false, frames: false, masses: false };
    this.eye = { target: [0, 0, 0], distance: 1, azimuth: -0.9, elevation: 0.42 };
    this.bodies = [];
    this.selected = null;
    this.drawn = 0;
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
    this.#listen();
    this.#resize();
    const loop = () => {
      requestAnimationFrame(loop);
      if (this.stale) this.#draw();
    };
    requestAnimationFrame(loop);
  }

  /** Takes over a robot; `bytes(key)` gives a promise of a mesh's buffer. */
  async load(kinematics, bytes) {
    this.kinematics = kinematics;
    const items = [];
    for (const frame of kinematics.frames)
      for (const link of frame.links ?? [])
        for (const [kind, shapes] of [["visual", link.visuals], ["collision", link.collisions]])
          for (const shape of shapes ?? []) items.push({ frame: frame.index, kind, shape });
    await Promise.all(
      [...new Set(items.map((item) => item.shape.mesh))]
        .filter((key) => !this.meshes.has(key))
        .map(async (key) => this.meshes.set(key, this.renderer.mesh(await bytes(key)))),
    );
    this.bodies = items.map(({ frame, kind, shape }) => ({
      frame,
      kind,
      mesh: this.meshes.get(shape.mesh),
      local: M.scaled(M.pose(shape.pos ?? [0, 0, 0], shape.rot ?? Q.identity), shape.scale ?? [1, 1, 1]),
      rgba: shape.rgba ?? [...PALETTE[frame % PALETTE.length], 1],
    }));
    this.update();
  }

  update() {
    this.stale = true;
  }

  /** Marks a joint and everything that it moves. */
  select(joint) {
    this.selected = joint;
    this.lit = new Set();
    this.carried = joint ? this.kinematics.carried(joint.frame.index) : new Set();
    const size = joint ? this.bounds(this.carried).radius : 0;
    this.arrow = Math.min(0.45 * this.radius, Math.max(0.1 * this.radius, 1.2 * size));
    this.update();
  }

  /** Shows frames in another light, until another joint is selected. */
  light(frames) {
    this.lit = new Set(frames);
    this.update();
  }

  /** Shows or hides edges, collisions, frames or masses. */
  show(what, on) {
    this.shown[what] = on;
    this.update();
  }

  /** The box of what is drawn of the given frames (all), or of the frames themselves where nothing is. */
  bounds(frames = null) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const include = (p) => p.forEach((value, i) => ((low[i] = Math.min(low[i], value)), (high[i] = Math.max(high[i], value))));
    for (const { frame, kind, mesh, local } of this.bodies) {
      if (kind !== "visual" || (frames && !frames.has(frame))) continue;
      const T = M.multiply(this.kinematics.poses[frame], local);
      for (let i = 0; i < 8; i++)
        include(M.point(T, [0, 1, 2].map((k) => mesh.low[k] + ((i >> k) & 1 ? mesh.size[k] : 0))));
    }
    if (low[0] === Infinity) this.kinematics.poses.forEach((T, i) => (!frames || frames.has(i)) && include(M.position(T)));
    return { low, high, centre: V.scale(V.add(low, high), 0.5), radius: V.length(V.sub(high, low)) / 2 || 0.1 };
  }

  /** Moves the camera so that a sphere is seen. */
  look(centre, radius) {
    const aspect = Math.min(1, this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight));
    this.eye.target = centre;
    this.eye.distance = (radius / Math.sin(FIELD / 2) / aspect) * 1.02;
    this.update();
  }

  /** Moves the camera to the joint that is selected. */
  zoom() {
    if (this.selected) this.look(M.position(this.kinematics.poses[this.selected.frame.index]), 2 * this.arrow);
  }

  /** Moves the camera so that the whole robot is seen, and puts the ground under it. */
  fit() {
    const { low, centre, radius } = this.bounds();
    this.look(centre, radius);
    this.ground = Math.abs(low[2]) < 0.02 * radius ? 0 : low[2];
    this.radius = radius;
    const step = 10 ** Math.round(Math.log10(radius / 2));
    this.grid = { step, lines: 2 * Math.ceil((2.2 * radius) / step), centre: [centre[0], centre[1]] };
    this.update();
  }

  get camera() {
    const { target, distance, azimuth, elevation } = this.eye;
    const back = [Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation)];
    const right = [-Math.sin(azimuth), Math.cos(azimuth), 0];
    const place = M.basis(right, V.cross(back, right), back, V.add(target, V.scale(back, distance)));
    const aspect = this.canvas.width / this.canvas.height;
    return { place, view: M.inverse(place), projection: M.perspective(FIELD, aspect, distance / 100, distance * 30) };
  }

  #resize() {
    this.renderer.resize(this.canvas.parentElement.clientWidth, this.canvas.parentElement.clientHeight);
    this.update();
  }

  #items() {
    const { poses } = this.kinematics;
    return this.bodies
      .filter((body) => body.kind === "visual" || this.shown.collisions)
      .map((body) => {
        const hull = body.kind === "collision";
        const faded = this.shown.collisions && !hull;
        return {
          mesh: body.mesh,
          matrix: M.multiply(poses[body.frame], body.local),
          rgba: hull ? [0.1, 0.6, 0.75, 0.28] : faded ? [...body.rgba.slice(0, 3), 0.35] : body.rgba,
          glow: this.lit?.has(body.frame) ? [0.0, 0.14, 0.3] : this.carried?.has(body.frame) && this.selected ? [0.12, 0.035, 0] : [0, 0, 0],
          ink: this.carried?.has(body.frame) && this.selected && !hull ? ACCENT : null,
          id: body.frame,
          edges: this.shown.edges,
        };
      });
  }

  #markItems(length) {
    const { frames, poses } = this.kinematics;
    const items = this.rails();
    if (this.shown.frames) for (const frame of frames) if (!frame.virtual) items.push(...this.marks.frame(poses[frame.index], length * 0.4));
    if (this.shown.masses)
      for (const frame of frames)
        for (const link of frame.links ?? [])
          if (link.mass) {
            const size = 0.12 * length * Math.cbrt(link.mass / this.heaviest);
            items.push(this.marks.mass(poses[frame.index], link.com, size, [0.9, 0.7, 0.05, 0.9]));
          }
    if (this.selected) items.push(...this.marks.joint(this.selected, poses[this.selected.frame.index], this.arrow, ACCENT));
    return items;
  }

  /** Lines from where slides begin to where they are, so that links that slide apart stay connected. */
  rails() {
    const { joints, poses } = this.kinematics;
    return [...joints.values()].filter(({ type, q }) => type === "prismatic" && Math.abs(q) > 1e-6).map(({ frame }) => {
      const begin = frame.parent < 0 ? frame.base : M.multiply(poses[frame.parent], frame.base);
      return this.marks.segment(M.position(begin), M.position(poses[frame.index]), [0.5, 0.52, 0.55, 0.9]);
    });
  }

  get heaviest() {
    const masses = this.kinematics.frames.flatMap((frame) => (frame.links ?? []).map((link) => link.mass ?? 0));
    return Math.max(1e-9, ...masses);
  }

  #draw() {
    this.stale = false;
    if (!this.kinematics || !this.grid) return;
    const dark = getComputedStyle(document.documentElement).getPropertyValue("--dark").trim() === "1";
    const line = dark ? [0.5, 0.55, 0.62, 0.28] : [0.45, 0.5, 0.58, 0.3];
    const grid = this.marks.grid(this.ground, this.grid.centre, this.grid.step, this.grid.lines, line);
    const items = [grid, ...this.#items(), ...this.#markItems(this.radius * 0.45)];
    this.renderer.draw(items, this.camera, {
      ground: this.ground + 0.0005 * this.radius,
      ink: dark ? [0.02, 0.02, 0.03, 0.6] : [0.1, 0.13, 0.18, 0.5],
    });
    this.drawn += 1;
  }

  #listen() {
    const { canvas, eye } = this;
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#zoom(Math.exp(event.deltaY * 0.001));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      const shift = event.button !== 0 || event.shiftKey;
      let [x, y, moved] = [event.clientX, event.clientY, 0];
      const drag = (at) => {
        const [dx, dy] = [at.clientX - x, at.clientY - y];
        [x, y, moved] = [at.clientX, at.clientY, moved + Math.abs(dx) + Math.abs(dy)];
        if (shift) this.#pan(dx, dy);
        else this.#turn(-dx * 0.008, dy * 0.008);
      };
      canvas.addEventListener("pointermove", drag);
      canvas.addEventListener("pointerup", (end) => {
        canvas.removeEventListener("pointermove", drag);
        if (moved < 4 && event.button === 0) this.onPick(this.pick(end.offsetX, end.offsetY));
      }, { once: true });
    });
    const keys = {
      ArrowLeft: () => this.#turn(-0.1, 0), ArrowRight: () => this.#turn(0.1, 0),
      ArrowUp: () => this.#turn(0, 0.1), ArrowDown: () => this.#turn(0, -0.1),
      "+": () => this.#zoom(0.85), "-": () => this.#zoom(1.18), f: () => this.fit(), z: () => this.zoom(),
    };
    canvas.addEventListener("keydown", (event) => {
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.update());
    this.eye = eye;
  }

  #turn(azimuth, elevation) {
    this.eye.azimuth += azimuth;
    this.eye.elevation = Math.max(-1.55, Math.min(1.55, this.eye.elevation + elevation));
    this.update();
  }

  #zoom(factor) {
    this.eye.distance *= factor;
    this.update();
  }

  #pan(dx, dy) {
    const scale = (2 * this.eye.distance * Math.tan(FIELD / 2)) / this.canvas.clientHeight;
    const { place } = this.camera;
    this.eye.target = V.add(this.eye.target, M.direction(place, [-dx * scale, dy * scale, 0]));
    this.update();
  }

  /** The index of the frame that is seen at a point of the canvas, or null. */
  pick(x, y) {
    const found = this.renderer.pick(this.#items(), this.camera, x, y);
    this.#draw();
    return found;
  }
}
