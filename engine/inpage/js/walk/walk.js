// The walk: the whole document as lines, one a node, in the order of the flat tree. The form of the lines is described in doc.go.

import { aboutLine } from './about.js';
import { firstElementOfTreeGet, getRootNodeOf, nextElementGet, queryAllOf } from '../dom/builtins.js';
import { boxBehind, hasPointer, HINTS, hintsOf } from '../ax/clickable.js';
import { isInline, leafText } from '../ax/content.js';
import { Digest } from './digest.js';
import { Descent } from '../dom/descent.js';
import { children, composedParent, elementRoot, focusedPart, isElement, queryAll, shadowOf, takeAsFlat } from '../dom/dom.js';
import { embeddedRole, isAwaited } from './embedded.js';
import { explicitRole } from '../ax/explicitrole.js';
import { attrOf, computedOf, factsOf, isLeaf, remembering, rootOf, saidBy } from '../dom/facts.js';
import { drawsPicture, generatedAfter, generatedBefore, locksContents } from '../dom/generated.js';
import { hasOwnText, isIncluded, isRedundantLabel, isRefWorthy, isSilent } from '../ax/included.js';
import { INTERACTIVE_ROLES } from '../ax/interactiveroles.js';
import { beginInternals, suspectInternals } from '../ax/internals.js';
import { ANNOUNCING, CHILDLESS, FALLBACKS, GAUGES, ITEMS, PLACES, SKIPPED, UNDRAWN, UNTOLD } from '../dom/kinds.js';
import { Lines, SPARE, TEXT_ROLE } from './lines.js';
import { locate } from '../find/locate.js';
import { exactName, isLabelled, nameOfFacts } from '../ax/name.js';
import { isTextField } from '../ax/native.js';
import { ops } from '../dom/ops.js';
import { ariaLevel, headingLevel, listsAround, ownedElements } from '../ax/order.js';
import { hasParts, isControlTag, mayHost, suspectAround, suspectControl, suspectHost, suspectNobody } from '../ax/pierce.js';
import { sight, View } from '../find/refs.js';
import { isRichOption, isRichSelect, semanticRole } from '../ax/role.js';
import { partsOf } from '../dom/roots.js';
import { locateLines } from './screen.js';
import { tellShutOut } from './shutout.js';
import { skim } from './skim.js';
import { isSelfDisabled, token } from '../ax/state.js';
import { escaped, isSecret, stateFields } from '../ax/states.js';
import { lookAtAll } from '../dom/styles.js';
import { drawnOrder } from '../ax/table.js';
import { elementOf, tokenOf } from '../dom/tokens.js';
import { nameVeil } from './nameveil.js';
import { beginLooking, frameVeil } from './unseen.js';
import { SEEN } from './veils.js';
import { Within } from './within.js';
import { ABSENT, INVISIBLE, isHiddenByARIA, isShutOff, modalElement, optionOwner, rendering, SHOWN } from '../dom/visibility.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Generated } from '../dom/generated.js'
 * @import { Target } from '../find/locate.js'
 * @import { RootStyles } from '../dom/styles.js'
 */

/**
 * @typedef {Object} WalkArg
 * @property {boolean} [interactive]  only what can be acted on, and where that is
 * @property {Target} [scope]         only this part of the page
 * @property {number} [until]         the token of an element: not only the scope, but all from there to the end of this one
 * @property {boolean} [urls]         say where links lead, which takes a tenth of the time
 * @property {boolean} [boxes]        say where elements are
 * @property {number} [fold]          how many screens high the view is taken to be
 * @property {boolean} [words]        with interactive: the texts, too, and what groups them
 * @property {boolean} [about]        say first what the document says of itself
 * @property {string} [search]        say also which text that contains this is seen and is out of the tree
 * @property {number} [viewFrom]      say what is in view, if the walk has at least so many lines
 */
ops.walk = (/** @type {WalkArg} */ arg = {}) =>
  remembering(() => {
    suspectNobody();
    beginInternals();
    const walk = new Walk(arg);
    const about = arg.about === true ? aboutLine() : '';
    if (!arg.scope) return about + walk.run();
    const found = locate(arg.scope);
    if ('error' in found) return { error: found.error };
    return about + walk.run(found.el, arg.until === undefined ? found.el : elementOf(arg.until));
  });

