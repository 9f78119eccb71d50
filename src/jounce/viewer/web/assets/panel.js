/* Numbers next to the robot, and sliders of its joints. */
const $ = (id) => document.getElementById(id);

/** Format a number with four digits. */
function shown(x, digits = 4) {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return x.toExponential(digits > 3 ? 2 : 1).replace("e+", "e");
  return x.toFixed(Math.max(0, Math.min(6, digits - 1 - Math.floor(Math.log10(size)))));
}

/** Round numbers that divide a range into about `count` parts, and their text. */
function ticks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((x) => x * power >= 0.999 * rough);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = (x) => (digits > 5 || Math.abs(x) >= 1e5 ? shown(x, 3) : x.toFixed(digits));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => [(first + k) * step, text((first + k) * step)]);
}

/** An element with text and properties; text is never read as HTML. */
function element(tag, text = "", properties = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  if (text) made.textContent = text;
  return made;
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Prepare a canvas for drawing in device pixels. */
function drawing(canvas) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width || !height) return null;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height };
}

// ------------------------------------------------------------------ joints

/** Conversion between rotation vectors and unit quaternions (w first). */
const turns = {
  vector(q) {
    const sign = q[0] < 0 ? -1 : 1;
    const sine = Math.hypot(q[1], q[2], q[3]);
    const scale = sine < 1e-12 ? 2 * sign : (2 * Math.atan2(sine, sign * q[0]) * sign) / sine;
    return [scale * q[1], scale * q[2], scale * q[3]];
  },
  quaternion(r) {
    const angle = Math.hypot(...r);
    const scale = angle < 1e-12 ? 0.5 : Math.sin(angle / 2) / angle;
    return [Math.cos(angle / 2), scale * r[0], scale * r[1], scale * r[2]];
  },
};

class Sliders {
  /** @param moved called with a slider and the requested value */
  constructor(data, moved) {
    this.rows = data.sliders.map((slider, k) => {
      const row = element("div", "", { className: slider.follows ? "slider follows" : "slider" });
      const label = element("label", slider.label, { title: slider.label, htmlFor: `slider-${k}` });
      const bar = element("input", "", { type: "range", id: `slider-${k}`, disabled: slider.follows });
      Object.assign(bar, { min: slider.lower, max: slider.upper, step: "any" });
      const entry = element("input", "", { type: "number", step: 0.01, disabled: slider.follows });
      entry.setAttribute("aria-label", `${slider.label}, ${slider.unit}`);
      bar.addEventListener("input", () => moved(slider, Number(bar.value)));
      bar.addEventListener("keydown", (event) => this.nudge(event, slider, bar, moved));
      entry.addEventListener("change", () => {
        if (entry.value !== "" && Number.isFinite(Number(entry.value))) moved(slider, Number(entry.value));
      });
      row.append(label, bar, entry, element("span", slider.unit, { className: "unit" }));
      return { slider, row, bar, entry };
    });
    $("sliders").append(...this.rows.map(({ row }) => row));
  }

  /** Arrow keys move by a hundredth of the range. */
  nudge(event, slider, bar, moved) {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key];
    if (!way) return;
    event.preventDefault();
    const value = Number(bar.value) + (way * (slider.upper - slider.lower)) / 100;
    moved(slider, Math.min(Math.max(value, slider.lower), slider.upper));
  }

  /** Position of a slider: angles without limits modulo full turns. */
  static place(slider, q) {
    const value = Sliders.value(slider, q);
    return slider.wraps ? value - 2 * Math.PI * Math.round(value / (2 * Math.PI)) : value;
  }

  static value(slider, q) {
    if (slider.kind === "coordinate") return q[slider.q];
    return turns.vector(q.subarray(slider.q, slider.q + 4))[slider.axis];
  }

  /** @param source returns the configuration that a slider shows */
  update(source) {
    for (const { slider, bar, entry } of this.rows) {
      const value = Sliders.place(slider, source(slider));
      bar.value = value;
      bar.setAttribute("aria-valuetext", `${shown(value)} ${slider.unit}`);
      if (document.activeElement !== entry) entry.value = value.toFixed(3);
    }
  }
}

// ------------------------------------------------------------------ tables and plots

class StateTable {
  constructor(data) {
    const kinds = ["rad", "m"].filter((unit) => data.units.includes(unit));
    const units = { v: { rad: "rad/s", m: "m/s" }, a: { rad: "rad/s²", m: "m/s²" }, tau: { rad: "N m", m: "N" } };
    for (const cell of document.querySelectorAll("#state [data-unit]")) {
      const text = kinds.map((kind) => units[cell.dataset.unit][kind]).join(", ");
      cell.append(element("span", text, { className: "unit" }));
    }
    this.rows = data.labels.v.map((label, i) => {
      const cells = ["", "", "", ""].map(() => element("td"));
      const row = element("tr");
      const name = element("td", label, { title: `${label}, ${units.v[data.units[i]]}, ${units.tau[data.units[i]]}` });
      if (kinds.length > 1) name.append(element("span", ` ${data.units[i]}`, { className: "unit" }));
      row.append(name, ...cells);
      $("state").tBodies[0].append(row);
      return cells;
    });
  }

