// What is wrong with the page for people who do not see it, do not use a mouse, or have a small screen.
// Runs as the body of a function in the page and returns a list of complaints, empty where all is well.

const complaints = [];
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const say = (rule, element, detail = "") => complaints.push(`${rule}: ${place(element)} ${detail}`.trim());

function place(element) {
  const classes = element.getAttribute("class");
  const words = (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
  return `<${element.tagName.toLowerCase()}${element.id ? ` id=${element.id}` : ""}${classes ? ` class=${classes}` : ""}> ${words}`.trim();
}

const isShown = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
const isHiddenFromReaders = (element) => element.closest('[aria-hidden="true"]') !== null;

// --- Names

function named(element) {
  const ids = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
  const referred = ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
  return referred || (element.getAttribute("aria-label") ?? "").trim();
}

function words(element) {
  let text = "";
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) text += node.data;
    else if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true") continue;
    else if (node.tagName === "IMG") text += node.alt;
    else text += named(node) || words(node);
  }
  return text.trim();
}

const name = (element) => named(element) || words(element) || (element.getAttribute("title") ?? "").trim();

function controlName(control) {
  const labels = [...(control.labels ?? [])].map(words).join(" ").trim();
  const isButton = ["submit", "button", "reset"].includes(control.type);
  return named(control) || labels || (isButton ? control.value : "") || (control.getAttribute("title") ?? "").trim();
}

// --- Structure

const root = document.documentElement;
if (!/^[a-z]{2}/.test(root.lang)) say("no language", root);
if (!document.title.trim()) say("no title", root);
if (all("main").length !== 1) say("not one main", root, `${all("main").length}`);
for (const nav of all("nav")) if (!named(nav)) say("navigation without a name", nav);

const headings = all("h1, h2, h3, h4, h5, h6").filter(isShown);
const top = headings.filter((heading) => heading.tagName === "H1");
if (top.length !== 1) say("not one h1", root, `${top.length}`);
let level = 0;
for (const heading of headings) {
  const next = Number(heading.tagName[1]);
  if (next > level + 1) say(`heading after level ${level}`, heading);
  if (!words(heading)) say("empty heading", heading);
  level = next;
}

const known = new Set();
for (const element of all("[id]")) {
  if (known.has(element.id)) say("id given twice", element);
  known.add(element.id);
}
for (const attribute of ["for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-activedescendant"]) {
  for (const element of all(`[${attribute}]`)) {
    for (const id of element.getAttribute(attribute).split(/\s+/).filter(Boolean)) {
      if (!known.has(id)) say(`${attribute} names nobody`, element, id);
    }
  }
}

for (const image of all("img")) if (!image.hasAttribute("alt")) say("image without alt", image);
for (const image of all('svg[role="img"], [role="img"]')) {
  const title = image.querySelector(":scope > title")?.textContent.trim();
  if (isShown(image) && !isHiddenFromReaders(image) && !named(image) && !title) say("picture without a name", image);
}
for (const image of all("svg:not([role])")) {
  if (isShown(image) && !isHiddenFromReaders(image)) say("picture without a role", image);
}

for (const table of all("table").filter(isShown)) {
  if (!table.caption?.textContent.trim() && !named(table)) say("table without a name", table);
  if (!table.querySelector("th")) say("table without headers", table);
}
for (const header of all("th").filter(isShown)) if (!header.scope) say("header without scope", header);

// --- Controls

for (const control of all('input:not([type="hidden"]), select, textarea, meter, progress').filter(isShown)) {
  if (!controlName(control)) say("control without a label", control, control.name);
}
for (const element of all('button, a[href], summary, [role="button"], [role="link"], [role="gridcell"]').filter(isShown)) {
  if (!isHiddenFromReaders(element) && !name(element)) say("nothing to read out", element);
}
for (const element of all("[tabindex]")) if (element.tabIndex > 0) say("order of tabs is forced", element);

