"use strict";
(() => {
  // As pymoo's AASF of weights 1 / w, in its order of operations: equal values stay equal.
  function recommended({ scaled, rho, least }, weights) {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const divisors = weights.map((weight) =>
      1 / Math.max(total > 0 ? weight / total : 1 / weights.length, least),
    );
    let best = 0;
    let lowest = Infinity;
    scaled.forEach((row, place) => {
      let largest = -Infinity;
      let sum = 0;
      row.forEach((value, axis) => {
        const distance = value / divisors[axis];
        largest = Math.max(largest, distance);
        sum += distance;
      });
      const value = largest + rho * sum;
      if (value < lowest) [best, lowest] = [place, value];
    });
    return best;
  }

  // Moves the named traces of a figure to a solution: its layout tells where each one is.
  function move(plot, which, place) {
    const known = plot.layout && plot.layout.meta && plot.layout.meta.moved;
    if (!known || known.points[place] === undefined) return;
    const points = known.points[place];
    const update = { x: points.map(([xs]) => xs), y: points.map(([, ys]) => ys) };
    Plotly.restyle(plot, update, known.traces[which]);
  }
  const chosen = new Map(); // which solution each of the named traces stands at
  function choose(which, place) {
    chosen.set(which, place);
    document.querySelectorAll("main .plot").forEach((plot) => move(plot, which, place));
  }

  for (const form of document.querySelectorAll("form[data-weights]")) {
    const data = JSON.parse(form.querySelector("script").textContent);
    const sliders = Array.from(form.querySelectorAll("input"));
    const button = form.querySelector(".recommended button");
    const update = () => {
      const weights = sliders.map((slider) => slider.valueAsNumber);
      sliders.forEach((slider) => (slider.nextElementSibling.value = slider.value));
      const place = recommended(data, weights);
      button.dataset.open = String(place);
      if (button.textContent !== data.titles[place]) button.textContent = data.titles[place];
      choose("recommended", place);
    };
    form.addEventListener("input", update);
    form.addEventListener("submit", (event) => event.preventDefault());
    update();
  }
  document.addEventListener("solution", (event) => choose("opened", Number(event.detail)));
  document.addEventListener("drawn", (event) =>
    chosen.forEach((place, which) => move(event.detail, which, place)),
  );
})();
