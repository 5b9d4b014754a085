// Marks that are drawn over the robot: the axis and range of a joint, frames, centres of mass, and the grid.

class Marks {
  constructor(renderer) {
    this.renderer = renderer;
    this.rod = renderer.flat(Marks.#tube(0.02, 0.02, -1, 1));
    this.tip = renderer.flat(Marks.#tube(0.07, 0, 1, 1.25));
    this.disc = renderer.flat(Marks.#tube(0.09, 0.09, -0.01, 0.01));
    this.hand = renderer.flat([0, -0.018, 0, 0.5, -0.018, 0, 0.5, 0.018, 0, 0, -0.018, 0, 0.5, 0.018, 0, 0, 0.018, 0]);
    this.triad = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => renderer.flat([0, 0, 0, ...axis], true));
    this.ball = renderer.flat(Marks.#octahedron());
    this.line = renderer.flat([0, 0, 0, 0, 0, 1], true);
  }

  static #tube(r0, r1, z0, z1, sides = 20) {
    const points = [];
    for (let i = 0; i < sides; i++) {
      const [a, b] = [i, i + 1].map((k) => (2 * Math.PI * k) / sides);
      const at = (angle, r, z) => [r * Math.cos(angle), r * Math.sin(angle), z];
      points.push(...at(a, r0, z0), ...at(b, r0, z0), ...at(b, r1, z1), ...at(a, r0, z0), ...at(b, r1, z1), ...at(a, r1, z1));
      points.push(...at(a, r0, z0), ...at(b, r0, z0), 0, 0, z0, ...at(a, r1, z1), ...at(b, r1, z1), 0, 0, z1);
    }
    return points;
  }

  static #octahedron() {
    const points = [];
    for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1]) points.push(x, 0, 0, 0, y, 0, 0, 0, z);
    return points;
  }

  static #sector(from, to, inner, outer) {
    const points = [];
    const steps = Math.max(2, Math.ceil(Math.abs(to - from) / 0.06));
    const at = (i, r) => {
      const angle = from + ((to - from) * i) / steps;
      return [r * Math.cos(angle), r * Math.sin(angle), 0];
    };
    for (let i = 0; i < steps; i++)
      points.push(...at(i, inner), ...at(i, outer), ...at(i + 1, outer), ...at(i, inner), ...at(i + 1, outer), ...at(i + 1, inner));
    return points;
  }

  /** The axis of a joint as an arrow, its range as a sector or two discs, and a hand at the present position. */
  joint(joint, pose, length, rgba) {
    if (joint.type === "ball") return this.frame(pose, length);
    const x = V.normal(joint.axis);
    const own = M.basis(x, V.cross(joint.axis, x), joint.axis, [0, 0, 0]);
    const matrix = M.multiply(pose, M.scaled(own, [length, length, length]));
    const item = (mesh, more = {}) => ({ mesh, matrix, rgba, overlay: true, ...more });
    const items = [item(this.rod), item(this.tip)];
    if (joint.type === "prismatic") {
      for (const end of [joint.lower, joint.upper])
        if (end !== undefined) {
          const shift = M.pose([0, 0, (end - joint.q) / length], Q.identity);
          items.push(item(this.disc, { matrix: M.multiply(matrix, shift) }));
        }
      return items;
    }
    const whole = Math.min(2 * Math.PI, (joint.upper ?? Math.PI) - (joint.lower ?? -Math.PI));
    const from = (joint.lower ?? -Math.PI) - joint.q;
    const faint = [...rgba.slice(0, 3), 0.35];
    items.push(item(this.renderer.flat(Marks.#sector(from, from + whole, 0.38, 0.5)), { rgba: faint }));
    items.push(item(this.hand));
    return items;
  }

  /** A line between two points. */
  segment(from, to, rgba) {
    const along = V.sub(to, from);
    const x = V.normal(V.unit(along));
    return { mesh: this.line, matrix: M.basis(x, V.cross(V.unit(along), x), along, from), rgba };
  }

  /** The three axes of a frame: red, green, blue. */
  frame(pose, length) {
    const matrix = M.scaled(pose, [length, length, length]);
    const colours = [[0.88, 0.2, 0.2, 1], [0.15, 0.65, 0.25, 1], [0.2, 0.4, 0.95, 1]];
    return this.triad.map((mesh, i) => ({ mesh, matrix, rgba: colours[i], overlay: true }));
  }

  /** A centre of mass; its size grows with the cube root of the mass. */
  mass(pose, centre, size, rgba) {
    return { mesh: this.ball, matrix: M.scaled(M.multiply(pose, M.pose(centre, Q.identity)), [size, size, size]), rgba, overlay: true };
  }

  /** Lines on the ground, one per step [m]. */
  grid(height, centre, step, lines, rgba) {
    const points = [];
    const [x, y] = centre.map((value) => Math.round(value / step) * step);
    const half = (step * lines) / 2;
    for (let i = 0; i <= lines; i++) {
      const d = i * step - half;
      points.push(x - half, y + d, height, x + half, y + d, height, x + d, y - half, height, x + d, y + half, height);
    }
    return { mesh: this.renderer.flat(points, true), matrix: M.identity(), rgba };
  }
}
