/* The robot in 3D: bodies, light, a floor, overlays, and dragging. */
class Stage {
  constructor(canvas, data, parts) {
    this.canvas = canvas;
    this.data = data;
    this.dirty = true;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "low-power" });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
    // the robot is in a group that is rotated so that y is up, the convention of three.js
    this.root = new THREE.Group();
    const up = new THREE.Vector3(...data.up);
    this.root.quaternion.setFromUnitVectors(up, new THREE.Vector3(0, 1, 0));
    this.scene.add(this.root);
    this.bodies = data.bodies.map((name) => this.group(name));
    this.world = this.group("world");
    this.build(parts);
    this.overlays = { frames: [], axes: [], com: [] };
    this.raycaster = new THREE.Raycaster();
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => this.paint());
  }

  group(name) {
    const group = new THREE.Group();
    group.name = name;
    group.matrixAutoUpdate = false;
    this.root.add(group);
    return group;
  }

  build(parts) {
    const materials = new Map();
    this.meshes = [];
    for (const part of parts) {
      const key = part.color.join();
      if (!materials.has(key)) {
        const [r, g, b, a] = part.color;
        const tint = new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
        const material = new THREE.MeshStandardMaterial({ color: tint, roughness: 0.52, metalness: 0.08 });
        material.side = THREE.DoubleSide; // meshes of files are not always closed
        material.shadowSide = 1; // THREE.BackSide: what is lit casts no shadow on itself
        if (a < 1) Object.assign(material, { transparent: true, opacity: a, depthWrite: a > 0.6 });
        materials.set(key, material);
      }
      const { positions, normals } = creased(part.positions, part.faces);
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
      geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
      geometry.computeBoundingSphere();
      const mesh = new THREE.Mesh(geometry, materials.get(key));
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      mesh.userData.body = part.body;
      (part.body < 0 ? this.world : this.bodies[part.body]).add(mesh);
      this.meshes.push(mesh);
    }
    this.materials = materials;
  }

  /** Set body poses: homogeneous matrices in row-major order. */
  place(poses) {
    this.bodies.forEach((group, i) => {
      const T = poses.subarray(16 * i, 16 * i + 16);
      group.matrix.set(...T);
      group.matrixWorldNeedsUpdate = true;
    });
    this.dirty = true;
  }

  /** Place light, floor and camera for the current pose. */
  furnish() {
    this.root.updateMatrixWorld(true);
    const box = new THREE.Box3().setFromObject(this.root);
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1));
    const all = new THREE.Box3();
    for (const corner of this.data.floor.reach) all.expandByPoint(this.root.localToWorld(new THREE.Vector3(...corner)));
    // prismatic joints without limits move far; for others the view may omit parts of the reachable box
    if (this.data.boundless) box.union(all);
    const size = box.getSize(new THREE.Vector3());
    const far = 0.35 * all.getSize(new THREE.Vector3()).length();
    this.reach = Math.max((this.data.boundless ? 0.6 : 1) * size.length(), far, 0.4 * this.data.size, 1e-3);
    const reach = this.reach;
    const low = this.data.floor.height;
    this.hemisphere = new THREE.HemisphereLight(0xffffff, 0x8a8f99, 1.6);
    this.scene.add(this.hemisphere);
    const sun = new THREE.DirectionalLight(0xffffff, 2.4);
    sun.position.set(1.2 * reach, 2.4 * reach, 1.5 * reach);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    Object.assign(sun.shadow.camera, { left: -1.6 * reach, right: 1.6 * reach, top: 1.6 * reach, bottom: -1.6 * reach });
    Object.assign(sun.shadow.camera, { near: 0.01 * reach, far: 8 * reach });
    sun.shadow.radius = 4;
    sun.shadow.bias = -0.0006;
    sun.shadow.normalBias = 0.004 * reach;
    this.sun = sun;
    this.scene.add(sun, sun.target);
    const fill = new THREE.DirectionalLight(0xcfe0ff, 0.7);
    fill.position.set(-1.5 * reach, reach, -reach);
    this.scene.add(fill);
    this.lay(low, reach);
    const centre = box.getCenter(new THREE.Vector3());
    this.home = { centre, from: this.direction(size).multiplyScalar(1.75 * reach).add(centre) };
    this.camera.near = reach / 200;
    this.camera.far = reach * 60;
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.maxDistance = 12 * reach;
    this.controls.minDistance = 0.15 * reach;
    this.controls.listenToKeyEvents(this.canvas);
    this.controls.addEventListener("change", () => {
      this.dirty = true;
    });
    this.furnishHands(reach);
    this.paint();
    this.look();
  }

  /** Where to look from: across the plane of a planar robot, else from a corner, a little above. */
  direction(size) {
    if (!this.data.normal) {
      const flat = size.y < 0.25 * Math.max(size.x, size.z);
      return new THREE.Vector3(1, flat ? 1.3 : 0.55, 0.9).normalize();
    }
    const normal = new THREE.Vector3(...this.data.normal).applyQuaternion(this.root.quaternion);
    if (Math.abs(normal.y) > 0.5) return new THREE.Vector3(0.25, 1, 0.9).normalize();
    if (normal.dot(new THREE.Vector3(0.3, 0, 1)) < 0) normal.negate();
    const side = new THREE.Vector3(normal.z, 0, -normal.x);
    return normal.addScaledVector(side, 0.28).add(new THREE.Vector3(0, 0.16, 0)).normalize();
  }

  lay(low, reach) {
    const step = 10 ** Math.round(Math.log10(reach / 6));
    const count = 2 * Math.ceil((4 * reach) / step);
    this.grid = Stage.mesh(step, count / 2);
    this.grid.position.y = low - 0.0005 * reach;
    const plane = new THREE.PlaneGeometry(count * step, count * step);
    this.shade = new THREE.Mesh(plane, new THREE.ShadowMaterial({ opacity: 0.16 }));
    this.shade.rotation.x = -Math.PI / 2;
    this.shade.position.y = low - 0.001 * reach;
    this.shade.receiveShadow = true;
    this.scene.add(this.grid, this.shade);
    this.gridStep = step;
  }

  /** Lines of a floor about the origin that fade away from it, in short pieces. */
  static mesh(step, half) {
    const [places, colors] = [[], []];
    const add = (x, z) => {
      const far = Math.hypot(x, z) / (half * step);
      places.push(x, 0, z);
      colors.push(1, 1, 1, Math.max(0, 1 - far) ** 1.5);
    };
    const piece = Math.max(1, Math.round(half / 16));
    for (let i = -half; i <= half; i++) {
      for (let j = -half; j < half; j += piece) {
        const end = Math.min(j + piece, half);
        if (Math.hypot(i, j) > half + piece) continue;
        add(i * step, j * step);
        add(i * step, end * step);
        add(j * step, i * step);
        add(end * step, i * step);
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 4));
    const material = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
    const lines = new THREE.LineSegments(geometry, material);
    lines.frustumCulled = false;
    return lines;
  }

  paint() {
    const dark = this.dark.matches;
    const ground = new THREE.Color(dark ? 0x12161c : 0xf3f5f8);
    this.scene.background = ground;
    this.scene.fog = new THREE.Fog(ground, 3.2 * this.reach, 7 * this.reach);
    this.grid.material.color = new THREE.Color(dark ? 0x39424f : 0xb9c2ce);
    this.grid.material.opacity = dark ? 0.55 : 0.6;
    this.shade.material.opacity = dark ? 0.4 : 0.18;
    this.hemisphere.intensity = dark ? 1.3 : 1.7;
    this.dirty = true;
  }

  /** Reset the camera. */
  look() {
    this.camera.position.copy(this.home.from);
    this.controls.target.copy(this.home.centre);
    this.controls.update();
    this.dirty = true;
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    // keep the horizontal field of view in narrow windows
    this.camera.fov = 35 * Math.min(Math.max(1.15 / this.camera.aspect, 1), 2);
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  render() {
    if (!this.dirty) return;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
  }

  /** Follow a robot that moves away with camera, light and floor. */
  follow(point) {
    const to = this.root.localToWorld(new THREE.Vector3(...point));
    if (this.followed) {
      const move = to.clone().sub(this.followed);
      this.camera.position.add(move);
      this.controls.target.add(move);
      this.sun.position.add(move);
      this.sun.target.position.add(move);
      const snap = (x) => Math.round(x / this.gridStep) * this.gridStep;
      this.grid.position.set(snap(to.x), this.grid.position.y, snap(to.z));
      this.shade.position.set(snap(to.x), this.shade.position.y, snap(to.z));
    }
    this.followed = to;
  }

  // ---------------------------------------------------------------- overlays

  show(name, on) {
    if (on && !this.overlays[name].length) this.overlays[name] = this.made(name);
    for (const thing of this.overlays[name]) thing.visible = on;
    for (const material of this.materials.values()) this.glass(material);
    this.dirty = true;
  }

  /** Make bodies transparent so that overlays inside them are visible. */
  glass(material) {
    const on = Object.values(this.overlays).some((things) => things.some((thing) => thing.visible));
    material.userData.opacity ??= material.opacity;
    material.userData.transparent ??= material.transparent;
    material.opacity = on ? Math.min(0.45, material.userData.opacity) : material.userData.opacity;
    material.transparent = on || material.userData.transparent;
    material.depthWrite = !on;
    material.needsUpdate = true;
  }

  made(name) {
    const length = 0.08 * this.reach;
    if (name === "frames") {
      const own = this.bodies.map((body) => Stage.triad(body, length));
      const fixed = this.data.frames.map(({ body, placement }) => {
        const triad = Stage.triad(body < 0 ? this.world : this.bodies[body], 0.75 * length);
        triad.matrixAutoUpdate = false;
        triad.matrix.set(...placement);
        return triad;
      });
      return [...own, ...fixed];
    }
    if (name === "axes") return this.data.axes.map((axis) => this.axis(axis, length));
    const ball = new THREE.Mesh(
      new THREE.SphereGeometry(0.018 * this.reach, 24, 16),
      new THREE.MeshStandardMaterial({ color: 0xe0479e, emissive: 0x5c1040, roughness: 0.4 }),
    );
    this.root.add(ball);
    this.ball = ball;
    return [ball];
  }

  /** Axes x red, y green, z blue in a group, drawn after transparent bodies so that these do not tint them. */
  static triad(group, length) {
    const triad = new THREE.Group();
    [0xe5262b, 0x1fa33c, 0x2456e6].forEach((color, k) => {
      const material = new THREE.MeshBasicMaterial({ color, transparent: true, toneMapped: false });
      const rod = new THREE.Mesh(new THREE.CylinderGeometry(0.035 * length, 0.035 * length, length, 10), material);
      rod.position.setComponent(k, 0.5 * length);
      rod.rotation.set(k === 2 ? Math.PI / 2 : 0, 0, k === 0 ? -Math.PI / 2 : 0);
      rod.renderOrder = 1;
      triad.add(rod);
    });
    group.add(triad);
    return triad;
  }

  axis({ body, point, direction, slides }, length) {
    const tint = slides ? 0x16a37b : 0xe8871e;
    const group = new THREE.Group();
    const material = new THREE.MeshBasicMaterial({ color: tint });
    const rod = new THREE.Mesh(new THREE.CylinderGeometry(0.03 * length, 0.03 * length, 2 * length, 8), material);
    const tip = new THREE.Mesh(new THREE.ConeGeometry(0.09 * length, 0.26 * length, 12), material);
    tip.position.y = length;
    group.add(rod, tip);
    if (!slides) {
      const ring = new THREE.Mesh(new THREE.TorusGeometry(0.25 * length, 0.025 * length, 8, 32), material);
      ring.rotation.x = Math.PI / 2;
      group.add(ring);
    }
    group.position.set(...point);
    group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...direction));
    this.bodies[body].add(group);
    return group;
  }

  // ---------------------------------------------------------------- dragging

  furnishHands(reach) {
    const material = new THREE.MeshBasicMaterial({ color: 0xe5484d });
    this.arrow = new THREE.Group();
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 12), material);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(0.022 * reach, 0.06 * reach, 16), material);
    this.knob = new THREE.Mesh(new THREE.SphereGeometry(0.011 * reach, 16, 12), material);
    this.arrow.add(this.shaft, this.head, this.knob);
    this.arrow.visible = false;
    this.root.add(this.arrow);
  }

  ray(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    this.raycaster.setFromCamera(new THREE.Vector2(x, y), this.camera);
    return this.raycaster;
  }

  /** Return the body under the pointer, and the point on it in the body's axes. */
  pick(event) {
    const [hit] = this.ray(event).intersectObjects(this.meshes, false);
    if (!hit || hit.object.userData.body < 0) return null;
    const body = hit.object.userData.body;
    const point = this.bodies[body].worldToLocal(hit.point.clone()).toArray();
    const normal = this.camera.getWorldDirection(new THREE.Vector3());
    this.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, hit.point);
    return { body, point };
  }

  /** Return the pointer position at the picked depth, in the robot's axes. */
  target(event) {
    const found = this.ray(event).ray.intersectPlane(this.plane, new THREE.Vector3());
    return found && this.root.worldToLocal(found).toArray();
  }

  /** An arrow from a point to another, both in the robot's axes; hide it without points. */
  point(from, to) {
    this.arrow.visible = Boolean(from);
    this.dirty = true;
    if (!from) return;
    const start = new THREE.Vector3(...from);
    const way = new THREE.Vector3(...to).sub(start);
    const length = way.length();
    const thick = 0.006 * this.reach;
    const headed = length > 0.07 * this.reach;
    const rod = Math.max(headed ? length - 0.06 * this.reach : length, 1e-6);
    this.arrow.position.copy(start);
    if (length > 0) this.arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize());
    this.shaft.scale.set(thick, rod, thick);
    this.shaft.position.y = rod / 2;
    this.head.visible = headed;
    this.head.position.y = length - 0.03 * this.reach;
  }
}
