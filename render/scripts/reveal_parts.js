// Opens, one after the other, the parts of a page that a click shows: closed details, accordions, tabs, "show more". Runs in
// a world of its own; returns whether there is anything to click, and defines {step, finish, mark} there (blocksightParts).
// The page's clock has to run before the first step and after each: `step` looks at what the last click has shown, and
// clicks again unless it returns false. `finish` shows all of it at once, and returns the number of parts; `mark` gives each
// an attribute with the name of what was clicked. No click leaves the page or sends a form; what opens over the page is
// closed again, and is no part.
((words, mostClicks) => {
  const MOST_TEXTS = 5000, MOST_NAME = 80, GROWN = 20, HIGH = 10, MOST_CLOSINGS = 3, ROUNDS = 2;
  const TABS = "[role=tab], [data-toggle=tab], [data-toggle=pill], [data-bs-toggle=tab], [data-bs-toggle=pill]";
  const FOLDS = "[aria-expanded=false]:not(input, select, [role=combobox]), [data-toggle=collapse], [data-bs-toggle=collapse]";
  const CONTROLS = `${TABS}, ${FOLDS}, summary, label, a, button, [role=button]`;
  const BARS = "nav, [role=navigation], [role=menu], [role=menubar], [role=toolbar], [role=banner], [role=contentinfo]";
  const LAYERS = "dialog, [popover], [aria-modal=true], [role$=dialog], [role=menu], [role=listbox], [role=tooltip]";
  const CLOSERS = "[data-dismiss], [data-bs-dismiss], [class*=close i], [aria-label*=close i]";
  const LOOK = ["display", "visibility", "opacity", "content-visibility", "max-height", "grid-template-rows", "overflow",
    "clip-path", "transform", "translate", "left", "margin-left", "text-indent"];
  const isMore = new RegExp(`^[^\\p{L}\\p{N}]*(?:${words})[^\\p{L}\\p{N}]*$`, "iu");
  const parentOf = node => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const pathOf = (node, isEnd = () => false) => {
    const path = [];
    for (let one = node; one && !isEnd(one); one = parentOf(one)) path.push(one);
    return path;
  };
  const topOf = (text, isEnd) => pathOf(text.parentElement, isEnd).at(-1) ?? text.parentElement;
  const rootsIn = root => [root, ...[...root.querySelectorAll("*")].flatMap(one => one.shadowRoot ? rootsIn(one.shadowRoot) : [])];
  const all = selector => rootsIn(document).flatMap(root => [...root.querySelectorAll(selector)]);
  const textsIn = root => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = [];
    while (found.length < MOST_TEXTS && walker.nextNode()) if (/\S/.test(walker.currentNode.data)) found.push(walker.currentNode);
    return found;
  };
  const isShown = element => element.checkVisibility({opacityProperty: true, visibilityProperty: true});
  const nameOf = element => textsIn(element).filter(text => isShown(text.parentElement)).map(text => text.data).join(" ")
    .replace(/\s+/g, " ").trim().slice(0, MOST_NAME);
  const set = (element, name, value) => element.style.setProperty(name, value, "important");

  // What is visible: the size of each text in characters, and the parents of the texts and of all that is around them.
  const overlap = (one, other) => ({left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom)});
  const clipOf = (element, clips) => {
    if (!element || element === document.body) return {left: -scrollX, top: -scrollY, right: Infinity, bottom: Infinity};
    if (!clips.has(element)) {
      const outer = clipOf(parentOf(element), clips), {overflow} = getComputedStyle(element);
      const isClip = /hidden|clip/.test(overflow) || (overflow !== "visible" && element.clientHeight < 2);
      clips.set(element, isClip ? overlap(outer, element.getBoundingClientRect()) : outer);
    }
    return clips.get(element);
  };
  const look = () => {
    const seen = new Map(), parents = new Map(), clips = new Map(), range = document.createRange();
    for (const text of rootsIn(document.body).flatMap(textsIn).slice(0, MOST_TEXTS)) {
      const parent = text.parentElement;
      // The text of a closed part may be a child of what is visible.
      if (!parent || !isShown(parent) || parent.matches("details:not([open]), [hidden=until-found]")) continue;
      range.selectNodeContents(text);
      const box = range.getBoundingClientRect(), {left, top, right, bottom} = overlap(box, clipOf(parent, clips));
      if (!(right - left > 1 && bottom - top > 1)) continue;
      seen.set(text, {data: text.data, size: text.length * (bottom - top) / box.height});
      for (const node of pathOf(text, one => parents.has(one))) parents.set(node, parentOf(node));
    }
    return {seen, parents};
  };

  // What to click: what is new after these clicks is clicked in another round.
  const isTab = element => element.matches(TABS) || element.control?.type === "radio";
  const isOption = ({control: input}) => /radio|checkbox/.test(input?.type) && !input.checked && !input.form
    && (!isShown(input) || input.offsetWidth < 2 || input.getBoundingClientRect().right <= 0);
  const opens = element => {
    if (element.matches(":disabled, [aria-disabled=true]") || (element.ariaHasPopup ?? "false") !== "false") return false;
    if (element.localName === "summary") return !element.parentElement?.open;
    if (element.localName === "label") return isOption(element);
    if (element.matches(TABS)) return element.ariaSelected !== "true";
    if (element.matches(FOLDS)) return element.ariaExpanded !== "true";
    return /^(#|javascript:|$)/.test(element.getAttribute("href") ?? "") && isMore.test(nameOf(element));
  };
  const isBar = element => {
    const frame = element.closest("header, footer");
    return element.closest("dialog, [role=dialog]") || (frame && !frame.parentElement.closest("main, article, section"))
      || (!element.matches(TABS) && element.closest(BARS))
      || pathOf(element).some(one => getComputedStyle(one).position === "fixed" && one.offsetHeight < innerHeight / 2);
  };
  const isControl = element => element.isConnected && opens(element) && isShown(element) && !isBar(element);
  const clicked = new Set();
  let queue = all(CONTROLS).filter(isControl), round = 1;
  if (!queue.length) return false;
  const next = () => {
    while (clicked.size < mostClicks) {
      const element = queue.shift();
      if (element && isControl(element)) return element;
      if (element) continue;
      if (round++ >= ROUNDS) return null;
      queue = all(CONTROLS).filter(one => !clicked.has(one) && !start.parents.has(one) && isControl(one));
    }
    return null;
  };

  const stop = event => { event.preventDefault(); event.stopImmediatePropagation(); };
  const stay = event => {
    const {pathname} = new URL(event.destination.url), isDownload = event.downloadRequest !== null;
    if (!event.destination.sameDocument || isDownload || pathname !== location.pathname) stop(event);
  };
  addEventListener("submit", stop, true);
  navigation.addEventListener("navigate", stay);
  const OPTIONS = {bubbles: true, cancelable: true, composed: true, view: window};
  const press = element => {
    for (const type of ["pointerdown", "pointerup"]) {
      element.dispatchEvent(new PointerEvent(type, OPTIONS));
      element.dispatchEvent(new MouseEvent(type.replace("pointer", "mouse"), OPTIONS));
    }
    element.click();
  };

  // What opens over the page; what fills the window may have no text.
  const isLayer = one => {
    const {position, zIndex} = getComputedStyle(one);
    return position === "fixed" || (position === "absolute" && zIndex >= HIGH) || one.matches(LAYERS);
  };
  const middle = () => document.elementsFromPoint(innerWidth / 2, innerHeight / 2);
  const layerOf = text => pathOf(text.parentElement, one => one.contains(control)).filter(isLayer).at(-1);
  const layersIn = fresh => {
    const found = fresh.map(layerOf).filter(Boolean);
    const covers = middle().filter(one => !click.middle.includes(one) && getComputedStyle(one).position === "fixed");
    return [...new Set([...(2 * found.length > fresh.length ? found : []), ...covers])];
  };
  const KEY = {key: "Escape", code: "Escape", keyCode: 27, ...OPTIONS};
  const close = (layers, attempt) => {
    if (attempt === 0) {
      for (const type of ["keydown", "keyup"]) (document.activeElement ?? document).dispatchEvent(new KeyboardEvent(type, KEY));
      for (const layer of layers) if (layer.localName === "dialog") layer.close();
    } else if (attempt === 1) layers.forEach(layer => press(layer.querySelector(CLOSERS) ?? control));
    else {
      layers.forEach(layer => set(layer, "display", "none"));
      [document.documentElement, document.body].forEach((one, i) => { [one.className, one.style.cssText] = click.locks[i]; });
    }
  };

  // A part is what a click has shown: {root, texts, name, isTab, place, copy}. What goes by a click is listed with its text
  // (went), and comes back in the end. The page at the start and the parts are copied to a document that loads nothing.
  const inert = document.implementation.createHTMLDocument(), start = look(), parts = [], went = [], looks = new Map();
  const twins = new Map(), units = new Set(), restless = new Set(), tabs = new Map();
  const pair = (live, copy) => {
    twins.set(live, copy).set(copy, live);
    live.childNodes.forEach((child, i) => pair(child, copy.childNodes[i]));
  };
  pair(document.body, inert.importNode(document.body, true));
  const lookOf = element => LOOK.map(name => getComputedStyle(element).getPropertyValue(name));
  for (const one of start.parents.keys()) if (one.nodeType === 1) looks.set(one, lookOf(one));
  const placeOf = (node, as = one => one) => pathOf(node).filter(one => one.parentNode)
    .map(one => [as(one.parentNode), as(one.previousSibling)]);
  const isRestless = text => pathOf(text).some(one => restless.has(one));
  const {href} = location, position = {left: scrollX, top: scrollY, behavior: "instant"}, radios = all("input[type=radio]:checked");
  let control = null, before = start, click = {}, closings = 0;

  // What changes by itself, such as slides, is not shown by a click.
  const rest = after => {
    const homes = (texts, parents) => texts.map(text => parentOf(topOf(text, one => parents.has(one))));
    const shown = new Set(homes([...after.seen.keys()].filter(text => !start.seen.has(text)), start.parents));
    for (const home of homes([...start.seen.keys()].filter(text => !after.seen.has(text)), after.parents))
      if (shown.has(home) && home !== document.body) restless.add(home);
    for (const [text, {data}] of start.seen) if (text.data !== data) restless.add(text.parentElement);
  };
  const freshIn = after => [...after.seen].filter(([text, {data, size}]) => {
    const old = before.seen.get(text), isNew = start.seen.get(text)?.data !== data && old?.data !== data;
    return (isNew || size > old?.size + GROWN) && !control.contains(text) && !isRestless(text);
  }).map(([text]) => text);
  const keep = (after, fresh) => {
    if (!fresh.length && control.control?.type === "checkbox") control.control.checked = false;
    const isSame = ([text, {data}]) => after.seen.get(text)?.data === data;
    const gone = [...before.seen].filter(entry => !isSame(entry) && !click.own.has(entry[0]) && !isRestless(entry[0]));
    const lost = gone.filter(([text, {data}]) => !text.isConnected || text.data !== data).map(([text]) => {
      while (text && !text.isConnected) text = before.parents.get(text);
      return text;
    });
    const same = lost.length ? new Set([...before.seen].filter(isSame).flatMap(([text]) => pathOf(text))) : null;
    const rootOf = text => {
      // What gets other text in the same elements is one part, however many of them there are.
      const unit = same && topOf(text, one => same.has(one));
      if (!unit || unit.contains(control) || !lost.some(place => unit.contains(place)))
        return topOf(text, one => before.parents.has(one));
      units.add(unit);
      return unit;
    };
    for (const [root, texts] of Map.groupBy(fresh, rootOf))
      parts.push({root, texts: texts.map(text => [text, text.data]), ...click, place: placeOf(root), copy: inert.importNode(root, true)});
    for (const text of fresh) for (const one of pathOf(text.parentElement, one => one.contains(control))) looks.set(one, lookOf(one));
    // The short form of a text is in the long one.
    for (const [text, {data}] of isMore.test(click.name) ? [] : gone) {
      went.push([text, data]);
      if (!click.isTab || !start.seen.has(text) || tabs.has(text)) continue;
      tabs.set(text, {name: click.chosen, root: topOf(text, one => after.parents.has(one))});
    }
  };
  const step = () => {
    const after = look();
    if (!control) rest(after);
    else {
      const fresh = freshIn(after), layers = closings < MOST_CLOSINGS ? layersIn(fresh) : [];
      if (layers.length) { close(layers, closings++); return true; }
      if (!closings) keep(after, fresh.filter(text => !layerOf(text)));
    }
    control = next();
    if (!control) return false;
    clicked.add(control);
    [before, closings] = [after, 0];
    const chosen = control.control ? all("input:checked").find(one => one.name === control.control.name)?.labels?.[0]
      : control.closest("[role=tablist], ul, ol, div")?.querySelector("[aria-selected=true], .active");
    const locks = [document.documentElement, document.body].map(one => [one.className, one.style.cssText]);
    click = {name: nameOf(control), isTab: isTab(control), chosen: chosen ? nameOf(chosen) : "", own: new Set(textsIn(control)),
      middle: middle(), locks};
    press((click.isTab && control.querySelector("a, button")) || control);
    return true;
  };

  const isKept = ([text, data]) => text.isConnected && text.data === data;
  const show = text => {
    for (const one of pathOf(text.parentElement)) {
      if (one.localName === "details") { one.removeAttribute("name"); one.open = true; }
      const css = getComputedStyle(one), then = looks.get(one) ?? lookOf(one);
      const changed = LOOK.filter((name, i) => css.getPropertyValue(name) !== then[i]);
      for (const name of changed) set(one, name, then[LOOK.indexOf(name)]);
      if (one.clientHeight < 2) set(one, "height", "auto");
      if (!changed.length || css.position !== "absolute") continue;
      set(one, "position", "relative");  // panels that lie over each other come one after the other
      set(one, "inset", "auto");
    }
  };
  const placed = new Set(), put = new Map(), marks = [];
  const putBack = ({root, copy, place}) => {
    const [parent, previous] = place.find(([one]) => one?.isConnected) ?? [];
    if (!parent) return;
    const anchor = put.get(previous) ?? (previous?.parentNode === parent ? previous : null);
    let following = anchor ? anchor.nextSibling : parent.firstChild;
    while (placed.has(following)) following = following.nextSibling;
    parent.insertBefore(copy, following);
    placed.add(copy);
    textsIn(copy).forEach(show);
    if (!root.isConnected) put.set(root, copy);
  };
  const finish = () => {
    removeEventListener("submit", stop, true);
    navigation.removeEventListener("navigate", stay);
    radios.forEach(radio => { radio.checked = true; });
    if (location.href !== href) history.replaceState(history.state, "", href);
    scrollTo(position);
    const now = look().seen, named = new Map(), firsts = new Map();
    for (const entry of [...went, ...parts.flatMap(part => part.texts)]) {
      const [text, data] = entry, isFirst = start.seen.get(text)?.data === data, tab = isFirst ? tabs.get(text) : null;
      if (isKept(entry)) {
        if (!now.has(text)) show(text);
        if (tab) named.set(tab.root, tab.name);
      } else if (isFirst) {
        const path = [];
        for (let one = text; one; one = start.parents.get(one)) path.push(one);
        const first = path.find(one => units.has(one)) ?? path.filter(one => !one.isConnected).at(-1);
        if (twins.has(first)) firsts.set(first, tab?.name);
      }
    }
    for (const [root, name] of firsts) {
      const copy = twins.get(root);
      putBack({root, copy, place: placeOf(copy, one => twins.get(one))});
      if (name) named.set(copy, name);
    }
    for (const part of parts) {
      const isLost = part.texts.filter(isKept).length * 2 < part.texts.length, element = isLost ? part.copy : part.root;
      if (isLost) putBack(part);
      marks.push([element, part.name]);
      if (part.isTab) named.set(element, part.name);
    }
    // A tab is far from its panel: each has its name above it.
    for (const [element, name] of named) {
      if (nameOf(element.previousElementSibling ?? element) === name) continue;
      const line = document.createElement("p");
      marks.push([line, name]);
      line.append(document.createElement("strong"));
      line.firstChild.textContent = name;
      element.before(line);
    }
    return parts.length;
  };
  const mark = attribute => marks.forEach(([element, name]) => element.setAttribute(attribute, name));
  globalThis.blocksightParts = {step, finish, mark};
  return true;
})