const NATIVE = "a[href], button, input, select, textarea, summary, label, option, details";
const ROLES = '[role="button"], [role="link"], [role="slider"], [role="tab"], [role="gridcell"], [role="option"], [role="radio"]';
const canBeReached = (element) => element.matches(NATIVE) || element.hasAttribute("tabindex");
for (const element of all(".choosable").filter(isShown)) {
  if (!element.matches(NATIVE) && !element.hasAttribute("role")) say("no role", element);
}
for (const element of all(ROLES).filter(isShown)) {
  if (!canBeReached(element) && !element.closest("[aria-activedescendant]")) say("cannot have the focus", element);
}
const choosable = all(".choosable").filter(isShown);
const isStop = (element) => element.closest("[tabindex='0']") !== null || element.matches(NATIVE);
if (choosable.length > 0 && !choosable.some(isStop)) say("the keyboard reaches no choosable cell", choosable[0]);
for (const element of all("body *").filter(isShown)) {
  const style = getComputedStyle(element);
  const isFirst = style.cursor === "pointer" && getComputedStyle(element.parentElement).cursor !== "pointer";
  if (isFirst && !element.closest(NATIVE) && !element.closest("[role]:not([role='img'])")) say("only for the mouse", element);
  const scrolls = ["auto", "scroll"].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
  const isReached = canBeReached(element) || element.querySelector("a[href], button, input, select, [tabindex='0']");
  if (scrolls && !isReached) say("the keyboard cannot scroll this", element);
}
for (const element of all("button, .choosable").filter(isShown)) {
  const { width, height } = element.getBoundingClientRect();
  // Less than this cannot be hit with a finger (WCAG 2.2, 2.5.8).
  if (Math.min(width, height) < 23.5) say("too small to hit", element, `${width.toFixed(0)}x${height.toFixed(0)}`);
}

// --- Contrast

const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
const colors = new Map();
function color(text) {
  if (!colors.has(text)) {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
    colors.set(text, [red, green, blue, alpha / 255]);
  }
  return colors.get(text);
}

const over = (front, back) => [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
function light([red, green, blue]) {
  const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
}
function contrast(one, other) {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

// The color behind an element, or null where it is a picture.
function ground(element) {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.backgroundImage !== "none") return null;
    layers.push(color(style.backgroundColor));
    if (layers.at(-1)[3] === 1) break;
  }
  const canvas = matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
  return layers.reverse().reduce((back, front) => over(front, back), canvas);
}

// Inside a drawing: the last shape before the text that lies under its middle.
function drawnGround(text) {
  const svg = text.ownerSVGElement;
  const box = text.getBoundingClientRect();
  const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
  let back = ground(svg);
  for (const shape of all("rect, circle, ellipse, path, polygon", svg)) {
    if (text.compareDocumentPosition(shape) & Node.DOCUMENT_POSITION_FOLLOWING) break;
    const style = getComputedStyle(shape);
    if (style.fill === "none" || !isShown(shape) || shape.closest("defs, clipPath, mask, pattern")) continue;
    if (!shape.isPointInFill(middle.matrixTransform(shape.getScreenCTM().inverse()))) continue;
    if (style.fill.startsWith("url") || back === null) back = null;
    else back = over(faded(color(style.fill), Number(style.fillOpacity) * opacity(shape)), back);
  }
  return back;
}

const faded = ([red, green, blue, alpha], by) => [red, green, blue, alpha * by];
function opacity(element) {
  let all = 1;
  for (let at = element; at; at = at.parentElement) all *= Number(getComputedStyle(at).opacity);
  return all;
}

function checkContrast(element) {
  const isDrawn = element instanceof SVGElement;
  const style = getComputedStyle(element);
  const back = isDrawn ? drawnGround(element) : ground(element);
  const paint = isDrawn ? style.fill : style.color;
  if (back === null || paint.startsWith("url") || paint === "none") return;
  const front = over(faded(color(paint), opacity(element) * (isDrawn ? Number(style.fillOpacity) : 1)), back);
  // What is drawn inside a picture grows and shrinks with it.
  const scale = isDrawn ? Math.abs(element.getScreenCTM().a) : 1;
  const size = parseFloat(style.fontSize) * scale;
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const found = contrast(front, back);
  if (found < (isLarge ? 3 : 4.5) - 0.005) say("too little contrast", element, `${found.toFixed(2)} (${paint} on ${back.map(Math.round).slice(0, 3)})`);
}

const texts = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.add(walker.currentNode.parentElement);
for (const control of all("input, textarea, select")) if (control.value && !["range", "checkbox", "radio", "hidden", "color"].includes(control.type)) texts.add(control);
const NO_TEXT = "script, style, title, desc, option, noscript, template";
for (const element of texts) {
  const { width, height } = element.getBoundingClientRect();
  const isExempt = element.closest(NO_TEXT) || element.closest(":disabled, [aria-disabled='true']");
  if (!isExempt && width > 1 && height > 1 && isShown(element)) checkContrast(element);
}

// --- Width

const width = root.clientWidth;
if (root.scrollWidth > width) {
  const isCut = (element) => element.parentElement.closest(".scroll, pre, svg, .visually-hidden") !== null;
  const wide = all("body *").filter((element) => element.getBoundingClientRect().right > width + 1 && !isCut(element));
  say("wider than the screen", wide.at(-1) ?? root, `${root.scrollWidth} > ${width}`);
}

return [...new Set(complaints)];
