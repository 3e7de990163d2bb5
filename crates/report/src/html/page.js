"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const make = (tag, attributes = {}, ...inside) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...inside);
    return element;
  };
  const evidence = JSON.parse($("evidence").textContent);
  const pictures = JSON.parse($("pictures").textContent);
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
  const words = (name) => name.replaceAll("_", " ");

  // Theme: the system's, or the one chosen.
  const themes = ["auto", "light", "dark"];
  const theme = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    $("theme").textContent = `Theme: ${name}`;
    colours = undefined;
    draw();
  };
  $("theme").addEventListener("click", () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % themes.length];
    try { localStorage.setItem("gpuproof-theme", next); } catch { /* not allowed for files */ }
    theme(next);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours = undefined; draw(); });

  // The Evidence as a file.
  $("save").addEventListener("click", () => {
    $("save").href = URL.createObjectURL(new Blob([$("evidence").textContent], { type: "application/json" }));
  });

  // Commands are copied, or at least selected.
  for (const button of all(".copy")) {
    button.addEventListener("click", async () => {
      const code = button.previousElementSibling;
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  // The line between the operations that part.
  const listings = document.querySelector(".listings");
  const join = () => {
    const lists = all(".lines", listings);
    const lines = lists.map((list) => list.querySelector("li.parts"));
    const path = listings.querySelector("#joint path");
    if (!lines[0] || !lines[1]) { path.removeAttribute("d"); return; }
    const box = listings.getBoundingClientRect();
    const [a, b] = lines.map((line, at) => {
      const [own, list] = [line.getBoundingClientRect(), lists[at].getBoundingClientRect()];
      const y = Math.min(Math.max((own.top + own.bottom) / 2, list.top + 4), list.bottom - 4) - box.top;
      return { y, left: list.left - box.left, right: list.right - box.left, top: list.top };
    });
    const stacked = b.left < a.right;
    const middle = (a.right + b.left) / 2;
    path.setAttribute("d", stacked
      ? `M${a.left} ${a.y} C${a.left - 22} ${a.y} ${b.left - 22} ${b.y} ${b.left} ${b.y}`
      : `M${a.right} ${a.y} C${middle} ${a.y} ${middle} ${b.y} ${b.left} ${b.y}`);
  };
  let joining = false;
  const rejoin = () => {
    if (joining) return;
    joining = true;
    requestAnimationFrame(() => { joining = false; join(); });
  };
  for (const list of all(".lines", listings)) {
    list.addEventListener("scroll", rejoin, { passive: true });
    const line = list.querySelector("li.parts");
    if (line) list.scrollTo({ top: line.offsetTop - list.offsetTop - list.clientHeight / 3, behavior: "instant" });
  }
  new ResizeObserver(rejoin).observe(listings);

  // What is shown, by verdict, class of case and output.
  const filters = $("filters");
  const shown = () => {
    const form = filters ? new FormData(filters) : new FormData();
    return {
      verdicts: new Set(filters ? form.getAll("verdict") : pictures.verdicts),
      classes: new Set(filters ? form.getAll("class") : ["finite", "edge"]),
      showing: form.get("showing") !== null,
      output: form.get("output") ?? "",
    };
  };
  const hide = (elements, kept) => {
    let some = false;
    for (const element of elements) {
      element.hidden = !kept(element);
      some ||= !element.hidden;
    }
    return some;
  };
  const filter = () => {
    const now = shown();
    const output = (element) => now.output === "" || element.dataset.output === now.output;
    const rows = all("#census-table tbody tr");
    const left = hide(rows, (row) => output(row) && now.classes.has(row.children[1].textContent)
      && row.dataset.verdicts.split(" ").some((verdict) => now.verdicts.has(verdict)));
    document.querySelector("#census .empty").hidden = left;
    for (const bar of all(".chart rect")) bar.toggleAttribute("hidden", !now.verdicts.has(bar.dataset.verdict));
    hide(all(".chart"), (chart) => output(chart) && now.classes.has(chart.dataset.class)
      && all("rect", chart).some((bar) => now.verdicts.has(bar.dataset.verdict)));
    const cases = hide(all("#cases-table tbody tr"), (row) => now.classes.has(row.dataset.class)
      && (!now.showing || row.dataset.different !== "0"));
    document.querySelector("#cases .empty").hidden = cases;
    offer();
  };
  filters?.addEventListener("change", filter);
  filters?.addEventListener("submit", (event) => event.preventDefault());

  // Pictures.
  const canvas = $("picture");
  const caseOf = (number) => evidence.cases.find((one) => one.number === number);
  /** Unpacks a text of cells: letters of verdicts, digits of distances. */
  const unpack = (text, withDistance) => {
    const [verdicts, distances] = [[], []];
    const pattern = withDistance ? /(-|a|[b-z][0-9A-Z_])(\d*)/g : /([-a-z])(\d*)/g;
    for (const [, cell, count] of text.matchAll(pattern)) {
      const verdict = cell[0] === "-" ? -1 : withDistance ? cell.charCodeAt(0) - 97 : "ari".indexOf(cell[0]);
      const distance = cell.length < 2 ? 0 : cell[1] === "_" ? -1 : parseInt(cell[1], 36);
      for (let left = Number(count || 1); left > 0; left--) { verdicts.push(verdict); distances.push(distance); }
    }
    return { verdicts, distances };
  };
  const partings = ["agree", "results", "inputs"];
  const partingWords = ["results agree", "inputs agree, results do not", "inputs differ already"];
  let colours, current, cursor = 0, planes = [];
  const palette = () => {
    if (colours) return colours;
    const style = getComputedStyle(document.documentElement);
    const rgb = (name) => {
      const value = style.getPropertyValue(name).trim();
      return [1, 3, 5].map((at) => parseInt(value.slice(at, at + 2), 16));
    };
    const verdict = { same: "--same", allowed: "--allowed", undefined: "--undefined", schedule: "--schedule", unspecified: "--unspecified", different: "--different", agree: "--same", results: "--different", inputs: "--undefined" };
    const ramp = (digits) => {
      const share = digits / 32, [from, middle, to] = ["--allowed", "--schedule", "--different"].map(rgb);
      const mix = (a, b, t) => a.map((channel, at) => Math.round(channel + (b[at] - channel) * t));
      return share < .5 ? mix(from, middle, share * 2) : mix(middle, to, share * 2 - 1);
    };
    colours = { of: (name) => rgb(verdict[name] ?? "--different"), ramp, none: rgb("--region"), empty: rgb("--ground"), ink: rgb("--ink"), faint: rgb("--faint") };
    return colours;
  };
  /** The place of each cell in a grid, and the grid's size. */
  const lay = (kind, shape, count) => {
    const wrap = (columns) => ({ width: columns, height: Math.max(Math.ceil(count / columns), 1), at: (cell) => [cell % columns, Math.floor(cell / columns)] });
    if (kind.kind === "words") {
      const columns = kind.row && kind.row <= 1024 ? kind.row : Math.min(count, Math.max(16, Math.ceil(Math.sqrt(count * 3) / 16) * 16));
      return wrap(Math.max(columns, 1));
    }
    if (shape.kind === "quads") {
      const row = Math.max(1, Math.ceil(Math.sqrt(count / 4 * 2.4)));
      const at = (cell) => {
        const quad = cell >> 2;
        return [(quad % row) * 2 + (cell & 1), Math.floor(quad / row) * 2 + (cell >> 1 & 1)];
      };
      return { width: Math.min(row, Math.ceil(count / 4)) * 2, height: Math.ceil(Math.ceil(count / 4) / row) * 2, at };
    }
    if (shape.kind === "groups") {
      const [x, y, z] = shape.size, size = x * y * z;
      // A group of one dimension is a row of its own; others are blocks with a gap between them.
      const gap = y * z > 1 ? 1 : 0;
      const groups = Math.ceil(count / size);
      const across = shape.count[1] > 1 && shape.count[0] * x <= 1024 ? shape.count[0]
        : Math.max(1, Math.round(Math.sqrt(groups * y * z * 2.4 / x)));
      const step = [x + (y * z > 1 ? 1 : across > 1 ? 2 : 0), y * z + gap];
      const at = (cell) => {
        const group = Math.floor(cell / size), thread = cell % size;
        return [(group % across) * step[0] + thread % x, Math.floor(group / across) * step[1] + Math.floor(thread / x)];
      };
      return { width: Math.min(groups, across) * step[0], height: Math.ceil(groups / across) * step[1], at };
    }
    return wrap(Math.max(1, Math.min(count, Math.ceil(Math.sqrt(count * 2.4)))));
  };
  const planeName = (plane) => {
    if (plane.kind.kind === "parting") return "where they part";
    if (plane.kind.kind === "writers") return `${plane.output} by lane`;
    const element = plane.kind.element ? `[${plane.kind.element}]` : "";
    return plane.output + element + (plane.kind.level ? ` level ${plane.kind.level}` : "");
  };
  const fill = (select, options) => {
    const before = select.value;
    select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
    if (options.some(([value]) => value === before)) select.value = before;
  };
  /** Offers the cases and pictures that the filters leave. */
  const offer = () => {
    if (!canvas) return;
    const now = shown();
    const cases = pictures.cases.filter((one) => {
      const record = caseOf(one.case);
      return record && now.classes.has(record.class) && (!now.showing || record.different > 0);
    });
    fill($("picture-case"), cases.map((one) => {
      const record = caseOf(one.case);
      return [one.case, `${one.case} ${record.name}, ${record.class}${record.different ? `: ${grouped(record.different)} differ` : ""}`];
    }));
    open();
  };
  const open = () => {
    const now = shown();
    const one = pictures.cases.find((one) => String(one.case) === $("picture-case").value);
    planes = one ? one.planes.filter((plane) => now.output === "" || plane.output === now.output) : [];
    if (one?.parting) planes = [...planes, { output: "", kind: { kind: "parting" }, cells: one.parting.cells, left_out: one.parting.left_out, words: [] }];
    fill($("picture-plane"), planes.map((plane, at) => [planeName(plane), planeName(plane)]));
    choose();
  };
  const choose = () => {
    const one = pictures.cases.find((one) => String(one.case) === $("picture-case").value);
    const plane = planes.find((plane) => planeName(plane) === $("picture-plane").value);
    const before = current;
    current = undefined;
    if (one && plane) {
      const parting = plane.kind.kind === "parting";
      const cells = unpack(plane.cells, !parting);
      current = { one, plane, parting, ...cells, grid: lay(plane.kind, one.shape, cells.verdicts.length) };
    }
    if (!before || !current || before.one !== current.one || (before.plane.kind.kind === "words") !== (current.plane.kind.kind === "words")) cursor = first();
    draw();
  };
  /** The first cell that is not the same. */
  const first = () => Math.max(0, current?.verdicts.findIndex((verdict) => verdict > 0) ?? 0);
  const draw = () => {
    if (!canvas) return;
    $("picture-mode").disabled = !current || current.parting;
    if (!current) {
      canvas.width = canvas.height = 1;
      canvas.setAttribute("aria-label", "No picture is left by what is shown.");
      $("picture-legend").replaceChildren("No picture is left by what is shown.");
      $("picture-detail").replaceChildren();
      return;
    }
    const { plane, parting, verdicts, distances, grid } = current;
    const paint = palette(), now = shown();
    const byDistance = !parting && $("picture-mode").value === "distance";
    const room = canvas.parentElement.clientWidth;
    const scale = Math.max(1, Math.min(16, Math.floor(room / grid.width), Math.max(4, Math.floor(420 / grid.height))));
    canvas.width = grid.width * scale;
    canvas.height = grid.height * scale;
    canvas.style.width = canvas.width > room ? "100%" : `${canvas.width}px`;
    current.scale = scale;
    const context = canvas.getContext("2d");
    const image = context.createImageData(canvas.width, canvas.height);
    const gap = scale >= 5 ? 1 : 0;
    const names = parting ? partings : pictures.verdicts;
    for (let cell = 0; cell < verdicts.length; cell++) {
      const verdict = verdicts[cell];
      const name = names[verdict];
      let colour;
      if (verdict < 0) colour = paint.empty;
      else if (!parting && !now.verdicts.has(name)) colour = paint.faint;
      else if (byDistance && verdict > 0) colour = distances[cell] < 0 ? paint.none : paint.ramp(distances[cell]);
      else colour = paint.of(name);
      const [x, y] = grid.at(cell);
      for (let row = 0; row < scale - gap; row++) {
        let at = ((y * scale + row) * canvas.width + x * scale) * 4;
        for (let column = 0; column < scale - gap; column++, at += 4) {
          [image.data[at], image.data[at + 1], image.data[at + 2]] = colour;
          image.data[at + 3] = 255;
        }
      }
    }
    context.putImageData(image, 0, 0);
    const [x, y] = grid.at(cursor);
    context.strokeStyle = `rgb(${paint.ink})`;
    context.lineWidth = 2;
    context.strokeRect(x * scale - 1, y * scale - 1, scale + 2 - gap, scale + 2 - gap);

    const counts = new Map();
    for (const verdict of verdicts) if (verdict >= 0) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    const unit = parting || plane.kind.kind !== "words" ? "lanes" : "words";
    const entries = [...counts].sort((a, b) => a[0] - b[0]).map(([verdict, count]) => {
      const label = parting ? partingWords[verdict] : words(names[verdict]);
      // Colours of verdicts mean nothing where those of distances are shown.
      const swatch = byDistance && verdict > 0 ? "" : make("span", { class: `swatch v-${names[verdict]}`, "aria-hidden": "true" });
      return make("span", { "data-verdict": names[verdict], "data-count": count }, swatch, `${grouped(count)} ${label}`);
    });
    const empty = verdicts.length - [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (empty) entries.push(make("span", { class: "quiet" }, `${grouped(empty)} ${parting ? "did not run both" : "that neither wrote"}`));
    if (byDistance) {
      const stops = [0, 8, 16, 24, 32].map((digits) => `rgb(${paint.ramp(digits)})`).join(",");
      entries.push(make("span", {}, "0 ulp", make("span", { class: "gradient", style: `background:linear-gradient(to right,${stops})`, "aria-hidden": "true" }), "4G ulp"));
      entries.push(make("span", {}, make("span", { class: "swatch v-none", "aria-hidden": "true" }), "not two finite floats"));
    }
    if (plane.left_out) entries.push(make("span", { class: "quiet" }, `and ${grouped(plane.left_out)} more ${unit} that are not shown`));
    $("picture-legend").replaceChildren(...entries);
    canvas.setAttribute("aria-label", `Case ${current.one.case}, ${planeName(plane)}: ${entries.map((entry) => entry.textContent).join(", ")}`);
    detail();
  };

  const view = new DataView(new ArrayBuffer(8));
  const float = (bits) => {
    view.setUint32(0, bits);
    if (bits === 0xffffffff) return "all ones";
    // Small numbers are whole ones rather than subnormal floats.
    if (bits > 0 && bits < 0x00800000) return String(bits);
    const value = view.getFloat32(0);
    for (let digits = 1; digits < 10; digits++) if (Math.fround(Number(value.toPrecision(digits))) === value) return String(Number(value.toPrecision(digits)));
    return String(value);
  };
  const hex = (bits) => `0x${bits.toString(16).padStart(8, "0")}`;
  const ulps = (a, b) => {
    const place = (bits) => {
      const magnitude = bits & 0x7fffffff;
      return magnitude >= 0x7f800000 ? NaN : bits >>> 31 ? -magnitude : magnitude;
    };
    return Math.abs(place(a) - place(b));
  };
  /** Where a lane is among the others. */
  const place = (cell) => {
    const { one, plane } = current;
    if (plane.kind.kind === "words") {
      const row = plane.kind.row;
      return row ? `word ${cell} (row ${Math.floor(cell / row)}, word ${cell % row})` : `word ${cell} (byte ${cell * 4})`;
    }
    if (one.shape.kind === "quads") return `lane ${cell} (quad ${cell >> 2}, ${["upper left", "upper right", "lower left", "lower right"][cell & 3]})`;
    if (one.shape.kind === "groups") {
      const size = one.shape.size.reduce((a, b) => a * b);
      return `lane ${cell} (group ${Math.floor(cell / size)}, thread ${cell % size})`;
    }
    return `lane ${cell}`;
  };
  const row = (cells, head = "td") => make("tr", {}, ...cells.map((cell, at) => make(at === 0 ? "th" : head, at === 0 ? { scope: "row" } : {}, ...[cell].flat())));
  const detail = () => {
    const { one, plane } = current;
    const rows = [];
    const lanes = plane.kind.kind !== "words";
    const asked = lanes ? one.planes.filter((other) => other.kind.kind !== "words") : [plane];
    for (const other of asked) {
      const cells = other === plane ? current : (other.unpacked ??= unpack(other.cells, true));
      const verdict = cells.verdicts[cursor];
      if (verdict === undefined || verdict < 0) continue;
      const known = other.words.find((word) => word[0] === cursor);
      const code = (bits) => [make("code", {}, hex(bits)), " ", make("span", { class: "as-float" }, float(bits))];
      const distance = cells.distances[cursor];
      const far = verdict === 0 ? "" : distance < 0 ? "–" : known ? `${grouped(ulps(known[1], known[2]))} ulp` : distance < 2 ? `${distance} ulp` : `${grouped(2 ** (distance - 1))} to ${grouped(2 ** distance - 1)} ulp`;
      rows.push(row([planeName(other), words(pictures.verdicts[verdict]), known ? code(known[1]) : "", known ? code(known[2]) : "", far]));
    }
    const values = lanes && one.parting?.values.find((value) => value.lane === cursor);
    if (values) {
      const pair = ([a, b]) => [a, b].map((bits) => bits.length > 10 ? make("code", {}, bits) : [make("code", {}, bits), " ", make("span", { class: "as-float" }, float(Number(bits)))]);
      values.inputs.forEach((input, at) => rows.push(row([`parting, input ${at + 1}`, input[0] === input[1] ? "agrees" : "differs", ...pair(input), ""])));
      rows.push(row(["parting, result", values.result[0] === values.result[1] ? "agrees" : "differs", ...pair(values.result), ""]));
    }
    // Where all is the same there is no more to tell.
    const told = rows.some((row) => row.children[2].textContent || row.children[4].textContent);
    if (!told) for (const row of rows) while (row.children.length > 2) row.lastChild.remove();
    const head = make("thead", {}, make("tr", {}, ...["Output", "Verdict", "Original", "Port", "Distance"].slice(0, told ? 5 : 2).map((text) => make("th", { scope: "col" }, text))));
    const caption = make("caption", {}, `Case ${one.case}, ${place(cursor)}${rows.length ? "" : ": nothing was compared here"}`);
    $("picture-detail").replaceChildren(rows.length ? make("table", { class: "values" }, caption, head, make("tbody", {}, ...rows)) : make("p", {}, caption.textContent));
  };
  /** The cell under a place of the grid. */
  const cellAt = (x, y) => {
    const { grid, verdicts } = current;
    grid.cells ??= new Map(verdicts.map((_, cell) => [grid.at(cell).join(), cell]));
    return grid.cells.get([x, y].join());
  };
  const point = (event) => {
    if (!current) return;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width * current.grid.width, (event.clientY - box.top) / box.height * current.grid.height].map(Math.floor);
    const cell = cellAt(x, y);
    if (cell !== undefined && cell !== cursor) { cursor = cell; draw(); }
  };
  canvas?.addEventListener("click", point);
  canvas?.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse") point(event); });
  canvas?.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!current || !(event.key in steps)) return;
    event.preventDefault();
    let [x, y] = current.grid.at(cursor);
    // Gaps between groups are stepped over.
    for (let tries = 0; tries < 4; tries++) {
      x += steps[event.key][0];
      y += steps[event.key][1];
      const cell = cellAt(x, y);
      if (cell !== undefined) { cursor = cell; draw(); return; }
    }
  });
  $("picture-case")?.addEventListener("change", open);
  $("picture-plane")?.addEventListener("change", choose);
  $("picture-mode")?.addEventListener("change", draw);
  if (canvas) new ResizeObserver(() => draw()).observe(canvas.parentElement);

  let chosen = "auto";
  try { chosen = localStorage.getItem("gpuproof-theme") ?? "auto"; } catch { /* not allowed for files */ }
  filter();
  // The case that shows the difference comes first.
  const telling = evidence.parting?.agreement?.example?.case ?? evidence.first?.case;
  if (canvas && telling !== undefined && caseOf(telling)) { $("picture-case").value = String(telling); open(); }
  theme(themes.includes(chosen) ? chosen : "auto");
})();
