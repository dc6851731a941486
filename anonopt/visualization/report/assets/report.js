"use strict";
(() => {
  const PRINTED_WIDTH = 660;
  const PRINTED_HEIGHT = 320;
  const DASHES = { dash: "7 4", dashdot: "7 3 2 3", dot: "2 3", longdashdot: "9 3 2 3" };
  const SHAPES = {
    circle: "M11 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
    square: "M11.5 2.5h7v7h-7Z",
    diamond: "M15 1l5 5l-5 5l-5 -5Z",
    "triangle-up": "M15 1.5l4.8 8.5h-9.6Z",
    "triangle-down": "M15 10.5l4.8 -8.5h-9.6Z",
    x: "M12.5 1.5L15 4l2.5 -2.5l2 2L17 6l2.5 2.5l-2 2L15 8l-2.5 2.5l-2 -2L13 6l-2.5 -2.5Z",
    cross: "M13.5 1.5h3v3h3v3h-3v3h-3v-3h-3v-3h3Z",
  };
  const SVG = "http://www.w3.org/2000/svg";

  const root = document.documentElement;
  const themes = JSON.parse(document.getElementById("themes").textContent);
  const darkColors = new Map(
    Object.entries(themes.dark_colors).map(([light, dark]) => [light.toLowerCase(), dark]),
  );
  const points = JSON.parse(document.getElementById("points").textContent);
  const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
  const backgrounds = JSON.parse(document.getElementById("backgrounds").textContent);
  const hiddenKeys = new WeakMap(); // of each section, the keys that its legend hides
  const figures = new Map(); // what has been drawn, and of what
  let chosenTheme = null;
  let isPrinting = false;

  const theme = () =>
    isPrinting ? "light" : chosenTheme || (systemIsDark.matches ? "dark" : "light");

  // Colours, which may have an opacity at their end, as they are seen on the ground of a theme.
  function themed(value, name) {
    if (name === "light") return value;
    if (typeof value === "string") {
      if (!/^#[0-9a-f]{6}([0-9a-f]{2})?$/i.test(value)) return value;
      const color = darkColors.get(value.slice(0, 7).toLowerCase());
      return color ? color + value.slice(7) : value;
    }
    if (Array.isArray(value)) return value.map((part) => themed(part, name));
    if (value && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, themed(part, name)]));
    return value;
  }

  function contentOf(place) {
    if (!figures.has(place)) {
      const content = JSON.parse(place.querySelector("script").textContent);
      const behind = backgrounds[content.background];
      if (behind) {
        content.data = [...behind.data, ...content.data];
        content.layout = { ...behind.layout, ...content.layout };
      }
      figures.set(place, content);
    }
    return figures.get(place);
  }

  function draw(place) {
    const isNew = !figures.has(place);
    const content = contentOf(place);
    const name = theme();
    const hidden = hiddenKeys.get(place.closest("section")) || new Set();
    const data = content.data.map((trace) => {
      const shown = themed(trace, name);
      const isHidden = trace.legendgroup !== undefined && hidden.has(trace.legendgroup);
      const told = points[trace.meta];
      return {
        ...shown,
        ...(told && {
          text: trace.customdata.map((place) => told.texts[place] || ""),
          customdata: trace.customdata.map((place) => told.opens[place] || null),
        }),
        visible: isHidden ? false : trace.visible === undefined ? true : trace.visible,
      };
    });
    const layout = structuredClone(themed(content.layout, name));
    layout.template = themes.templates[name];
    layout.uirevision = "kept";
    if (isPrinting)
      Object.assign(layout, { width: PRINTED_WIDTH, height: PRINTED_HEIGHT, autosize: false });
    else layout.autosize = true;
    const config = {
      responsive: true,
      displaylogo: false,
      // What plotly would offer by itself: a button that sends the data to its makers.
      showSendToCloud: false,
      plotlyServerURL: "",
      modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
    };
    Plotly.react(place, data, layout, config);
    if (isNew) {
      place.on("plotly_click", (event) => {
        const { customdata, text } = event.points[0];
        if (customdata) open(customdata);
        else if (customdata === null && text) tell(text);
      });
    }
    document.dispatchEvent(new CustomEvent("drawn", { detail: place }));
  }

  const isSeen = (place) => !place.hidden;
  const places = (inside) => Array.from(inside.querySelectorAll(".plot"));
  const redraw = (inside) => places(inside).filter((place) => figures.has(place)).forEach(draw);

  // What is near is drawn first, the rest where there is time.
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting && isSeen(entry.target)) {
          near.unobserve(entry.target);
          if (!figures.has(entry.target)) draw(entry.target);
        }
      }
    },
    { rootMargin: "800px" },
  );
  const whenIdle = window.requestIdleCallback || ((work) => setTimeout(work, 200));
  const waiting = [];
  function drawWaiting() {
    const place = waiting.shift();
    if (place === undefined) {
      root.dataset.drawn = "true";
      return;
    }
    if (isSeen(place) && !figures.has(place)) draw(place);
    whenIdle(drawWaiting);
  }

  function swatch(svg) {
    const { color, symbol, dash } = svg.dataset;
    const ink = themed(color, theme());
    svg.replaceChildren();
    const add = (kind, attributes) => {
      const part = document.createElementNS(SVG, kind);
      for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
      svg.append(part);
    };
    if (dash) {
      const line = { x1: 0, x2: 30, y1: 6, y2: 6, stroke: ink, "stroke-width": 2 };
      if (DASHES[dash]) line["stroke-dasharray"] = DASHES[dash];
      add("line", line);
    }
    if (symbol.endsWith("-open"))
      add("path", { d: SHAPES[symbol.slice(0, -5)] || SHAPES.circle, fill: "none", stroke: ink });
    else if (symbol) add("path", { d: SHAPES[symbol] || SHAPES.circle, fill: ink });
  }

  function show(inside) {
    root.dataset.theme = theme();
    inside.querySelectorAll("svg[data-color]").forEach(swatch);
    redraw(inside);
  }

  function filter(button) {
    const section = button.closest("section");
    const hidden = hiddenKeys.get(section) || new Set();
    hiddenKeys.set(section, hidden);
    const lines = section.querySelectorAll(".legend [data-key]");
    for (const line of lines) {
      if (button.dataset.all !== undefined)
        line.setAttribute("aria-pressed", button.dataset.all);
      else if (line === button)
        line.setAttribute("aria-pressed", String(line.getAttribute("aria-pressed") !== "true"));
      if (line.getAttribute("aria-pressed") === "true") hidden.delete(line.dataset.key);
      else hidden.add(line.dataset.key);
    }
    redraw(section);
  }

  function choose(select) {
    const drawings = select.closest("figure").querySelectorAll(".drawing");
    drawings.forEach((drawing, place) => {
      drawing.hidden = place !== select.selectedIndex;
      if (!drawing.hidden && drawing.classList.contains("plot")) draw(drawing);
    });
  }

  const dialog = document.getElementById("solution");
  const ANCHOR = "#solution-";
  let solutions = null;
  let openKey = null;
  // Titles and parts by key; unpacked when the first one is opened.
  async function unpacked() {
    if (solutions === null) {
      const packed = atob(document.getElementById("solutions").textContent);
      const bytes = Uint8Array.from(packed, (sign) => sign.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      solutions = new Map(Object.entries(JSON.parse(await new Response(stream).text())));
    }
    return solutions;
  }
  function tell(markup) {
    const text = new DOMParser().parseFromString(markup.replaceAll("<br>", "\n"), "text/html");
    const part = document.getElementById("unknown").content.cloneNode(true);
    part.querySelector("pre").textContent = text.body.textContent;
    dialog.querySelector(".inside").replaceChildren(part);
    document.getElementById("solution-title").textContent = "Solution";
    if (!dialog.open) dialog.showModal();
  }
  function clear(inside) {
    for (const place of places(inside)) {
      if (figures.delete(place)) Plotly.purge(place);
    }
    inside.replaceChildren();
  }
  async function open(given) {
    const key = String(Array.isArray(given) ? given[0] : given);
    const found = (await unpacked()).get(key);
    if (found === undefined) return;
    const [title, part] = found;
    const inside = dialog.querySelector(".inside");
    clear(inside);
    inside.innerHTML = part;
    document.getElementById("solution-title").textContent = title;
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    openKey = key;
    history.replaceState(null, "", ANCHOR + encodeURIComponent(key));
    places(inside).filter(isSeen).forEach(draw);
    document.dispatchEvent(new CustomEvent("solution", { detail: key }));
  }
  async function step(by) {
    const keys = Array.from((await unpacked()).keys());
    const place = keys.indexOf(openKey) + by;
    if (place >= 0 && place < keys.length) open(keys[place]);
  }
  function openOfAddress() {
    if (location.hash.startsWith(ANCHOR))
      open(decodeURIComponent(location.hash.slice(ANCHOR.length)));
  }
  addEventListener("hashchange", openOfAddress);
  dialog.addEventListener("close", () => {
    clear(dialog.querySelector(".inside"));
    openKey = null;
    history.replaceState(null, "", location.pathname + location.search);
  });

  const status = document.getElementById("status");
  async function copy(button) {
    const text = button.dataset.copy;
    let isDone = false;
    try {
      await navigator.clipboard.writeText(text);
      isDone = true;
    } catch {
      // Not every browser lets a page of a disk write the clipboard by itself.
      isDone = copyOfSelection(text, button);
    }
    const words = button.textContent;
    button.textContent = status.textContent = isDone ? "Copied" : "Not copied";
    if (!isDone) window.prompt("Copy this:", text);
    setTimeout(() => (button.textContent = words), 1500);
  }
  function copyOfSelection(text, button) {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    button.after(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    button.focus();
    return isDone;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button === null) {
      if (event.target === dialog) dialog.close();
    } else if (button.dataset.copy !== undefined) copy(button);
    else if (button.dataset.open !== undefined) open(button.dataset.open);
    else if (button.dataset.step !== undefined) step(Number(button.dataset.step));
    else if (button.dataset.key !== undefined || button.dataset.all !== undefined) filter(button);
    else if (button.classList.contains("close")) dialog.close();
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches(".choice select")) choose(event.target);
  });

  const themeButton = document.getElementById("theme");
  const nameTheme = () => (themeButton.textContent = theme() === "dark" ? "Light" : "Dark");
  themeButton.addEventListener("click", () => {
    chosenTheme = theme() === "dark" ? "light" : "dark";
    nameTheme();
    show(document);
  });
  systemIsDark.addEventListener("change", () => {
    if (chosenTheme === null && !isPrinting) {
      nameTheme();
      show(document);
    }
  });

  addEventListener("beforeprint", () => {
    isPrinting = true;
    root.dataset.theme = "light";
    document.querySelectorAll("svg[data-color]").forEach(swatch);
    places(document).filter(isSeen).forEach(draw);
  });
  addEventListener("afterprint", () => {
    isPrinting = false;
    show(document);
  });

  themeButton.hidden = false;
  nameTheme();
  show(document);
  for (const place of places(document)) {
    near.observe(place);
    waiting.push(place);
  }
  whenIdle(drawWaiting);
  openOfAddress();
})();
