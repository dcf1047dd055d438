// A game against a player of the server. Its state is in the URL; the server sends the legal choices.

import { Board } from "/assets/lib/board.js";

const $ = (id) => document.getElementById(id);
const play = $("play");
const weights = $("weights");
let state = null;
let turn = 0;

const board = new Board($("board"), {
  chosen: (move, staged) => go(withMove(move), staged),
  changed: showChoices,
});

const withMove = (move) => {
  const url = new URL(state.url, location.href);
  url.searchParams.set("moves", [...state.moves, move].join(" "));
  return url.pathname + url.search;
};

async function ask(address, more = {}) {
  const url = new URL(address, location.href);
  for (const [key, value] of Object.entries(more)) url.searchParams.set(key, value);
  const answer = await fetch(url, { headers: { accept: "application/json" } });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error);
  return told;
}

// Goes to a URL: shows the person's move first, then the opponent's answer.
async function go(address, staged = false, keep = false) {
  const mine = ++turn;
  board.offer([]);
  play.dataset.busy = "true";
  try {
    const from = state && isAfter(address) ? state.moves.length : undefined;
    let told = await ask(address, from === undefined ? {} : { from, stay: 1 });
    if (mine !== turn) return;
    let rest = from !== undefined && told.to_move === "opponent" ? ask(told.url, { from: told.moves.length }) : null;
    rest?.catch(() => {});
    await show(told, staged);
    if (told.to_move === "opponent") say(play.dataset.sayThinking);
    while (mine === turn && told.to_move === "opponent") {
      told = await (rest ?? ask(told.url, { from: told.moves.length }));
      rest = null;
      if (mine !== turn) return;
      await show(told, false);
    }
    if (mine !== turn) return;
    if (!keep && told.url !== pathHere()) history.pushState(null, "", told.url);
    settle(told);
  } catch (error) {
    if (mine === turn) fail(error);
  }
}

const pathHere = () => location.pathname + location.search;

// Whether a URL is the shown game with more moves.
function isAfter(address) {
  const url = new URL(address, location.href);
  const shown = new URL(state.url, location.href);
  const moves = (one) => (one.searchParams.get("moves") ?? "").split(" ").filter(Boolean);
  const rest = (one) => [...one.searchParams].filter(([key]) => key !== "moves" && key !== "weights").join("&");
  const [longer, shorter] = [moves(url), moves(shown)];
  return rest(url) === rest(shown) && longer.length > shorter.length && shorter.every((move, i) => move === longer[i]);
}

async function show(told, staged) {
  if (state && told.steps.length && told.moves.length > state.moves.length) await board.film(told.steps, told.looks, staged);
  state = told;
  board.draw(told.board);
}

// All animations are over: the person may choose.
function settle(told) {
  delete play.dataset.busy;
  play.dataset.url = told.url;
  play.dataset.ply = told.moves.length;
  play.dataset.toMove = told.to_move;
  play.dataset.ended = String(told.ending !== null);
  const open = $("moves-list")?.open;
  const focused = $("panel").contains(document.activeElement) ? document.activeElement.id : "";
  $("panel").innerHTML = told.panel;
  if (open && $("moves-list")) $("moves-list").open = true;
  if (focused) $(focused)?.focus();
  $("player").textContent = told.player;
  say(told.status);
  board.offer(told.choices);
  board.suggest("hinted", told.hint?.spots ?? []);
  if (told.ending) save();
  tellWould();
}

function say(text) {
  if ($("status").textContent !== text) $("status").textContent = text;
}

function fail(error) {
  delete play.dataset.busy;
  say(error.message && !(error instanceof TypeError) ? error.message : play.dataset.sayFailed);
  if (!state) return;
  board.draw(state.board);
  board.offer(state.choices);
}

// Buttons for choices without a cell on the board, and the two buttons of a turn in stages.
function showChoices(path, open) {
  const spotless = open.filter((one) => !one.spots.length);
  $("spotless").replaceChildren(...spotless.map((one) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "primary";
    button.dataset.choice = one.text;
    button.textContent = one.text;
    button.addEventListener("click", () => board.choose(one));
    return button;
  }));
  $("end-turn").hidden = !board.complete();
  $("back").hidden = !path.length;
  const prompts = state?.prompts ?? [];
  const prompt = open.length ? prompts[Math.min(path.length, prompts.length - 1)] ?? "" : "";
  $("prompt").textContent = board.complete() ? `${prompt} ${play.dataset.sayEnd}` : prompt;
  $("choice").hidden = !open.length;
}