  update(...columns) {
    const sizes = columns.map((column) => column.reduce((most, x) => Math.max(most, Math.abs(x)), 0));
    this.rows.forEach((cells, i) => {
      columns.forEach((column, k) => {
        const rounding = Math.abs(column[i]) < 1e-13 * sizes[k];
        const text = Number.isNaN(column[i]) ? "–" : shown(rounding ? 0 : column[i]);
        if (cells[k].textContent !== text) cells[k].textContent = text;
      });
    });
  }
}

class EnergyPlot {
  constructor() {
    this.span = 20; // s
    this.samples = [];
  }

  clear() {
    this.samples = [];
  }

  add(time, { kinetic, potential, total }) {
    const last = this.samples.at(-1);
    if (last && time - last[0] < 0.02) return;
    this.samples.push([time, kinetic, potential, total]);
    while (this.samples.length > 2 && this.samples[0][0] < time - this.span) this.samples.shift();
  }

  draw() {
    const on = drawing($("energy-plot"));
    if (!on) return;
    const { pen, width, height } = on;
    const { samples } = this;
    if (samples.length < 2) {
      pen.fillStyle = color("--soft");
      pen.font = "12.5px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.fillText("Press play: energies over time appear here.", width / 2, height / 2 + 4);
      return;
    }
    let [low, high] = [Infinity, -Infinity];
    for (const sample of samples) {
      for (let k = 1; k < 4; k++) {
        low = Math.min(low, sample[k]);
        high = Math.max(high, sample[k]);
      }
    }
    const size = Math.max(high - low, 1e-9 * Math.max(Math.abs(high), Math.abs(low)), 1e-12);
    const start = samples[0][0];
    const span = Math.max(samples.at(-1)[0] - start, 2);
    const y = (e) => height - 24 - ((height - 36) * (e - low)) / size;
    pen.font = "11px system-ui, sans-serif";
    const levels = ticks(low, low + size, 4);
    const left = 12 + Math.max(...levels.map(([, text]) => pen.measureText(`${text} J`).width));
    const x = (t) => left + ((width - left - 10) * (t - start)) / span;
    pen.fillStyle = color("--soft");
    pen.strokeStyle = color("--line");
    pen.lineWidth = 1;
    const line = (...ends) => {
      pen.beginPath();
      pen.moveTo(ends[0], ends[1]);
      pen.lineTo(ends[2], ends[3]);
      pen.stroke();
    };
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const [e, text] of levels) {
      line(left, y(e), width - 10, y(e));
      pen.fillText(`${text} J`, left - 6, y(e));
    }
    pen.textAlign = "center";
    pen.textBaseline = "alphabetic";
    for (const [t, text] of ticks(start, start + span, 5)) {
      line(x(t), height - 24, x(t), height - 20);
      pen.fillText(`${text} s`, Math.min(x(t), width - 16), height - 7);
    }
    ["--kinetic", "--potential", "--total"].forEach((name, k) => {
      pen.strokeStyle = color(name);
      pen.lineWidth = 1.8;
      pen.lineJoin = "round";
      pen.beginPath();
      for (const sample of samples) pen.lineTo(x(sample[0]), y(sample[k + 1]));
      pen.stroke();
    });
  }
}

