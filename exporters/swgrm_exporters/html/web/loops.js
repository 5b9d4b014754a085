// Closed loops: when a joint moves, the others in its loops follow, so that every loop joint stays closed.
//
// Damped least squares on the gaps of the loop joints. Lengths and angles are weighted by the robot's reach, so that
// the gap is in metres. Some joints of the loops are free (drivers); the rest depend on them.

class Loops {
  constructor(kinematics, loops) {
    this.kinematics = kinematics;
    this.joints = loops.map((loop) => ({
      ...loop,
      base: M.pose(loop.pos, loop.rot),
      joint: { ...loop.joint, axis: V.unit(loop.joint.axis) },
    }));
    this.members = this.#members();
    this.frames = this.#frames();
    this.drivers = new Set(this.#drivers());
    for (const joint of this.members) joint.dependent = !this.drivers.has(joint) && !joint.leaders;
    kinematics.update();
  }

  contains(joint) {
    return this.members.has(joint);
  }

  #path(index) {
    const path = [];
    for (let i = index; i >= 0; i = this.kinematics.frames[i].parent) path.push(i);
    return path;
  }

  /** The joints of the tree in loops, and the leaders of those that follow others. */
  #members() {
    const found = new Set();
    for (const loop of this.joints) {
      const [a, b] = [this.#path(loop.parent), this.#path(loop.child)];
      for (const i of [...a, ...b]) {
        const joint = this.kinematics.frames[i].joint;
        if (joint && a.includes(i) !== b.includes(i)) found.add(joint);
      }
    }
    for (const joint of [...found]) for (const [leader] of joint.leaders ?? []) found.add(leader);
    return found;
  }

  /** The frames that the gaps depend on. */
  #frames() {
    const needed = new Set(this.joints.flatMap((loop) => [...this.#path(loop.parent), ...this.#path(loop.child)]));
    return this.kinematics.frames.filter((frame) => needed.has(frame.index));
  }

  /** The gaps of all loop joints [m], for the present positions. */
  gaps() {
    this.kinematics.update(this.frames);
    return this.joints.flatMap((loop) => this.#gap(loop));
  }

  /** How far the loops are open [m]. */
  opening() {
    return Math.hypot(...this.gaps());
  }

  #gap({ parent, child, base, joint }) {
    const { poses, reach } = this.kinematics;
    const T = M.multiply(M.inverse(M.multiply(poses[parent], base)), poses[child]);
    const p = M.position(T);
    if (joint.type === "ball") return p;
    const twist = [(T[6] - T[9]) / 2, (T[8] - T[2]) / 2, (T[1] - T[4]) / 2];  // sin(angle) · axis
    const tilt = V.scale(V.sub(M.direction(T, joint.axis), joint.axis), reach);
    const along = V.dot(joint.axis, p);
    const across = V.sub(p, V.scale(joint.axis, along));
    if (joint.type === "revolute") return [...p, ...tilt];
    if (joint.type === "prismatic") return [...across, ...V.scale(twist, reach)];
    if (joint.type === "screw") {
      const angle = Math.atan2(V.dot(twist, joint.axis), (T[0] + T[5] + T[10] - 1) / 2);
      return [...across, ...tilt, along - (joint.pitch * angle) / (2 * Math.PI)];
    }
    return [...p, ...V.scale(twist, reach)];
  }

  /** One column per degree of freedom of the given joints: [joint, component of a ball]. */
  static #columns(joints) {
    return joints
      .filter((joint) => !joint.leaders)
      .flatMap((joint) => (joint.type === "ball" ? [0, 1, 2].map((k) => [joint, k]) : [[joint, 0]]));
  }

  static #step([joint, component], d) {
    if (joint.type !== "ball") joint.q += d;
    else joint.q = Q.multiply(joint.q, Q.exp([0, 1, 2].map((k) => (k === component ? d : 0))));
  }

  /** The gaps, and their derivatives by each column. */
  #linearised(columns) {
    const h = 1e-6;
    const gaps = this.gaps();
    const jacobian = columns.map((column) => {
      const before = column[0].q;
      Loops.#step(column, h);
      const moved = this.gaps();
      column[0].q = before;
      return moved.map((value, i) => (value - gaps[i]) / h);
    });
    return [gaps, jacobian];
  }

  /** The joints that are free: their effect on the gaps is a combination of the others' effects.
   *
   *  Balls are taken as dependent first, then the joints that are farther from the root; slides are free if possible.
   */
  #drivers() {
    const rank = ({ type, frame }) => (type === "ball" ? 0 : type === "prismatic" ? 2e6 : 1e6 - frame.index);
    const columns = Loops.#columns([...this.members]).sort((a, b) => rank(a[0]) - rank(b[0]));
    const [, jacobian] = this.#linearised(columns);
    const basis = [];
    const free = [];
    columns.forEach(([joint], i) => {
      let rest = jacobian[i];
      for (const unit of basis) {
        const share = rest.reduce((sum, x, k) => sum + x * unit[k], 0);
        rest = rest.map((x, k) => x - share * unit[k]);
      }
      const size = Math.hypot(...rest);
      if (size > 1e-5 * Math.max(Math.hypot(...jacobian[i]), 1e-3)) basis.push(rest.map((x) => x / size));
      else if (joint.type !== "ball") free.push(joint);
    });
    return free;
  }

  /** Closes the loops by moving all their joints but the held ones; false if that fails. */
  close(held) {
    const columns = Loops.#columns([...this.members].filter((joint) => !held.has(joint)));
    let [gaps, jacobian] = this.#linearised(columns);
    let error = Math.hypot(...gaps);
    let damping = 1e-6;
    for (let step = 0; step < 40 && error > 1e-11 * this.kinematics.reach && damping < 1e3; step++) {
      const before = columns.map(([joint]) => joint.q);
      const normal = jacobian.map((a) => jacobian.map((b) => a.reduce((sum, x, k) => sum + x * b[k], 0)));
      const mean = normal.reduce((sum, row, i) => sum + row[i], 0) / columns.length;
      normal.forEach((row, i) => (row[i] += damping * mean));
      const change = solveLinear(normal, jacobian.map((a) => -a.reduce((sum, x, k) => sum + x * gaps[k], 0)));
      columns.forEach((column, i) => Loops.#step(column, change[i]));
      const next = this.opening();
      if (next < error) {
        error = next;
        damping = Math.max(damping / 10, 1e-12);
        [gaps, jacobian] = this.#linearised(columns);
      } else {
        columns.forEach(([joint], i) => (joint.q = before[i]));
        damping *= 10;
      }
    }
    return error < 1e-8 * this.kinematics.reach;
  }

  /** Moves a joint in small steps with the loops closed; false if they stop it, and then it stays where they did. */
  move(joint, target) {
    const held = joint.dependent ? new Set([joint]) : this.drivers;
    const from = joint.q;
    const largest = joint.type === "prismatic" ? 0.05 * this.kinematics.reach : 0.1;
    const steps = Math.max(1, Math.ceil(Math.abs(target - from) / largest));
    for (let i = 1; i <= steps; i++) {
      const before = [...this.members].map((member) => [member, member.q]);
      joint.q = from + ((target - from) * i) / steps;
      if (!this.close(held)) {
        for (const [member, q] of before) member.q = q;
        return false;
      }
    }
    return true;
  }
}