// A name of nothing but characters of an icon font says nothing.
const SAYS_SOMETHING = /[^\p{Co}\s]/u;

export class Walk extends Lines {
  /** @param {WalkArg} arg */
  constructor(arg) {
    super();
    lookAtAll();
    this.full = arg.interactive !== true;
    this.wants = {
      boxes: arg.boxes === true,
      viewFrom: arg.viewFrom ?? Infinity,
      fold: arg.fold ?? 1,
      urls: arg.urls === true,
      search: arg.search ?? '',
    };
    this.focused = focusedPart();
    this.focusChain = chainOf(this.focused);
    /** @type {Map<string, Map<string, number>>} how often a name has been seen, by role */
    this.counts = new Map();
    this.descent = new Descent(); // the elements that the walk is in
    this.owned = ownedElements();
    this.owns = ownersOf(this.owned);
    /** @type {Element|null} the owned element that is visited where it is owned */
    this.adopting = null;
    this.lists = 0; // lists around
    this.groups = 0; // groups around, within a tree
    this.disabled = false; // whether what can be focused is disabled by what it is in
    this.silent = 0; // text is not written: it is that of a field's value or of a label
    /** @type {Element|null} */
    this.scope = null;
    this.digest = this.full || arg.words !== true ? null : new Digest(this);
    /** @type {Element|null} the last element to write down; null: there is no such end */
    this.until = null;
    this.base = 0; // the depth of the first line
    this.view = new View();
    beginLooking();
  }

  /**
   * @param {Element} [scope] the first element to write down; the rest is counted
   * @param {Element|null} [until] the last one
   * @returns {string}
   */
  run(scope, until = scope) {
    if (scope) {
      this.scope = scope;
      this.until = until ?? null;
      this.emitting = false;
    }
    takeAsFlat(!this.view.mark());
    const modal = modalElement();
    const top = modal ?? elementRoot();
    if (top) this.visit(factsOf(top), 0);
    this.descent.run();
    this.flush();
    this.digest?.lineless(modal);
    if (this.wants.search !== '') tellShutOut(this, this.wants.search, { scope: this.scope, modal });
    this.view.close();
    const { base, depths, lines, roles } = this;
    locateLines(this, { boxes: this.wants.boxes, view: lines.length >= this.wants.viewFrom, fold: this.wants.fold });
    this.digest?.tell(this);
    return lines.map((line, i) => Math.max(0, depths[i] - base) + '\t' + roles[i] + line).join('\n');
  }

  /**
   * Has a function called when the walk has left what is entered from here on.
   * @param {() => void} leave
   */
  onLeave(leave) {
    this.descent.onLeave(leave);
  }

  /**
   * Looks at an element. What is in it comes when the descent gets there.
   * @param {Facts} facts
   * @param {number} depth
   */
  visit(facts, depth) {
    const { el } = facts;
    if (el === this.scope) {
      this.emitting = true;
      this.base = depth;
    }
    if (this.scope !== null && el === this.until)
      this.onLeave(() => {
        this.flush();
        this.emitting = false;
      });
    this.look(facts, depth);
  }

  /** @param {Facts} facts @param {number} depth */
  look(facts, depth) {
    if (facts.html ? SKIPPED.has(facts.tag) : UNDRAWN.has(facts.tag)) return;
    if (this.isOut(facts)) {
      if (this.emitting) this.digest?.unheard.add(facts);
      return;
    }
    const shown = this.inCanvas ? renderingInCanvas(facts) : rendering(facts);
    if (shown === ABSENT) {
      suspectAround(facts);
      return;
    }
    if (facts.html && facts.tag.includes('-')) suspectInternals(facts.el, facts.tag);
    if (shown === INVISIBLE && facts.tag === 'select') return; // its options have no visibility of their own
    const { disabled } = this;
    if (!facts.plain || facts.tag === 'button') this.disable(facts);
    if (this.disabled !== disabled) this.onLeave(() => (this.disabled = disabled));
    if (shown === INVISIBLE) this.inside(facts, depth, false);
    else if (facts.html && facts.tag === 'br') this.flush();
    else {
      if (this.digest !== null && facts.html && facts.tag === 'label') this.digest.words.enterLabel(facts);
      this.see(facts, depth);
    }
  }