class MassMap {
  constructor(data) {
    this.names = data.labels.v;
    this.unit = (i, j) => ["kg m²", "kg m", "kg"][Number(data.units[i] === "m") + Number(data.units[j] === "m")];
    const canvas = $("mass");
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const n = this.names.length;
      const at = (x, size) => Math.min(Math.max(Math.floor((n * x) / size), 0), n - 1);
      this.read(at(event.clientY - box.top, box.height), at(event.clientX - box.left, box.width));
    });
    canvas.addEventListener("pointerleave", () => this.read(null));
    canvas.addEventListener("keydown", (event) => {
      const way = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      const clip = (k) => Math.min(Math.max(k, 0), this.names.length - 1);
      const [i, j] = this.chosen ?? [0, 0];
      this.read(clip(i + way[0]), clip(j + way[1]));
    });
  }

  read(i, j) {
    this.chosen = i === null ? null : [i, j];
    this.say();
    this.draw();
  }

  say() {
    if (!this.M) return;
    const [i, j] = this.chosen ?? [];
    $("mass-entry").textContent = this.chosen
      ? `M[${i}, ${j}] = ${this.M[i * this.names.length + j].toPrecision(8)} ${this.unit(i, j)}  (${this.names[i]}, ${this.names[j]})`
      : "Point at an entry to read it, or use the arrow keys.";
  }

  update(M) {
    this.M = M;
    if (this.chosen) this.say();
    this.draw();
  }

  draw() {
    const on = this.M && drawing($("mass"));
    if (!on) return;
    const { pen, width } = on;
    const n = this.names.length;
    const cell = width / n;
    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    let most = 0;
    for (const x of this.M) most = Math.max(most, Math.abs(x));
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const x = this.M[i * n + j];
        const share = most > 0 ? (Math.abs(x) / most) ** 0.4 : 0;
        const hue = x > 0 ? 227 : 18;
        pen.fillStyle = `hsl(${hue} ${dark ? 70 : 75}% ${dark ? 12 + 55 * share : 97 - 48 * share}%)`;
        if (share > 0) pen.fillRect(j * cell + 0.5, i * cell + 0.5, Math.max(cell - 1, 0.5), Math.max(cell - 1, 0.5));
        if (n <= 12) {
          pen.fillStyle = (share > 0.62) !== dark ? "#fff" : color("--ink");
          if (dark) pen.fillStyle = share > 0.7 ? "#0d1117" : color("--ink");
          const font = (size) => (pen.font = `${size}px ui-monospace, Menlo, Consolas, monospace`);
          font(11.5);
          pen.textAlign = "center";
          pen.textBaseline = "middle";
          // fewer digits before a smaller font
          const texts = [shown(x, 2), shown(x, 1), x.toExponential(0).replace("e+", "e")];
          const wide = (text) => pen.measureText(text).width;
          const text = texts.find((t) => wide(t) < cell - 3) ?? texts.reduce((a, b) => (wide(b) < wide(a) ? b : a));
          font(11.5 * Math.min(1, (cell - 3) / wide(text)));
          pen.fillText(text, (j + 0.5) * cell, (i + 0.5) * cell);
        }
      }
    }
    if (this.chosen) {
      const [i, j] = this.chosen;
      pen.strokeStyle = color("--kinetic");
      pen.lineWidth = 2;
      pen.strokeRect(j * cell + 1, i * cell + 1, cell - 2, cell - 2);
    }
  }
}

function drawEigenvalues(values) {
  const text = $("eigen-text");
  const [low, high] = [values[0], values.at(-1)];
  const several = values.length > 1;
  const range = several ? `${shown(low)} … ${shown(high)}, condition ${shown(high / low, 3)}` : shown(low);
  text.textContent = values.length <= 4 ? `${[...values].map((x) => shown(x)).join(", ")}${several ? `; condition ${shown(high / low, 3)}` : ""}` : range;
  const on = drawing($("eigen"));
  if (!on) return;
  const { pen, width, height } = on;
  const log = (x) => Math.log10(Math.max(x, 1e-12));
  const [a, b] = [Math.floor(log(low) - 0.05), Math.ceil(log(high) + 0.05)];
  const x = (value) => 14 + ((width - 28) * (log(value) - a)) / Math.max(b - a, 1);
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "center";
  const every = Math.ceil((b - a) / 8);
  for (let k = a; k <= b; k += every) {
    const at = x(10 ** k);
    pen.fillStyle = color("--line");
    pen.fillRect(at, 8, 1, height - 28);
    pen.fillStyle = color("--soft");
    pen.fillText(k >= -2 && k <= 3 ? String(Number((10 ** k).toPrecision(1))) : `1e${k}`, at, height - 6);
  }
  pen.fillStyle = color("--potential");
  for (const value of values) {
    pen.globalAlpha = 0.75;
    pen.beginPath();
    pen.arc(x(value), (height - 20) / 2 + 4, 5, 0, 2 * Math.PI);
    pen.fill();
  }
  pen.globalAlpha = 1;
}

// ------------------------------------------------------------------ quantities

class Quantities {
  /** @param values called for the present values of arguments by name */
  constructor(robot, data, values) {
    this.robot = robot;
    this.data = data;
    this.values = values;
    this.times = {};
    this.names = Object.keys(robot.functions);
    const select = $("quantity");
    for (const id of this.names) select.append(element("option", robot.functions[id].quantity, { value: id }));
    select.value = this.names.includes("inverse_dynamics") ? "inverse_dynamics" : this.names[0];
    select.addEventListener("change", () => this.choose());
    $("card-quantities").addEventListener("toggle", () => this.choose());
    $("measure").addEventListener("click", () => this.measureAll());
    $("machine").textContent = data.machine
      ? `NumPy: a single call from Python when this page was written (${data.machine}).`
      : "";
  }

