// Steps through a game without loading a page: all boards are in the page, the explanation comes after a pause at a ply.

"use strict";

const find = (id) => document.getElementById(id);
const viewer = find("viewer");
const slider = find("ply");
const plies = Number(viewer.dataset.plies);
const cells = [...document.querySelectorAll("#board .cell")];
let shown = Number(viewer.dataset.ply);
const game = JSON.parse(find("boards").textContent);
let waiting = 0;
let asking = null;

find("go").hidden = true;
find("slide").hidden = false;
if (find("explanation")?.childElementCount === 0) explainSoon();
if (Number(slider.value) !== shown) go(Number(slider.value));
// In a file the ply is the anchor of the address.
addEventListener("hashchange", fromAnchor);
fromAnchor();

function fromAnchor() {
  const ply = /^#ply-(\d+)$/.exec(location.hash);
  if (ply) go(Number(ply[1]));
}

function looksAt(ply) {
  const looks = [...game.start];
  for (const change of game.changes.slice(0, ply)) {
    for (let i = 0; i < change.length; i += 2) looks[change[i]] = change[i + 1];
  }
  return looks;
}

function go(wanted) {
  const ply = Math.max(0, Math.min(plies, wanted));
  slider.value = ply;
  if (ply === shown) return;
  const before = looksAt(shown);
  looksAt(ply).forEach((look, i) => { if (look !== before[i]) cells[i].innerHTML = game.looks[look]; });
  shown = ply;
  viewer.dataset.ply = ply;
  find("said").textContent = game.said[ply];
  find("ply-shown").textContent = `${ply} / ${plies}`;
  if (find("why-ply")) find("why-ply").value = ply;
  link("first", 0, ply === 0);
  link("previous", Math.max(0, ply - 1), ply === 0);
  link("next", Math.min(plies, ply + 1), ply === plies);
  link("last", plies, ply === plies);
  mark(ply);
  playOn(ply);
  const address = `${viewer.dataset.open}${ply}`;
  history.replaceState(null, "", address);
  for (const back of document.querySelectorAll('input[name="back"]')) back.value = address;
  explainSoon();
}

function link(id, ply, isOff) {
  const button = find(id);
  button.href = `${viewer.dataset.open}${ply}`;
  if (isOff) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

function mark(ply) {
  for (const old of viewer.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  const current = viewer.querySelector(`a[data-ply="${ply}"]`);
  current?.setAttribute("aria-current", "true");
  const list = find("moves");
  if (current && list.contains(current)) {
    const [inner, outer] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 2;
  }
  const chart = find("evaluation");
  if (!chart) return;
  const x = Number(chart.dataset.left) + Number(chart.dataset.width) * ply / Math.max(1, plies);
  find("now").setAttribute("x1", x);
  find("now").setAttribute("x2", x);
}

function playOn(ply) {
  if (!find("play-on")) return;
  const query = new URLSearchParams({ game: game.game });
  if (game.setup) query.set("setup", game.setup);
  query.set("moves", game.moves.slice(0, ply).join(" "));
  query.set("side", game.turns[ply]);
  find("play-on").href = `/play?${query}`;
  find("play-on").hidden = game.over && ply === plies;
}

function explainSoon() {
  if (!find("explanation")) return;
  clearTimeout(waiting);
  asking?.abort();
  waiting = setTimeout(() => explain(false), 250);
}

async function explain(judge) {
  const part = find("explanation");
  asking?.abort();
  const mine = asking = new AbortController();
  part.setAttribute("aria-busy", "true");
  const query = new URLSearchParams({ ply: shown, as: find("as").value });
  if (judge) query.set("judge", "1");
  try {
    const answer = await fetch(viewer.dataset.explain + query, { signal: mine.signal });
    if (!answer.ok) throw new Error(answer.statusText);
    part.innerHTML = await answer.text();
  } catch {
    if (mine.signal.aborted) return;
    part.textContent = part.dataset.failed;
  }
  part.setAttribute("aria-busy", "false");
}

for (const [id, where] of [["first", () => 0], ["previous", () => shown - 1], ["next", () => shown + 1], ["last", () => plies]]) {
  find(id).addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(where());
  });
}
viewer.addEventListener("click", (event) => {
  const target = event.target.closest("a[data-ply]");
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(Number(target.dataset.ply));
});
slider.addEventListener("input", () => go(Number(slider.value)));
find("slide").addEventListener("submit", (event) => { event.preventDefault(); go(Number(slider.value)); });
find("evaluation")?.addEventListener("click", (event) => {
  const chart = event.currentTarget;
  const box = chart.getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width * chart.viewBox.baseVal.width;
  go(Math.round((x - Number(chart.dataset.left)) / Number(chart.dataset.width) * plies));
});
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest("input, select, textarea")) return;
  const steps = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: plies };
  if (!(event.key in steps)) return;
  event.preventDefault();
  go(steps[event.key]);
});
find("why")?.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(waiting);
  explain(event.submitter?.name === "judge");
});
find("as")?.addEventListener("change", () => { clearTimeout(waiting); explain(false); });

function copies(id, text, fallback) {
  find(id).hidden = false;
  find(id).addEventListener("click", async () => {
    const said = find("copied");
    try {
      await navigator.clipboard.writeText(text());
      said.textContent = said.dataset.done;
    } catch {
      find("text").open = true;
      fallback(find("as-text"));
      find("as-text").select();
      said.textContent = said.dataset.failed;
    }
  });
}
const gameText = find("as-text").value;
copies("copy-text", () => gameText, (area) => { area.value = gameText; });
copies("copy-link", () => new URL(`${viewer.dataset.open}${shown}`, location.href).href, (area) => {
  area.value = new URL(`${viewer.dataset.open}${shown}`, location.href).href;
});