  /**
   * Whether an attribute or a style takes the element and all in it out of the tree, or puts it elsewhere.
   * @param {Facts} facts
   */
  isOut(facts) {
    const { el } = facts;
    if (isShutOff(facts)) return true;
    if (isHiddenByARIA(facts) && !this.focusChain.has(el)) return true;
    return this.owned !== null && this.owned.has(el) && this.adopting !== el;
  }

  /** @param {Facts} facts */
  disable(facts) {
    const aria = token(facts, 'aria-disabled');
    if (aria !== null) this.disabled = aria !== 'false';
    else if (attrOf(facts, 'disabled') !== null && isSelfDisabled(facts)) this.disabled = true;
  }

  /**
   * An element that is shown: its line, if it gets one, and what is in it.
   * @param {Facts} facts
   * @param {number} depth
   */
  see(facts, depth) {
    const role = this.digest !== null && facts.html && facts.tag === 'embed' ? embeddedRole(facts) : semanticRole(facts);
    const hints = hintsOf(facts);
    const box = facts.tag === 'label' || hints !== 0 ? boxBehind(facts) : null;
    if (box !== null) this.emit(facts, semanticRole(factsOf(box)), hints, depth);
    else if (role === 'generic' || role === 'none') {
      if (hints !== 0 || (this.full && role === 'generic' && (!facts.plain || isLabelled(facts)) && nameOfFacts(facts) !== ''))
        this.emit(facts, role, hints, depth);
      else this.pass(facts, depth);
    } else if (role === 'RubyAnnotation') return;
    else if (role === 'LabelText' && isRedundantLabel(facts)) this.inside(facts, depth, true);
    else if (role.startsWith('LayoutTable') && hints === 0) this.pass(facts, depth);
    else if (this.full ? hints !== 0 || isIncluded(facts, role) : this.isPlace(role) || isRefWorthy(facts, role, hints))
      this.emit(facts, role, hints, depth);
    else {
      if (role === 'Canvas') this.digest?.picture(facts, depth);
      this.enter(facts, role, this.group(facts, depth));
    }
  }

  /** @param {string} role */
  isPlace(role) {
    return PLACES.has(role) || ITEMS.has(role) || (this.digest !== null && (ANNOUNCING.has(role) || GAUGES.has(role)));
  }

  /**
   * A container without meaning. It separates texts if it is a block, and groups its contents if they include text.
   * @param {Facts} facts
   * @param {number} depth
   */
  pass(facts, depth) {
    if (!this.full || isInline(facts)) {
      this.inside(facts, this.group(facts, depth), true);
      return;
    }
    this.flush();
    const at = this.lines.length;
    this.onLeave(() => {
      this.flush();
      if (this.lines.length > at + 1 && facts.tag !== 'body' && facts.tag !== 'html' && hasOwnText(facts.el)) this.wrap(at, depth);
    });
    this.inside(facts, depth, true);
  }

  /**
   * Enters an element without a line of its own: a digest has a line around what is in it where that belongs together.
   * @param {Facts} facts
   * @param {number} depth
   * @returns {number} the depth of what is in it
   */
  group(facts, depth) {
    const { digest } = this;
    const role = digest === null ? null : digest.groupOf(facts);
    return digest === null || role === null ? depth : digest.surround(facts, role, depth);
  }

  /** @param {Facts} facts @param {string} role @param {number} hints @param {number} depth */
  emit(facts, role, hints, depth) {
    this.flush();
    // The names of items are their whole text, and only the tree of all shows them.
    const name = this.full || hints !== 0 || role !== 'row' ? nameOfFacts(facts) : '';
    const at = this.lines.length;
    this.line(facts, role, name, hints, depth);
    this.onLeave(() => {
      this.flush();
      if (this.full && this.emitting) this.prune(facts, role, name, at);
    });
    if (this.digest === null) this.enter(facts, role, depth + 1);
    else this.digest.enter(facts, role, UNTOLD.has(role) ? this.digest.words.told : name, depth + 1);
  }

