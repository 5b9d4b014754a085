// Starts the page as a file: everything that it shows is in it.

/** The bytes of a mesh that is in the page: deflated, as base64. */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

start(async () => {
  const { scene, meshes } = JSON.parse(byId("data").textContent);
  const state = new State((key) => inflated(meshes[key]));
  window.swgrm = state;
  connect(state);
  await state.load(scene);
  state.view?.fit();
});
