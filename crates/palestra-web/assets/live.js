// Keeps an open page up to date: the event stream announces a new version, and the page is loaded again.
// Parts that may change have `data-live` and an id; only those are replaced.

const body = document.body;
const notice = document.getElementById("link-state");
let shown = body.dataset.version;
let wanted = shown;
let busy = false;

const source = new EventSource(`/live/${body.dataset.topic}`);
source.addEventListener("version", (event) => {
  wanted = event.data;
  refresh();
});
source.addEventListener("open", () => { notice.hidden = true; });
source.addEventListener("error", () => { notice.hidden = false; });
document.addEventListener("visibilitychange", refresh);
addEventListener("pagehide", () => source.close());

async function refresh() {
  if (busy || document.hidden || wanted === shown) return;
  busy = true;
  const target = wanted;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.ok) {
      swap(new DOMParser().parseFromString(await answer.text(), "text/html"));
      shown = target;
    }
  } catch {
    // The event stream announces a version when the server is back.
  }
  busy = false;
  if (wanted !== target) refresh();
}

function swap(fresh) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(part.id);
    if (!next) part.replaceChildren();
    else if (next.innerHTML !== part.innerHTML) exchange(part, next);
  }
  body.dataset.version = fresh.body.dataset.version ?? "";
  document.title = fresh.title;
  document.dispatchEvent(new Event("palestra:refreshed"));
}

// Open details stay open, and the focus stays where it was.
function exchange(part, next) {
  const open = new Set([...part.querySelectorAll("details[open][id]")].map((one) => one.id));
  const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
  part.replaceChildren(...next.childNodes);
  for (const one of part.querySelectorAll("details[id]")) if (open.has(one.id)) one.open = true;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}