  /** @param {Facts} facts @param {string} role @param {string} name @param {number} hints @param {number} depth */
  line(facts, role, name, hints, depth) {
    const ref = isRefWorthy(facts, role, hints);
    let nth = 0;
    let token = 0;
    if (ref) {
      ({ token } = sight(facts, role, name, this.view)); // also out of scope: it may be an equal of what is in it
      let names = this.counts.get(role);
      if (names === undefined) this.counts.set(role, (names = new Map()));
      nth = names.get(name) ?? 0;
      names.set(name, nth + 1);
    }
    if (!this.emitting) return;
    // A place without a ref gets one when it stands for texts that are not shown.
    const spare = !ref && this.digest !== null && (PLACES.has(role) || ANNOUNCING.has(role));
    if (spare) token = tokenOf(facts.el);
    let line = '\t' + (ref || spare ? token : '') + '\t' + boundedName(name);
    if (name !== '' && exactName(facts) !== '') line += '\texact=' + escaped(boundedName(exactName(facts)));
    if (spare) line += SPARE;
    const states = stateFields(facts, role, {
      level: this.level(facts, role),
      disabled: this.disabled,
      focused: this.focused,
      name,
      urls: this.wants.urls,
    });
    line += states;
    if (this.digest !== null) line += this.digest.fieldsOf(facts, states, ref && !SAYS_SOMETHING.test(name) && !UNTOLD.has(role));
    if (nth > 0) line += '\tnth=' + nth;
    if (hints !== 0) line += '\thints=' + HINTS[hints];
    if (isSecret(facts)) line += '\tsecret=true';
    if (role === 'Iframe' && this.digest !== null && isAwaited(facts.el)) line += '\tawaited=true';
    const veil = this.veilOfLine(facts, role, name, hints);
    if (veil !== SEEN) line += '\tunseen=' + veil;
    this.push(depth, role, line, facts);
  }

  /**
   * Why what a line says is not seen.
   * @param {Facts} facts
   * @param {string} role
   * @param {string} name
   * @param {number} hints
   */
  veilOfLine(facts, role, name, hints) {
    if (role === 'Iframe') return frameVeil(facts);
    if (name === '' || this.inCanvas) return SEEN;
    return nameVeil(facts, role, hints !== 0 || INTERACTIVE_ROLES.has(role));
  }

  /** @param {Facts} facts @param {string} role */
  level(facts, role) {
    switch (role) {
      case 'heading':
        return headingLevel(facts);
      case 'listitem':
        return ariaLevel(facts) || Math.max(1, this.full ? this.lists : listsAround(facts, this.owned));
      case 'comment':
        return ariaLevel(facts) || 1;
      case 'treeitem':
        return ariaLevel(facts) || this.groups + 1;
    }
    return role === 'row' ? ariaLevel(facts) : 0;
  }

  /**
   * What is in an element of this role, with the levels counted that items in it have.
   * @param {Facts} facts
   * @param {string} role
   * @param {number} depth
   */
  enter(facts, role, depth) {
    if (role === 'list' || role === 'group' || role === 'tree') {
      const { lists, groups } = this;
      this.onLeave(() => {
        this.lists = lists;
        this.groups = groups;
      });
      if (role === 'list') this.lists++;
      else this.groups = role === 'group' ? groups + 1 : 0;
    }
    this.inside(facts, depth, true);
  }

  /**
   * Takes back lines that say nothing: text that the name of its parent repeats, and empty paragraphs.
   * @param {Facts} facts
   * @param {string} role
   * @param {string} name
   * @param {number} at
   */
  prune(facts, role, name, at) {
    const { lines, roles } = this;
    const added = lines.length - at;
    const repeats =
      added === 2 &&
      name !== '' &&
      roles[at + 1] === TEXT_ROLE &&
      isNamed(lines[at + 1], name) &&
      isMarked(lines[at]) === isMarked(lines[at + 1]);
    if (repeats || (added === 1 && role === 'paragraph' && name === '' && hintsOf(facts) === 0)) this.pop();
  }

