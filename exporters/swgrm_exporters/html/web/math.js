// Vectors [x, y, z], quaternions [x, y, z, w], and rigid transforms as 16 numbers by columns.

const V = {
  add: (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
  sub: (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
  scale: (a, s) => [a[0] * s, a[1] * s, a[2] * s],
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  length: (a) => Math.hypot(a[0], a[1], a[2]),
  unit: (a) => V.scale(a, 1 / (V.length(a) || 1)),
  /** A unit vector at a right angle to a unit vector. */
  normal: (a) => V.unit(V.cross(a, Math.abs(a[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0])),
};

const Q = {
  identity: [0, 0, 0, 1],
  multiply: (a, b) => [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
    a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ],
  /** The quaternion of a rotation vector [rad]. */
  exp(w) {
    const angle = V.length(w);
    if (angle < 1e-12) return [w[0] / 2, w[1] / 2, w[2] / 2, 1];
    const s = Math.sin(angle / 2) / angle;
    return [w[0] * s, w[1] * s, w[2] * s, Math.cos(angle / 2)];
  },
  /** The rotation vector of a quaternion [rad]; its length is at most π. */
  log(q) {
    const sign = q[3] < 0 ? -1 : 1;
    const s = Math.hypot(q[0], q[1], q[2]);
    const factor = s < 1e-12 ? 2 : (2 * Math.atan2(s, sign * q[3])) / s;
    return [sign * q[0] * factor, sign * q[1] * factor, sign * q[2] * factor];
  },
};

const M = {
  identity: () => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  /** The transform with a position and a quaternion, which need not be of unit length. */
  pose(p, q) {
    const n = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const [x, y, z, w] = q;
    return [
      1 - n * (y * y + z * z), n * (x * y + z * w), n * (x * z - y * w), 0,
      n * (x * y - z * w), 1 - n * (x * x + z * z), n * (y * z + x * w), 0,
      n * (x * z + y * w), n * (y * z - x * w), 1 - n * (x * x + y * y), 0,
      p[0], p[1], p[2], 1,
    ];
  },
  basis: (x, y, z, p) => [...x, 0, ...y, 0, ...z, 0, ...p, 1],
  multiply(a, b) {
    const out = new Array(16);
    for (let c = 0; c < 16; c += 4)
      for (let r = 0; r < 4; r++)
        out[c + r] = a[r] * b[c] + a[4 + r] * b[c + 1] + a[8 + r] * b[c + 2] + a[12 + r] * b[c + 3];
    return out;
  },
  /** The inverse of a rigid transform. */
  inverse(m) {
    const p = [m[12], m[13], m[14]];
    const column = (i) => [m[4 * i], m[4 * i + 1], m[4 * i + 2]];
    const [x, y, z] = [column(0), column(1), column(2)];
    return [
      x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
      -V.dot(x, p), -V.dot(y, p), -V.dot(z, p), 1,
    ];
  },
  scaled: (m, s) => m.map((value, i) => (i < 12 ? value * s[i >> 2] : value)),
  position: (m) => [m[12], m[13], m[14]],
  direction: (m, v) => [
    m[0] * v[0] + m[4] * v[1] + m[8] * v[2],
    m[1] * v[0] + m[5] * v[1] + m[9] * v[2],
    m[2] * v[0] + m[6] * v[1] + m[10] * v[2],
  ],
  point: (m, v) => V.add(M.direction(m, v), M.position(m)),
  perspective(fov, aspect, near, far) {
    const f = 1 / Math.tan(fov / 2);
    const d = 1 / (near - far);
    return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (near + far) * d, -1, 0, 0, 2 * near * far * d, 0];
  },
};

/** Solves A x = b for a square matrix by elimination with pivoting; rows without a pivot give zero. */
function solveLinear(A, b) {
  const n = b.length;
  const rows = A.map((row, i) => [...row, b[i]]);
  for (let i = 0; i < n; i++) {
    let best = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(rows[r][i]) > Math.abs(rows[best][i])) best = r;
    [rows[i], rows[best]] = [rows[best], rows[i]];
    if (rows[i][i] === 0) continue;
    for (let r = i + 1; r < n; r++) {
      const factor = rows[r][i] / rows[i][i];
      if (factor !== 0) for (let c = i; c <= n; c++) rows[r][c] -= factor * rows[i][c];
    }
  }
  const x = new Array(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let sum = rows[i][n];
    for (let c = i + 1; c < n; c++) sum -= rows[i][c] * x[c];
    x[i] = rows[i][i] === 0 ? 0 : sum / rows[i][i];
  }
  return x;
}
