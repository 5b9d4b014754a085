// A small WebGL 2 renderer: shaded meshes with edges, lines, shadows on the ground, overlays, and picking.
//
// An item is {mesh, matrix, rgba, glow, id, overlay, edges, ink}; meshes come from `mesh(buffer)` or `flat(points, lines)`.

const VERTEX = `#version 300 es
layout(location=0) in vec3 corner;
layout(location=1) in vec3 normal;
uniform mat4 model, view, projection;
uniform vec3 low, size;
out vec3 n, eye;
void main() {
  vec4 world = model * vec4(low + corner * size, 1.0);
  vec4 e = view * world;
  eye = e.xyz;
  n = mat3(view) * transpose(inverse(mat3(model))) * normal;
  gl_Position = projection * e;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 n, eye;
uniform vec4 colour;
uniform vec3 glow, up;
uniform bool shaded;
out vec4 result;
vec3 linear(vec3 c) { return pow(c, vec3(2.2)); }
void main() {
  if (!shaded) { result = vec4(colour.rgb * colour.a, colour.a); return; }
  vec3 m = normalize(n), v = normalize(-eye);
  if (dot(m, v) < 0.0) m = -m;
  vec3 key = normalize(vec3(0.45, 0.75, 0.9)), fill = normalize(vec3(-0.8, 0.1, 0.5));
  float sky = 0.5 + 0.5 * dot(m, up);
  vec3 light = mix(vec3(0.20, 0.19, 0.18), vec3(0.46, 0.48, 0.52), sky);
  light += 0.62 * max(dot(m, key), 0.0) + 0.16 * max(dot(m, fill), 0.0);
  float shine = pow(max(dot(m, normalize(key + v)), 0.0), 40.0);
  float rim = pow(1.0 - max(dot(m, v), 0.0), 4.0);
  vec3 c = linear(colour.rgb) * light + 0.10 * shine + 0.05 * rim + glow;
  c = pow(c, vec3(1.0 / 2.2));
  result = vec4(c * colour.a, colour.a);
}`;