  /**
   * @param {boolean} texts whether the element's own text is shown
   * @param {Facts} facts
   * @param {number} depth
   */
  inside(facts, depth, texts) {
    const { el, tag } = facts;
    if (locksContents(facts)) return;
    if (facts.html) {
      if (isControlTag(tag) && this.parts(facts, depth)) return;
      if (tag === 'option') this.option(facts, depth);
      if (CHILDLESS.has(tag)) return;
      if (tag === 'select') {
        this.options(el, depth);
        return;
      }
      if (tag === 'img') {
        this.areas(facts, depth);
        return;
      }
      if (isLeaf(facts) && !(this.full && drawsPicture(facts))) {
        if (mayHost(tag)) suspectHost(el, tag);
        if (this.full && texts && this.silent === 0 && !FALLBACKS.has(tag) && !isTextField(facts))
          this.addText(leafText(facts, false), depth, facts);
        if (this.digest !== null && texts && !FALLBACKS.has(tag) && !isTextField(facts))
          this.digest.words.add(leafText(facts, false), el, tag, depth);
        if (this.owns !== null) this.adopt(facts, depth);
        return;
      }
    }
    if (this.full && isSilent(facts)) this.hush();
    if (tag === 'canvas') {
      const { undrawn } = this;
      this.undrawn = true;
      this.onLeave(() => {
        this.flush();
        this.undrawn = undrawn;
      });
      this.canvas(facts, depth);
    } else this.nodes(facts, depth, texts);
  }

  /** Writes no text until the walk has left what is entered now. */
  hush() {
    this.silent++;
    this.onLeave(() => this.silent--);
  }

  /** @param {Facts} facts @param {number} depth @param {boolean} texts */
  nodes(facts, depth, texts) {
    const drawn = drawnOrder(facts);
    if (drawn !== null) {
      this.flush();
      const elements = /** @type {Element[]} */ (drawn.filter(isElement));
      this.descent.enter(elements, (el) => this.visit(factsOf(el), depth));
      return;
    }
    if (this.owns !== null) this.onLeave(() => this.adopt(facts, depth));
    if (!this.full && !this.inCanvas) {
      const root = rootOf(facts);
      skim(this, facts.el, facts.tag, root, depth, root.isClosed && hasPointer(facts), facts);
      return;
    }
    if (facts.html && facts.tag.includes('-') && shadowOf(facts.el) === null) suspectHost(facts.el, facts.tag);
    const text = this.full && texts && this.silent === 0;
    if (text) {
      this.addGenerated(generatedBefore(facts), depth, facts);
      const after = generatedAfter(facts);
      if (after !== null) this.onLeave(() => this.addGenerated(after, depth, facts));
    }
    this.descent.frames.push(new Within(this, facts, depth, text));
  }

  /**
   * The parts of a control that people use one by one. Their texts are the control's value.
   * @param {Facts} facts
   * @param {number} depth
   * @returns {boolean} whether that is all that is in it
   */
  parts(facts, depth) {
    if (!hasParts(facts)) return false;
    const root = partsOf(facts.el);
    if (root === null) {
      suspectControl(facts.el);
      return false;
    }
    const elements = [];
    for (let el = firstElementOfTreeGet.call(root); el !== null; el = nextElementGet.call(el)) elements.push(el);
    this.hush();
    this.descent.enter(elements, (el) => this.visit(factsOf(el), depth));
    return true;
  }

  /**
   * The elements that aria-owns brings here.
   * @param {Facts} facts
   * @param {number} depth
   */
  adopt(facts, depth) {
    const elements = saidBy(facts, 'aria-owns') === null ? undefined : this.owns?.get(facts.el);
    if (elements === undefined) return;
    const adopt = (/** @type {Element} */ el) => {
      this.flush();
      this.adopting = el;
      this.visit(factsOf(el), depth);
      this.adopting = null;
    };
    this.descent.enter(elements, adopt);
  }

