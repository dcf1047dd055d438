// Steps through a game: every frame lists the cells that change and the new symbol of each.
(function () {
  "use strict";
  var film = document.getElementById("film");
  if (!film) return;
  var cells = film.querySelectorAll("svg use");
  var steps = film.querySelector(".steps");
  var output = film.querySelector("output");
  var moves = document.querySelectorAll(".moves a");
  var frames = film.dataset.frames.split(",").map(function (frame) {
    return frame ? frame.split(" ").map(function (pair) { return pair.split(":").map(Number); }) : [];
  });
  var last = frames.length - 1;
  var at = last;

  // Applies all frames from the first on, so that a step back needs no stored state.
  function show(ply) {
    at = Math.max(0, Math.min(last, ply));
    var symbols = [];
    for (var i = 0; i <= at; i++) frames[i].forEach(function (pair) { symbols[pair[0]] = pair[1]; });
    cells.forEach(function (cell, i) { cell.setAttribute("href", "#c" + symbols[i]); });
    moves.forEach(function (move, i) {
      if (i + 1 === at) move.setAttribute("aria-current", "step"); else move.removeAttribute("aria-current");
    });
    output.textContent = at + " of " + last;
  }

  // The address contains the position, so that it can be shared.
  function go(ply) {
    show(ply);
    history.replaceState(null, "", "#ply-" + at);
  }

  function fromAddress() {
    var found = /^#ply-(\d+)$/.exec(location.hash);
    if (found) show(Number(found[1]));
  }

  var actions = { first: function () { go(0); }, back: function () { go(at - 1); }, on: function () { go(at + 1); }, last: function () { go(last); } };
  steps.hidden = false;
  steps.addEventListener("click", function (event) {
    var button = event.target.closest("button");
    if (button) actions[button.dataset.step]();
  });
  moves.forEach(function (move, i) {
    move.addEventListener("click", function (event) { event.preventDefault(); go(i + 1); });
  });
  document.addEventListener("keydown", function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    var action = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (action) { event.preventDefault(); actions[action](); }
  });
  window.addEventListener("hashchange", fromAddress);
  show(last);
  fromAddress();
})();
