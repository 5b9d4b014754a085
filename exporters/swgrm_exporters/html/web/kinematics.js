// The pose of every frame for joint positions, by the rule of the model: T_parent_child(q) = transform · motion(q).
//
// scene.frames   parents before children: id, parent (index, -1 for the root), pos, rot, joint, links, sensors
// joint          name, type, axis (in the child frame), pitch [m per revolution], lower, upper, why
// scene.followers  joint → {terms: {joint: coefficient}, offset}: positions that others determine
// scene.loops    joints that close loops, between two frames of the tree

class Kinematics {
  constructor(scene) {
    this.frames = scene.frames.map((frame, index) => ({ ...frame, index, base: M.pose(frame.pos, frame.rot) }));
    this.poses = this.frames.map((frame) => frame.base);
    this.joints = new Map();
    for (const frame of this.frames) if (frame.joint) this.joints.set(frame.joint.name, this.#joint(frame));
    for (const [name, follower] of Object.entries(scene.followers)) {
      const joint = this.joints.get(name);
      joint.offset = follower.offset;
      joint.leaders = Object.entries(follower.terms).map(([leader, factor]) => [this.joints.get(leader), factor]);
    }
    this.followers = [...this.joints.values()].filter((joint) => joint.leaders);
    this.update();
    this.reach = Math.max(...this.poses.map((T) => V.length(V.sub(M.position(T), M.position(this.poses[0]))))) || 1;
    this.loops = new Loops(this, scene.loops);
  }

  #joint(frame) {
    const joint = { ...frame.joint, frame, axis: V.unit(frame.joint.axis) };
    joint.q = joint.type === "ball" ? Q.identity : 0;
    frame.joint = joint;
    return joint;
  }

  /** The transform of a joint's own motion. */
  static motion(joint, q = joint.q) {
    if (joint.type === "ball") return M.pose([0, 0, 0], q);
    if (joint.type === "prismatic") return M.pose(V.scale(joint.axis, q), Q.identity);
    const shift = joint.type === "screw" ? ((joint.pitch ?? 0) * q) / (2 * Math.PI) : 0;
    return M.pose(V.scale(joint.axis, shift), Q.exp(V.scale(joint.axis, q)));
  }

  /** Computes the positions of followers, and the poses of the given frames (all), parents first. */
  update(frames = this.frames) {
    for (const joint of this.followers)
      joint.q = joint.leaders.reduce((sum, [leader, factor]) => sum + factor * leader.q, joint.offset);
    for (const frame of frames) {
      const local = frame.joint ? M.multiply(frame.base, Kinematics.motion(frame.joint)) : frame.base;
      this.poses[frame.index] = frame.parent < 0 ? local : M.multiply(this.poses[frame.parent], local);
    }
  }

  /** Moves a joint to a position [rad, m, or a quaternion]; false if a loop cannot follow, which stops it before. */
  move(name, position) {
    let joint = this.joints.get(name);
    let target = position;
    if (joint.leaders?.length) {  // the first leader takes what the follower needs
      const [leader, factor] = joint.leaders[0];
      target = leader.q + (position - joint.q) / factor;
      joint = leader;
    }
    const done = this.loops.contains(joint) ? this.loops.move(joint, target) : ((joint.q = target), true);
    this.update();
    return done;
  }

  /** Moves all joints to zero, the pose of the assembly. */
  reset() {
    for (const joint of this.joints.values()) joint.q = joint.type === "ball" ? Q.identity : 0;
    this.update();
  }

  /** The range that a slider shows [rad or m]: the limits, or those that the leader's limits imply. */
  range(joint) {
    const whole = joint.type === "prismatic" ? this.reach : Math.PI;
    if (joint.lower === undefined && joint.upper === undefined && joint.leaders?.length === 1) {
      const [leader, factor] = joint.leaders[0];
      return this.range(leader).map((end) => factor * end + joint.offset).sort((a, b) => a - b);
    }
    return [joint.lower ?? -whole, joint.upper ?? whole];
  }

  /** The indices of a frame and of everything that it carries. */
  carried(index) {
    const found = new Set([index]);
    for (const frame of this.frames) if (found.has(frame.parent)) found.add(frame.index);
    return found;
  }
}
