// A board whose cells can be chosen, stage by stage, with a pointer or the keyboard, and animations of moves on it.

const still = matchMedia("(prefers-reduced-motion: reduce)");
// Limit on the milliseconds of one animation.
const LONGEST = 2500;

export class Board {
  // `place` contains the picture; callbacks: on.chosen(move, whether in stages), on.changed(path, open choices).
  constructor(place, on) {
    this.place = place;
    this.on = on;
    this.roots = [];
    this.path = [];
    this.ghosts = [];
    this.skip = null;
    place.addEventListener("click", (event) => this.point(this.cellAt(event)));
    place.addEventListener("keydown", (event) => this.key(event));
    for (const kind of ["pointerover", "focusin"]) place.addEventListener(kind, (event) => this.near(this.cellAt(event)));
    for (const kind of ["pointerleave", "focusout"]) place.addEventListener(kind, () => this.near(null));
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => this.skip?.(), true);
  }

  cellAt(event) {
    const cell = event.target.closest?.("[data-cell]");
    return cell ? Number(cell.dataset.cell) : null;
  }

  cell(number) { return this.place.querySelector(`[data-cell="${number}"]`); }

  // Replaces the picture; the focus stays where it was.
  draw(svg) {
    const focused = this.place.contains(document.activeElement) ? this.cellAt({ target: document.activeElement }) : null;
    this.place.innerHTML = svg;
    this.ghosts = [];
    this.wanted = focused ?? this.wanted;
    this.hadFocus = focused !== null || this.hadFocus;
  }

  // Offers choices; none if it is not the person's turn.
  offer(choices) {
    this.roots = choices;
    this.path = [];
    this.refresh();
  }

  open() { return this.path.length ? this.path.at(-1).next ?? [] : this.roots; }

  // Marks the cells that can be chosen now, and makes them buttons.
  refresh() {
    for (const cell of this.place.querySelectorAll("[data-cell]")) {
      cell.classList.remove("choosable", "chosen", "near");
      cell.removeAttribute("tabindex");
      if (cell.hasAttribute("aria-label")) cell.setAttribute("role", "img");
    }
    for (const one of this.path) for (const spot of one.spots) this.cell(spot)?.classList.add("chosen");
    const heads = this.heads();
    for (const one of this.open()) {
      for (const spot of one.spots) this.cell(spot)?.classList.add("choosable");
      if (!one.spots.length) continue;
      const head = this.cell(one.spots[0]);
      head.setAttribute("role", "button");
      head.setAttribute("tabindex", "-1");
    }
    if (heads.length) {
      const at = heads.includes(this.wanted) ? this.wanted : this.nearest(this.wanted, heads);
      this.wanted = at;
      this.cell(at).setAttribute("tabindex", "0");
      const elsewhere = document.activeElement !== document.body && !this.place.contains(document.activeElement);
      if (this.hadFocus && !elsewhere) this.cell(at).focus({ preventScroll: true });
      this.hadFocus = false;
    }
    this.on.changed(this.path, this.open());
  }

  heads() { return this.open().filter((one) => one.spots.length).map((one) => one.spots[0]); }

  choiceAt(number) { return this.open().find((one) => one.spots.includes(number)); }

  point(number) {
    if (number === null) return;
    const choice = this.choiceAt(number);
    if (choice) return this.choose(choice);
    // The same piece again undoes its choice; another piece replaces it.
    if (this.path.at(-1)?.spots.includes(number)) return this.back();
    if (this.path.length !== 1) return;
    const other = this.roots.find((one) => one.spots.includes(number));
    if (other) { this.back(); this.choose(other); }
  }

  choose(choice) {
    this.hadFocus = this.place.contains(document.activeElement);
    this.preview(choice);
    this.path.push(choice);
    if (choice.move && !choice.next) {
      const staged = this.path.length > 1;
      this.roots = [];
      this.path = [];
      this.refresh();
      this.on.chosen(choice.move, staged);
    } else this.refresh();
  }

  // Undoes the last choice; false if there is none.
  back() {
    if (!this.path.length) return false;
    this.hadFocus = this.place.contains(document.activeElement);
    const gone = this.path.pop();
    this.wanted = gone.spots[0] ?? this.wanted;
    for (const [cell, look] of this.ghosts.pop() ?? []) cell.innerHTML = look;
    this.refresh();
    return true;
  }

  // The move that is complete, although further choices are possible.
  complete() { return this.path.at(-1)?.move; }

  // Shows a moved piece or a kicked ball on its new cell.
  preview(choice) {
    const before = this.path.at(-1);
    const look = (number) => this.cell(number)?.querySelector(".look");
    const to = choice.spots.length === 1 ? look(choice.spots[0]) : null;
    const ball = this.place.querySelector(".look .ball")?.parentNode;
    const from = this.path.length > 1 ? ball : before && look(before.spots[0]);
    const things = from ? [...from.children].filter((one) => one.matches(".first, .second, .keeper, .ball, .mark, .last")) : [];
    if (!to || !things.length || from === to || !this.path.length) return void this.ghosts.push([]);
    this.ghosts.push([[from, from.innerHTML], [to, to.innerHTML]]);
    for (const thing of things) to.append(thing);
  }

  near(number) {
    const choice = number === null ? null : this.choiceAt(number);
    for (const cell of this.place.querySelectorAll(".near")) cell.classList.remove("near");
    for (const spot of choice?.spots ?? []) this.cell(spot)?.classList.add("near");
  }

  key(event) {
    const number = this.cellAt(event);
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in ways && number !== null) this.walk(number, ways[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && number !== null) this.point(number);
    else return;
    event.preventDefault();
  }

  // Moves the focus to the nearest choice in a direction.
  walk(from, [dx, dy]) {
    const [x, y] = this.where(from);
    let best = null;
    let least = Infinity;
    for (const head of this.heads()) {
      const [hx, hy] = this.where(head);
      const along = (hx - x) * dx + (hy - y) * dy;
      const across = Math.abs((hx - x) * dy) + Math.abs((hy - y) * dx);
      if (along > 0 && along + 2 * across < least) { least = along + 2 * across; best = head; }
    }
    if (best === null) return;
    this.cell(from).setAttribute("tabindex", "-1");
    this.wanted = best;
    this.cell(best).setAttribute("tabindex", "0");
    this.cell(best).focus();
  }

  where(number) {
    const numbers = this.cell(number)?.getAttribute("transform").match(/\d+/g) ?? [0, 0];
    return numbers.map(Number);
  }

  nearest(number, heads) {
    if (number === undefined || number === null) return heads[0];
    const [x, y] = this.where(number);
    const far = (head) => Math.hypot(this.where(head)[0] - x, this.where(head)[1] - y);
    return heads.reduce((best, head) => (far(head) < far(best) ? head : best));
  }

  // Marks the cells of a suggested move.
  suggest(kind, spots) {
    for (const cell of this.place.querySelectorAll(`.${kind}`)) cell.classList.remove(kind);
    for (const spot of spots) this.cell(spot)?.classList.add(kind);
  }

  // Animates moves frame by frame; a click or a key ends it early. Moves that were previewed while they were chosen are
  // not shown again.
  async film(steps, looks, seen) {
    const apply = (frame) => {
      for (const [number, look] of frame) {
        const place = this.cell(number)?.querySelector(".look");
        if (place) place.innerHTML = looks[look];
      }
    };
    const shown = steps.filter((step) => !(seen && step.by_person));
    const frames = shown.reduce((sum, step) => sum + step.frames.length, 0);
    const pause = still.matches ? 0 : Math.min(200, LONGEST / Math.max(frames, 1));
    let hurry = pause === 0;
    for (const step of steps) {
      for (const frame of step.frames) {
        apply(frame);
        if (hurry || !shown.includes(step)) continue;
        await new Promise((done) => {
          const timer = setTimeout(done, pause);
          this.skip = () => { clearTimeout(timer); hurry = true; done(); };
        });
        this.skip = null;
      }
    }
  }
}
