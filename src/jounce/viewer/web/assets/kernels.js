(function (about) {
  "use strict";

  // Shape of an argument or result in messages: 7 numbers, 7 x 7 numbers.
  function wanted(shape) {
    if (shape.length === 0) return "1 number";
    return `${shape.join(" x ")} numbers`;
  }

  function present(x) {
    return x !== undefined && x !== null;
  }

  function found(given) {
    if (given === null) return "null";
    if (typeof given !== "object") return typeof given;
    const name = given.constructor && given.constructor.name;
    return typeof given.length === "number" ? `${name || "a list"} of ${given.length}` : name || "an object";
  }

  // Entries of a list of lists, row by row, into `out`; `title` begins messages.
  function flatten(given, shape, depth, out, title) {
    const nested = given.length > 0 && typeof given[0] === "object" && given[0] !== null;
    const size = nested ? shape[depth] : shape.slice(depth).reduce((a, b) => a * b, 1);
    if ((nested && depth + 1 >= shape.length) || given.length !== size) {
      throw new TypeError(`${title} must be ${wanted(shape)}, found ${found(given)}`);
    }
    for (let k = 0; k < size; k++) {
      const entry = given[k];
      if (nested) {
        if (typeof entry !== "object" || entry === null || typeof entry.length !== "number") {
          throw new TypeError(`${title} must be ${wanted(shape)}, found ${found(entry)} in it`);
        }
        flatten(entry, shape, depth + 1, out, title);
      } else {
        if (typeof entry !== "number") {
          throw new TypeError(`${title}: entry ${k} must be a number, found ${found(entry)}`);
        }
        out.push(entry);
      }
    }
    return out;
  }

  function numbers(given, argument, title) {
    const what = `${title}: argument '${argument.name}'`;
    if (typeof given === "number" && argument.size === 1) return [given];
    if (typeof given !== "object" || given === null || typeof given.length !== "number") {
      throw new TypeError(`${what} must be ${wanted(argument.shape)}, found ${found(given)}`);
    }
    return flatten(given, argument.shape, 0, [], what);
  }

  // A quantity as a function: arguments into memory, run, results out of it.
  function quantity(identifier, own, exports, memory) {
    const title = `${about.name}.${identifier}`;
    const signature = own.arguments.map((x) => (x.optional ? `${x.name}?` : x.name)).join(", ");
    const inputs = own.arguments.map((x, k) => ({
      ...x,
      size: x.shape.reduce((a, b) => a * b, 1),
      preset: own.presets[k] === null ? null : Float64Array.from(own.presets[k]),
    }));
    const needed = inputs.filter((x) => !x.optional).length;
    const sizes = own.results.map((x) => x.shape.reduce((a, b) => a * b, 1));
    // without optional arguments, and with all of them if there are any
    const kernels = own.kernels.map((x) => ({
      run: exports[x.name],
      inputs: x.inputs,
      outputs: x.outputs,
      views: x.outputs.map((at, k) => memory.subarray(at, at + sizes[k])),
      every: x.outputs.map((_, k) => k),
    }));
    // gradients with respect to optional arguments are results if these are given
    const always = own.results.filter((x) => x.of === undefined).length;
    const owner = own.results.map((x) => inputs.findIndex((y) => y.name === x.of));
    const one = own.results.length === 1;

    function places(kernel, given) {
      if (kernel.outputs.length === always) return kernel.every;
      return kernel.every.filter((k) => k < always || present(given[owner[k]]));
    }

    function converted(given, count) {
      const out = [];
      for (let k = 0; k < count; k++) {
        const x = given[k];
        if (!present(x)) {
          if (k < needed) {
            throw new TypeError(
              `${title}: argument '${inputs[k].name}' is missing; expected ${identifier}(${signature})`,
            );
          }
          out.push(inputs[k].preset);
        } else if (x instanceof Float64Array && x.length === inputs[k].size) {
          out.push(x);
        } else {
          out.push(numbers(x, inputs[k], title));
        }
      }
      return out;
    }

    // The kernel for these arguments.
    function chosen(given) {
      if (given.length > inputs.length) {
        throw new TypeError(`${title} takes (${signature}), found ${given.length} arguments`);
      }
      for (let k = needed; k < given.length; k++) {
        if (present(given[k])) return kernels[1];
      }
      return kernels[0];
    }

    // Run a kernel on arguments and return it. Lists are read before the first write, so that no
    // code of the caller runs in between.
    function ran(given) {
      const kernel = chosen(given);
      const starts = kernel.inputs;
      let values = given;
      for (let k = 0; k < starts.length; k++) {
        const x = given[k];
        if (!(x instanceof Float64Array) || x.length !== inputs[k].size) {
          values = converted(given, starts.length);
          break;
        }
      }
      for (let k = 0; k < starts.length; k++) {
        const x = values[k];
        const at = starts[k];
        for (let i = 0; i < x.length; i++) memory[at + i] = x[i];
      }
      kernel.run();
      return kernel;
    }

    function copied(out, kernel, k) {
      const at = kernel.outputs[k];
      if (sizes[k] > 64) out.set(kernel.views[k]);
      else for (let i = 0; i < sizes[k]; i++) out[i] = memory[at + i];
    }

    function check(out, k, what) {
      if (!(out instanceof Float64Array) || out.length !== sizes[k]) {
        throw new TypeError(`${title}.into: ${what} must be a Float64Array of ${sizes[k]}, found ${found(out)}`);
      }
    }

    const call = one
      ? (...given) => ran(given).views[0].slice()
      : (...given) => {
          const kernel = ran(given);
          return places(kernel, given).map((k) => kernel.views[k].slice());
        };

    call.into = one
      ? (out, ...given) => {
          check(out, 0, "out");
          copied(out, ran(given), 0);
          return out;
        }
      : (out, ...given) => {
          const kernel = chosen(given);
          const wanted = places(kernel, given);
          if (!Array.isArray(out) || out.length !== wanted.length) {
            throw new TypeError(
              `${title}.into: out must be a list of ${wanted.length} Float64Arrays, found ${found(out)}`,
            );
          }
          for (let k = 0; k < out.length; k++) check(out[k], wanted[k], `out[${k}]`);
          ran(given);
          for (let k = 0; k < out.length; k++) copied(out[k], kernel, wanted[k]);
          return out;
        };
    Object.defineProperty(call, "name", { value: identifier });
    return Object.freeze(call);
  }

  // ---------------------------------------------------------------- loading

  async function ofResponse(response) {
    if (!response.ok) {
      throw new Error(`cannot load ${response.url || "the module"}: the server returned ${response.status}`);
    }
    return WebAssembly.compile(await response.arrayBuffer());
  }

  async function ofAddress(address) {
    const node = typeof process === "object" && process.versions && process.versions.node;
    if (!node || /^(https?|data|blob):/.test(String(address))) return ofResponse(await fetch(address));
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
    const file = String(address).startsWith("file:") ? new URL(address) : address;
    return WebAssembly.compile(await readFile(file));
  }

  async function compiled(given) {
    const source = await given;
    if (source instanceof WebAssembly.Module) return source;
    if (typeof Response === "function" && source instanceof Response) return ofResponse(source);
    if (typeof source === "string" || source instanceof URL) return ofAddress(source);
    const kind = Object.prototype.toString.call(source);
    if (kind === "[object ArrayBuffer]" || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
    throw new TypeError(
      `load: expected an address, a Response, bytes or a WebAssembly.Module, found ${found(source)}`,
    );
  }

  function belongs(module) {
    const [mark] = WebAssembly.Module.customSections(module, "jounce");
    const text = mark === undefined ? "" : new TextDecoder().decode(mark);
    if (text !== about.mark) {
      throw new TypeError(
        `load: the WebAssembly does not belong to the JavaScript of '${about.name}'; export both again`,
      );
    }
  }

  return async function load(source) {
    const module = await compiled(source);
    belongs(module);
    const { exports } = await WebAssembly.instantiate(module);
    const memory = new Float64Array(exports.memory.buffer);
    const robot = { ...about.robot, neutral: Float64Array.from(about.robot.neutral), functions: {} };
    for (const [identifier, own] of Object.entries(about.functions)) {
      const { presets, kernels, ...description } = own;
      robot.functions[identifier] = description;
      robot[identifier] = quantity(identifier, own, exports, memory);
    }
    return robot;
  };
})