  /** @param {Facts} facts @param {number} depth */
  canvas(facts, depth) {
    const { inCanvas } = this;
    this.inCanvas = true;
    this.onLeave(() => (this.inCanvas = inCanvas));
    this.nodes(facts, depth, true);
  }

  /**
   * Options stand directly below their select; while it is closed they have no boxes, and are in the tree nevertheless.
   * @param {Element} parent
   * @param {number} depth
   */
  options(parent, depth) {
    const elements = /** @type {Element[]} */ (children(parent).filter(isElement));
    this.descent.enter(elements, (el) => this.inSelect(el, parent, depth));
  }

  /** @param {Element} el @param {Element} parent @param {number} depth */
  inSelect(el, parent, depth) {
    const facts = factsOf(el);
    if (facts.tag === 'option') this.emit(facts, semanticRole(facts), 0, depth);
    else if (facts.tag === 'hr') {
      if (this.full && computedOf(facts).display !== 'none') this.emit(facts, semanticRole(facts), 0, depth);
    } else if (this.full && facts.tag === 'legend') {
      if (isRichSelect(optionOwner(parent))) this.emit(facts, semanticRole(facts), 0, depth);
    } else if (this.full && (facts.tag === 'optgroup' || explicitRole(facts) === 'group')) {
      this.flush();
      this.line(facts, 'group', nameOfFacts(facts), 0, depth);
      this.options(el, depth + 1);
    } else this.options(el, depth);
  }

  /**
   * What an option of a select that the page draws holds besides text, which is its name. While the list is closed, it has no boxes.
   * @param {Facts} facts
   * @param {number} depth
   */
  option(facts, depth) {
    if (!this.full || !isRichOption(facts)) return;
    this.hush();
    this.canvas(facts, depth);
  }

  /**
   * The areas of an image map stand below the image.
   * @param {Facts} facts
   * @param {number} depth
   */
  areas(facts, depth) {
    const usemap = saidBy(facts, 'usemap');
    if (usemap === null) return;
    const map = queryAll(getRootNodeOf.call(facts.el), `map[name="${CSS.escape(usemap.replace(/^#/, ''))}"]`)[0];
    const areas = map ? Array.from(queryAllOf.call(map, 'area')) : [];
    const link = (/** @type {Element} */ area) => {
      const inner = factsOf(area);
      if (semanticRole(inner) === 'link') this.emit(inner, 'link', 0, depth);
    };
    this.descent.enter(areas, link);
  }

  /** Writes the texts so far. */
  flush() {
    if (this.digest !== null) this.digest.words.flush();
    super.flush();
  }
}

/**
 * The elements that each owner takes to itself; null where there are no owners.
 * @param {Map<Element, Element>|null} owned
 */
function ownersOf(owned) {
  if (owned === null) return null;
  /** @type {Map<Element, Element[]>} */
  const owns = new Map();
  for (const [el, owner] of owned) {
    const elements = owns.get(owner);
    if (elements === undefined) owns.set(owner, [el]);
    else elements.push(el);
  }
  return owns;
}

/** @param {string} line @param {string} text */
function isNamed(line, text) {
  return line.split('\t', 3)[2] === text;
}

/**
 * Whether the line is marked as not visible.
 * @param {string} line
 */
function isMarked(line) {
  return line.includes('\tunseen=');
}

/** @param {Element} el */
function chainOf(el) {
  const chain = new Set();
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) chain.add(node);
  return chain;
}

/** @param {Facts} facts */
function renderingInCanvas(facts) {
  const style = computedOf(facts);
  if (style.display === 'none') return ABSENT;
  return style.visibility === 'visible' ? SHOWN : INVISIBLE;
}

// A page may write megabytes where a name is; what is longer is cut in the text of the walk, and says how long it was.
const MOST_NAME = 1000;

/** @param {string} name */
function boundedName(name) {
  return name.length <= MOST_NAME ? name : `${name.slice(0, MOST_NAME)}… (${name.length.toLocaleString('en-US')} characters)`;
}
