/* Decode the data of the page to bytes and triangles. */

/** Decode base64 text that zlib has compressed. */
async function inflate(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Vertices and corners of each part, from the bytes of `jounce.viewer.web.meshes.pack`. */
function unpackParts(bytes, vertices, triangles, parts) {
  const count = 3 * vertices;
  const grid = new Uint16Array(count);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sum = (sum + bytes[i] + 256 * bytes[count + i]) & 0xffff;
    grid[i] = sum;
  }
  const corners = 3 * triangles;
  const indices = new Uint32Array(corners);
  const start = 2 * count;
  sum = 0;
  for (let i = 0; i < corners; i++) {
    const k = start + i;
    const z = bytes[k] + 256 * bytes[k + corners] + 65536 * bytes[k + 2 * corners] + 16777216 * bytes[k + 3 * corners];
    sum += z % 2 ? -(z + 1) / 2 : z / 2;
    indices[i] = sum;
  }
  let v = 0;
  let f = 0;
  return parts.map((part) => {
    const positions = new Float32Array(3 * part.vertices);
    for (let i = 0; i < part.vertices; i++) {
      for (let k = 0; k < 3; k++) {
        positions[3 * i + k] = part.low[k] + (grid[k * vertices + v + i] / 65535) * part.size[k];
      }
    }
    const faces = indices.subarray(f, f + 3 * part.triangles);
    v += part.vertices;
    f += 3 * part.triangles;
    return { ...part, positions, faces };
  });
}

/** Expand corners, with normals that are smooth except at sharp edges. */
function creased(positions, faces, angle = 0.8) {
  const count = faces.length / 3;
  const normals = new Float32Array(3 * count); // of triangles, as long as twice their area
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [3 * faces[3 * t], 3 * faces[3 * t + 1], 3 * faces[3 * t + 2]];
    const u = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
    const w = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
    normals[3 * t] = u[1] * w[2] - u[2] * w[1];
    normals[3 * t + 1] = u[2] * w[0] - u[0] * w[2];
    normals[3 * t + 2] = u[0] * w[1] - u[1] * w[0];
  }
  const starts = new Uint32Array(positions.length / 3 + 1);
  for (const i of faces) starts[i + 1] += 1;
  for (let i = 0; i < starts.length - 1; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const around = new Uint32Array(faces.length); // triangles at each vertex
  for (let k = 0; k < faces.length; k++) around[next[faces[k]]++] = Math.floor(k / 3);
  const limit = Math.cos(angle);
  const outPositions = new Float32Array(3 * faces.length);
  const outNormals = new Float32Array(3 * faces.length);
  for (let k = 0; k < faces.length; k++) {
    const own = 3 * Math.floor(k / 3);
    const length = Math.hypot(normals[own], normals[own + 1], normals[own + 2]);
    let [x, y, z] = [0, 0, 0];
    for (let j = starts[faces[k]]; j < starts[faces[k] + 1]; j++) {
      const other = 3 * around[j];
      const size = Math.hypot(normals[other], normals[other + 1], normals[other + 2]);
      const dot =
        normals[own] * normals[other] + normals[own + 1] * normals[other + 1] + normals[own + 2] * normals[other + 2];
      if (dot >= limit * length * size) {
        x += normals[other];
        y += normals[other + 1];
        z += normals[other + 2];
      }
    }
    const all = Math.hypot(x, y, z) || 1;
    outNormals.set([x / all, y / all, z / all], 3 * k);
    const at = 3 * faces[k];
    outPositions.set([positions[at], positions[at + 1], positions[at + 2]], 3 * k);
  }
  return { positions: outPositions, normals: outNormals };
}