class Renderer {
  /** Throws if the browser has no WebGL 2. */
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, stencil: true });
    if (!gl) throw new Error("WebGL 2 is not available");
    this.gl = gl;
    const program = gl.createProgram();
    for (const [type, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    this.at = {};
    for (const name of ["model", "view", "projection", "low", "size", "colour", "glow", "up", "shaded"])
      this.at[name] = gl.getUniformLocation(program, name);
  }

  /** A mesh from the bytes that `buffers.py` describes. */
  mesh(buffer) {
    const gl = this.gl;
    const [corners, triangles, edges, width] = new Uint32Array(buffer, 0, 4);
    const box = new Float32Array(buffer, 16, 6);
    const Indices = width === 2 ? Uint16Array : Uint32Array;
    const normalsAt = 40 + 8 * corners;
    const trianglesAt = normalsAt + 4 * corners;
    const edgesAt = trianglesAt + Math.ceil((triangles * width) / 4) * 4;
    const vao = gl.createVertexArray();
    gl.bindVertexArray(vao);
    this.#attribute(0, new Uint16Array(buffer, 40, 4 * corners), gl.UNSIGNED_SHORT, true, 8);
    this.#attribute(1, new Int8Array(buffer, normalsAt, 4 * corners), gl.BYTE, true, 4);
    const index = (data) => {
      const made = gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, made);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, data, gl.STATIC_DRAW);
      return { buffer: made, count: data.length };
    };
    return {
      vao,
      low: box.slice(0, 3),
      size: box.slice(3),
      type: width === 2 ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT,
      triangles: index(new Indices(buffer, trianglesAt, triangles)),
      edges: index(new Indices(buffer, edgesAt, edges)),
    };
  }

  /** A mesh without light from a list of points: triangles, or lines. */
  flat(points, lines = false) {
    const gl = this.gl;
    const vao = gl.createVertexArray();
    gl.bindVertexArray(vao);
    this.#attribute(0, new Float32Array(points), gl.FLOAT, false, 12);
    return { vao, low: [0, 0, 0], size: [1, 1, 1], count: points.length / 3, lines };
  }

  #attribute(place, data, type, normalised, stride) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, type, normalised, stride, 0);
  }

  resize(width, height) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
  }

  /** Draws the items; `ground` is the height of the shadows, or null; `ink` the colour of edges. */
  draw(items, camera, { ground = null, ink = [0.1, 0.13, 0.18, 0.5] } = {}) {
    const gl = this.gl;
    this.#begin(camera, [0, 0, 0, 0]);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const solid = items.filter((item) => !item.overlay && item.rgba[3] >= 1);
    const clear = items.filter((item) => !item.overlay && item.rgba[3] < 1);
    if (ground !== null) this.#shadows(solid, ground);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    for (const item of solid) this.#fill(item);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    for (const item of solid) if (item.edges) this.#outline(item, item.ink ?? ink);
    gl.depthMask(false);
    for (const item of clear) this.#fill(item);
    gl.depthMask(true);
    for (const item of clear) if (item.edges) this.#outline(item, [...item.rgba.slice(0, 3), 0.6]);
    gl.disable(gl.DEPTH_TEST);
    for (const item of items) if (item.overlay) this.#fill(item);
    gl.enable(gl.DEPTH_TEST);
  }

  #begin(camera, background) {
    const gl = this.gl;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...background);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.uniformMatrix4fv(this.at.view, false, camera.view);
    gl.uniformMatrix4fv(this.at.projection, false, camera.projection);
    gl.uniform3fv(this.at.up, M.direction(camera.view, [0, 0, 1]));
  }

  #use(item, matrix, rgba, shaded, glow = [0, 0, 0]) {
    const gl = this.gl;
    gl.bindVertexArray(item.mesh.vao);
    gl.uniformMatrix4fv(this.at.model, false, matrix);
    gl.uniform3fv(this.at.low, item.mesh.low);
    gl.uniform3fv(this.at.size, item.mesh.size);
    gl.uniform4fv(this.at.colour, rgba);
    gl.uniform3fv(this.at.glow, glow);
    gl.uniform1i(this.at.shaded, shaded ? 1 : 0);
  }

  #fill(item, matrix = item.matrix, rgba = item.rgba, shaded = Boolean(item.mesh.triangles)) {
    const gl = this.gl;
    this.#use(item, matrix, rgba, shaded, item.glow);
    if (item.mesh.triangles) this.#indexed(gl.TRIANGLES, item.mesh, item.mesh.triangles);
    else gl.drawArrays(item.mesh.lines ? gl.LINES : gl.TRIANGLES, 0, item.mesh.count);
  }

  #outline(item, rgba) {
    this.#use(item, item.matrix, rgba, false);
    this.#indexed(this.gl.LINES, item.mesh, item.mesh.edges);
  }

  #indexed(mode, mesh, indices) {
    this.gl.bindBuffer(this.gl.ELEMENT_ARRAY_BUFFER, indices.buffer);
    this.gl.drawElements(mode, indices.count, mesh.type, 0);
  }

  /** Flattens everything onto the ground, each pixel darkened once. */
  #shadows(items, ground) {
    const gl = this.gl;
    const flatten = [1, 0, 0, 0, 0, 1, 0, 0, -0.25, 0.2, 0, 0, 0.25 * ground, -0.2 * ground, ground, 1];
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.depthMask(false);
    for (const item of items)
      if (item.mesh.triangles) this.#fill(item, M.multiply(flatten, item.matrix), [0, 0, 0, 0.13], false);
    gl.depthMask(true);
    gl.disable(gl.STENCIL_TEST);
  }

  /** The id of the item that is drawn at a point of the canvas [CSS pixels], or null. */
  pick(items, camera, x, y) {
    const gl = this.gl;
    gl.disable(gl.BLEND);
    this.#begin(camera, [0, 0, 0, 0]);
    for (const item of items) {
      if (item.id === undefined || item.overlay) continue;
      const code = item.id + 1;
      this.#fill(item, item.matrix, [(code & 255) / 255, ((code >> 8) & 255) / 255, (code >> 16) / 255, 1], false);
    }
    const ratio = this.canvas.width / this.canvas.clientWidth;
    const pixel = new Uint8Array(4);
    gl.readPixels(x * ratio, this.canvas.height - y * ratio, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    const code = pixel[0] + (pixel[1] << 8) + (pixel[2] << 16);
    return pixel[3] ? code - 1 : null;
  }
}