  get open() {
    return $("card-quantities").open;
  }

  /** Arguments of a function at the present state: zeros for others. */
  given(id) {
    const values = this.values();
    const needed = this.robot.functions[id].arguments.filter((x) => !x.optional);
    return needed.map(({ name, shape }) => {
      const count = shape.reduce((a, b) => a * b, 1);
      const known = values[name]?.find((value) => value.length === count);
      return known ?? new Float64Array(count).fill({ h: 0.01, s: 0.5 }[name] ?? 0);
    });
  }

  call(id) {
    return this.robot[id](...this.given(id));
  }

  choose() {
    const about = this.robot.functions[$("quantity").value];
    const names = about.arguments.filter((x) => !x.optional).map((x) => x.name).join(", ");
    $("quantity-doc").textContent = about.doc;
    const unit = about.unit ? `, in ${about.unit}` : "";
    this.facts = `${about.quantity}(${names})${unit}; ${about.operations} operations`;
    $("quantity-facts").textContent = this.facts;
    this.update();
    if (this.open) {
      setTimeout(() => {
        const id = $("quantity").value;
        this.times[id] ??= this.measure(id);
        $("quantity-facts").textContent = `${this.facts}; ${this.compared(id)}`;
      }, 50);
    }
  }

  compared(id) {
    const numpy = this.data.timings?.[this.robot.functions[id].quantity];
    return `${duration(this.times[id])} in this page${numpy ? `, ${duration(numpy)} per call from NumPy` : ""}`;
  }

  update() {
    if (!this.open) return;
    const id = $("quantity").value;
    const { results } = this.robot.functions[id];
    const values = this.call(id);
    const several = results.length > 1 ? values : [values];
    $("quantity-value").textContent = results
      .map(({ name, shape }, k) => {
        const list = typeof several[k] === "number" ? [several[k]] : several[k];
        const labels = shape.length === 1 && shape[0] === this.data.labels.v.length ? this.data.labels.v : null;
        return (results.length > 1 ? `${name}\n` : "") + written(list, shape, labels);
      })
      .join("\n\n");
  }

  /** Time of a call in seconds, the minimum of several rounds. */
  measure(id) {
    const given = this.given(id);
    const call = this.robot[id];
    const { results } = this.robot.functions[id];
    const made = results.map(({ shape }) => new Float64Array(shape.reduce((a, b) => a * b, 1)));
    const out = results.length > 1 ? made : made[0];
    let count = 1;
    let best = Infinity;
    const stop = performance.now() + 60;
    do {
      const start = performance.now();
      for (let k = 0; k < count; k++) call.into(out, ...given);
      const took = performance.now() - start;
      if (took < 2) count *= 2;
      else best = Math.min(best, took / count);
    } while (performance.now() < stop);
    return Number.isFinite(best) ? best / 1000 : 60 / count / 1000;
  }

  async measureAll() {
    $("measure").disabled = true;
    const body = $("speeds").tBodies[0];
    body.replaceChildren();
    $("speeds").hidden = false;
    for (const id of this.names) {
      this.times[id] = this.measure(id);
      const about = this.robot.functions[id];
      const numpy = this.data.timings?.[about.quantity];
      const row = element("tr");
      const cells = [about.quantity, about.operations, duration(this.times[id]), numpy ? duration(numpy) : "–"];
      row.append(...cells.map((text) => element("td", String(text))));
      row.firstChild.title = about.quantity;
      body.append(row);
      await new Promise((done) => setTimeout(done));
    }
    $("measure").disabled = false;
  }
}

function duration(seconds) {
  if (seconds < 1e-6) return `${shown(1e9 * seconds, 3)} ns`;
  return seconds < 1e-3 ? `${shown(1e6 * seconds, 3)} µs` : `${shown(1e3 * seconds, 3)} ms`;
}

/** A result as text: rows of numbers in columns, one block per matrix; long ones truncated. */
function written(values, shape, labels) {
  const columns = shape.length > 1 ? shape.at(-1) : 1;
  const rows = shape.length > 2 ? shape.at(-2) : Infinity;
  const texts = Array.from(values.subarray ? values.subarray(0, 4000) : values, (x) => shown(x));
  const width = Math.max(...texts.map((text) => text.length), 1);
  const lines = [];
  for (let i = 0; i < texts.length; i += columns) {
    if (i && (i / columns) % rows === 0) lines.push("");
    const name = labels ? `${labels[i].padEnd(Math.max(...labels.map((x) => x.length)))}  ` : "";
    lines.push(name + texts.slice(i, i + columns).map((text) => text.padStart(width)).join("  "));
  }
  if (values.length > 4000) lines.push(`… ${values.length} numbers in total`);
  return lines.join("\n");
}