$("end-turn").addEventListener("click", () => {
  const move = board.complete();
  if (move) go(withMove(move), true);
});
$("back").addEventListener("click", () => board.back());
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && board.back()) event.preventDefault();
});
addEventListener("popstate", () => {
  const weighed = (address) => new URL(address, location.href).searchParams.get("weights");
  // Other weights need a reload: the sliders are part of the page.
  if (weighed(pathHere()) !== weighed(state?.url ?? pathHere())) location.reload();
  else go(pathHere(), false, true);
});

play.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-go], #hint");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.id !== "hint") return go(link.getAttribute("href"));
  const mine = turn;
  try {
    const told = await ask(state.url, { hint: 1 });
    if (mine !== turn) return;
    $("panel").innerHTML = told.panel;
    $("hint")?.focus();
    board.suggest("hinted", told.hint?.spots ?? []);
    if (told.hint) say(document.querySelector("#hint-title").textContent);
  } catch (error) {
    say(error.message);
  }
});

play.addEventListener("submit", (event) => {
  if (event.target.id !== "moves-form" || !state) return;
  event.preventDefault();
  const move = event.submitter?.value || event.target.querySelector("select")?.value;
  if (move) go(withMove(move));
});

// Saves a finished game once: its number goes into the URL.
async function save() {
  const form = $("save");
  if (!form || new URLSearchParams(location.search).has("saved")) return;
  const answer = await fetch(form.action, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(new FormData(form)),
  }).catch(() => null);
  if (!answer?.ok) return;
  const { id } = await answer.json();
  history.replaceState(null, "", `${state.url}&saved=${id}`);
  const told = await ask(state.url, { saved: id });
  $("panel").innerHTML = told.panel;
}

// The sliders of the weights: shows the move that the opponent would play with them in the person's place.
let waiting = 0;
async function tellWould() {
  clearTimeout(waiting);
  board.suggest("would", []);
  if (!weights || state?.to_move !== "person") return;
  waiting = setTimeout(async () => {
    const url = state.url;
    const told = await ask(url, { would: 1 }).catch(() => null);
    if (!told?.would || url !== state.url) return;
    $("would-move").textContent = told.would.move;
    board.suggest("would", touched ? told.would.spots : []);
  }, 120);
}

let touched = false;
function reweigh() {
  const numbers = [...weights.querySelectorAll("input[data-weight]")];
  if (!state || numbers.some((one) => !one.validity.valid)) return;
  touched = true;
  const url = new URL(state.url, location.href);
  url.searchParams.set("weights", numbers.map((one) => one.value).join(","));
  state.url = url.pathname + url.search;
  history.replaceState(null, "", state.url);
  play.dataset.url = state.url;
  const text = url.searchParams.get("weights");
  for (const link of play.querySelectorAll("a[data-go], #swap")) {
    const goal = new URL(link.href);
    goal.searchParams.set("weights", text);
    link.href = goal.pathname + goal.search;
  }
  for (const form of $("panel").querySelectorAll("form")) {
    const field = form.querySelector("[name=weights]") ?? form.appendChild(document.createElement("input"));
    Object.assign(field, { type: "hidden", name: "weights", value: text });
  }
  tellWould();
}

if (weights) {
  const slider = (name) => weights.querySelector(`[data-slider="${CSS.escape(name)}"]`);
  for (const number of weights.querySelectorAll("input[data-weight]")) {
    const range = slider(number.dataset.weight);
    range.hidden = false;
    range.addEventListener("input", () => { number.value = range.value; reweigh(); });
    number.addEventListener("input", () => { range.value = number.value; reweigh(); });
  }
  $("weights-reset").hidden = false;
  $("weights-apply").hidden = true;
  weights.addEventListener("submit", (event) => event.preventDefault());
  $("weights-reset").addEventListener("click", () => {
    for (const number of weights.querySelectorAll("input[data-weight]")) {
      number.value = number.dataset.original;
      slider(number.dataset.weight).value = number.value;
    }
    reweigh();
  });
}

go(pathHere(), false, true);
