// What a person can see and use on a page, found without skua's walk: in the page's main world, with the command line API of the DevTools
// (getEventListeners), computed styles and hit tests. The value is {controls, texts, width, height}; see oracle.go.
(() => {
	const native =
		'a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,audio[controls],video[controls],[contenteditable=""],[contenteditable=true],[contenteditable=plaintext-only]';
	const roles = new Set(
		'button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem'.split(' '),
	);
	const presses = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup'];
	// Invisible characters and those of icon fonts say nothing.
	const tidy = (text) => (text ?? '').replace(/[\u200b-\u200f\ufeff\u00ad]|\p{Co}/gu, '').replace(/\s+/g, ' ').trim();

	// Relations across shadow roots.
	const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
	const lineage = (node) => {
		const found = [];
		for (let el = node; el; el = parentOf(el)) found.push(el);
		return found;
	};
	const holds = (outer, inner) => lineage(inner).includes(outer);

	// clipped is the part of a rectangle that the boxes around it leave, in the coordinates of its document's viewport. What can be scrolled to is
	// not clipped.
	const clipped = (el, box) => {
		let {left, top, right, bottom} = box;
		let away = false; // it has to be scrolled to
		const view = el.ownerDocument.defaultView;
		let fixed = getComputedStyle(el).position === 'fixed';
		for (let up = parentOf(el); up && up !== up.ownerDocument.documentElement && !fixed; up = parentOf(up)) {
			const style = getComputedStyle(up);
			fixed = style.position === 'fixed';
			if (up === up.ownerDocument.body || style.display === 'contents' || style.display === 'inline') continue;
			const edges = up.getBoundingClientRect();
			const scrolls = /auto|scroll/;
			const cuts = /hidden|clip/;
			if (scrolls.test(style.overflowX) || scrolls.test(style.overflowY)) {
				// It can be scrolled into the scroller, so the scroller is what has to be there; unless it lies before where scrolling begins.
				if (right <= edges.left - up.scrollLeft || bottom <= edges.top - up.scrollTop) return null;
				left = Math.max(left, edges.left), right = Math.min(right, edges.right), top = Math.max(top, edges.top), bottom = Math.min(bottom, edges.bottom);
				if (right <= left) left = edges.left, right = edges.right, away = true;
				if (bottom <= top) top = edges.top, bottom = edges.bottom, away = true;
				continue;
			}
			if (cuts.test(style.overflowX)) left = Math.max(left, edges.left), right = Math.min(right, edges.right);
			if (cuts.test(style.overflowY)) top = Math.max(top, edges.top), bottom = Math.min(bottom, edges.bottom);
			if (right - left < 2 || bottom - top < 2) return null;
		}
		const root = el.ownerDocument.documentElement;
		const wide = Math.max(root.scrollWidth, view.innerWidth);
		const high = Math.max(root.scrollHeight, el.ownerDocument.body?.scrollHeight ?? 0, view.innerHeight);
		if (fixed && (left >= view.innerWidth || top >= view.innerHeight || right <= 0 || bottom <= 0)) return null;
		if (right + view.scrollX <= 1 || bottom + view.scrollY <= 1 || left + view.scrollX >= wide - 1 || top + view.scrollY >= high - 1) return null;
		return right - left < 2 || bottom - top < 2 ? null : {left, top, right, bottom, away};
	};
	const isUnseen = (el) => {
		if (!el.checkVisibility({opacityProperty: true, visibilityProperty: true})) return true;
		return lineage(el).some((up) => {
			const {clip, clipPath, position} = getComputedStyle(up);
			return (clip !== 'auto' && /absolute|fixed/.test(position) && /rect\((0|1)px,? (0|1)px,? (0|1)px,? (0|1)px\)/.test(clip)) || /inset\((50|100)%/.test(clipPath);
		});
	};
	const isInView = (box, view) => box && !box.away && box.left < view.innerWidth && box.right > 0 && box.top < view.innerHeight && box.bottom > 0;

	// The elements at a point, the topmost first, with those in shadow roots.
	const stackAt = (doc, x, y) => {
		const found = [];
		const entered = new Set(); // a shadow root names its host, too
		const add = (root) => {
			entered.add(root);
			for (const el of root.elementsFromPoint(x, y)) {
				if (el.shadowRoot && !entered.has(el.shadowRoot)) add(el.shadowRoot);
				if (!found.includes(el)) found.push(el);
			}
		};
		add(doc);
		return found;
	};
	const points = (box, view) => {
		const left = Math.max(box.left, 0), right = Math.min(box.right, view.innerWidth), top = Math.max(box.top, 0), bottom = Math.min(box.bottom, view.innerHeight);
		return [[0.5, 0.5], [0.2, 0.3], [0.8, 0.7], [0.2, 0.7], [0.8, 0.3]].map(([x, y]) => [left + x * (right - left), top + y * (bottom - top)]);
	};
	// isHit tells that a click on the element reaches it, or something in it.
	const isHit = (el, box) => {
		const doc = el.ownerDocument;
		return points(box, doc.defaultView).some(([x, y]) => {
			const top = stackAt(doc, x, y)[0];
			return top && (holds(el, top) || top.closest('label')?.control === el);
		});
	};
	// isPainted tells that nothing opaque lies over what the element shows there.
	const isPainted = (el, box) => {
		const doc = el.ownerDocument;
		return points(box, doc.defaultView).slice(0, 1).every(([x, y]) => {
			for (const top of stackAt(doc, x, y)) {
				if (holds(el, top) || holds(top, el)) return true;
				const style = getComputedStyle(top);
				const alpha = /rgba\(.*,\s*([\d.]+)\)/.exec(style.backgroundColor)?.[1] ?? (style.backgroundColor.startsWith('rgb(') ? 1 : 0);
				if ((+alpha > 0.5 && +style.opacity > 0.5) || /^(IMG|CANVAS|VIDEO|IFRAME)$/.test(top.tagName)) return false;
			}
			return true;
		});
	};

	const roots = []; // documents and shadow roots
	const gather = (root, x, y) => {
		roots.push({root, x, y});
		for (const el of root.querySelectorAll('*')) {
			if (el.shadowRoot) gather(el.shadowRoot, x, y);
			if (el.tagName !== 'IFRAME' && el.tagName !== 'FRAME') continue;
			let inner = null;
			try {
				inner = el.contentDocument;
			} catch {}
			if (!inner?.body || isUnseen(el)) continue;
			const box = el.getBoundingClientRect();
			if (clipped(el, box)) gather(inner, x + box.left + el.clientLeft, y + box.top + el.clientTop);
		}
	};
	gather(document, 0, 0);

	const isModal = (el) => {
		const modal = el.ownerDocument.querySelector('dialog:modal');
		return modal && !holds(modal, el);
	};
	const isBarred = (el) =>
		isModal(el) || lineage(el).some((up) => up.inert || up.getAttribute?.('aria-disabled') === 'true') || el.matches(':disabled');
	const listens = (el) => {
		const all = typeof getEventListeners === 'function' ? getEventListeners(el) : {};
		return presses.some((kind) => all[kind]?.length);
	};

	const textOf = (el) => tidy(el.innerText) || tidy(el.textContent) || (el.shadowRoot ? tidy([...el.shadowRoot.children].map((c) => (/STYLE|SCRIPT/.test(c.tagName) ? '' : c.innerText ?? c.textContent)).join(' ')) : '');
	// A label's text, without those of the fields in it.
	const labelText = (label) => {
		const copy = label.cloneNode(true);
		for (const field of copy.querySelectorAll('select,textarea,option,script,style')) field.remove();
		return copy.textContent;
	};
	const namesOf = (el) => {
		const names = [];
		const add = (text) => {
			const name = tidy(text).slice(0, 300);
			if (name && !names.includes(name)) names.push(name);
		};
		const root = el.getRootNode();
		const by = (el.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
		add(by.map((id) => root.getElementById?.(id)?.textContent ?? '').join(' '));
		add(el.getAttribute('aria-label'));
		for (const label of el.labels ?? []) add(labelText(label));
		if (!/^(INPUT|SELECT|TEXTAREA)$/.test(el.tagName)) add(textOf(el)), add(el.textContent);
		if (el.tagName === 'INPUT' && /^(button|submit|reset)$/.test(el.type)) add(el.value), add({submit: 'Submit', reset: 'Reset'}[el.type]);
		for (const image of el.matches('img,[alt]') ? [el] : el.querySelectorAll('img[alt],[aria-label],svg title,[title]')) add(image.getAttribute('alt')), add(image.getAttribute('aria-label')), add(image.getAttribute('title')), add(image.tagName === 'title' ? image.textContent : '');
		for (const attribute of ['title', 'alt', 'placeholder', 'label', 'aria-placeholder', 'headline']) add(el.getAttribute(attribute));
		return names.slice(0, 10);
	};
	const implied = {A: 'link', AREA: 'link', BUTTON: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', SUMMARY: 'DisclosureTriangle'};
	const kinds = {checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', color: 'ColorWell', button: 'button', submit: 'button', reset: 'button', image: 'button'};
	const roleOf = (el) => {
		const role = (el.getAttribute('role') ?? '').trim().split(/\s+/)[0];
		if (role) return role;
		if (el.tagName === 'INPUT') return kinds[el.type] ?? 'textbox';
		if (el.isContentEditable) return 'textbox';
		if (el.tagName === 'A' && !el.hasAttribute('href')) return 'generic';
		return implied[el.tagName] ?? 'generic';
	};
	const kindOf = (el) => {
		if (el.matches(native)) return 'native';
		if (roles.has(roleOf(el))) return 'role';
		if (el.hasAttribute('tabindex') && el.tabIndex >= 0) return 'focusable';
		return listens(el) ? 'listener' : '';
	};

	const found = [];
	for (const {root, x, y} of roots) {
		for (const el of root.querySelectorAll('*')) {
			if (!(el instanceof el.ownerDocument.defaultView.HTMLElement || el instanceof el.ownerDocument.defaultView.SVGElement)) continue;
			if (/^(HTML|BODY|SCRIPT|STYLE|LABEL|OPTION|IFRAME|SLOT)$/.test(el.tagName)) continue;
			const kind = kindOf(el);
			if (kind) found.push({el, kind, x, y});
		}
	}
	// Only what is said to be a control can hold others; what merely listens or takes the focus is then their container.
	const all = new Set(found.map((f) => f.el));
	const outer = new Set();
	for (const el of all) for (const up of lineage(el).slice(1)) if (all.has(up)) outer.add(up);
	const strong = new Set(found.filter((f) => f.kind === 'native' || f.kind === 'role').map((f) => f.el));

	const controls = [];
	for (const {el, kind, x, y} of found) {
		const view = el.ownerDocument.defaultView;
		const weak = kind === 'listener' || kind === 'focusable';
		if (weak && (outer.has(el) || lineage(el).slice(1).some((up) => strong.has(up)))) continue;
		if (!weak && lineage(el).slice(1).some((up) => up.tagName === 'BUTTON' || (up.tagName === 'A' && up.href && !el.matches('button,input,select,textarea,a')))) continue;
		if (el.isContentEditable && el.parentElement?.isContentEditable && kind !== 'native') continue;
		if (isBarred(el)) continue;
		const byLabel = /^(checkbox|radio|file)$/.test(el.type) ? [...(el.labels ?? [])] : []; // a click on it is one on the control, seen or not
		const boxes = [el, ...byLabel].map((one) => {
			if (isUnseen(one)) return null;
			let rect = one.getBoundingClientRect();
			if (rect.width < 2 || rect.height < 2) rect = [...one.getClientRects(), ...[...one.children].map((c) => c.getBoundingClientRect())].find((r) => r.width >= 2 && r.height >= 2) ?? rect;
			if (getComputedStyle(one).display === 'contents') return null;
			const box = rect.width >= 2 && rect.height >= 2 ? clipped(one, rect) : null;
			if (!box) return null;
			const inView = isInView(box, view);
			if (inView && !isHit(one, box)) return null;
			return {box, inView};
		});
		const seen = boxes.find(Boolean);
		if (!seen) continue;
		const area = (seen.box.right - seen.box.left) * (seen.box.bottom - seen.box.top);
		if (weak && area > 0.5 * view.innerWidth * view.innerHeight) continue;
		controls.push({
			kind, role: roleOf(el), names: namesOf(el), inView: !!seen.inView, hidden: lineage(el).some((up) => up.getAttribute?.('aria-hidden') === 'true'),
			box: [seen.box.left + x, seen.box.top + y, seen.box.right - seen.box.left, seen.box.bottom - seen.box.top].map(Math.round), html: el.outerHTML.replace(/\s+/g, ' ').slice(0, 180),
		});
	}

	// A person reads the pieces of a paragraph, such as words in bold, as one text.
	const blocks = new Map();
	const blockOf = (el) => {
		let up = el;
		while (parentOf(up) && /^(inline|contents)$/.test(getComputedStyle(up).display)) up = parentOf(up);
		if (!blocks.has(up)) blocks.set(up, blocks.size + 1);
		return blocks.get(up);
	};

	const texts = [];
	const seenText = (el, rects, text, size) => {
		const view = el.ownerDocument.defaultView;
		for (const rect of rects) {
			if (rect.width < 3 || rect.height < 3) continue;
			const box = clipped(el, rect);
			if (!box || !isInView(box, view)) continue;
			const shown = (Math.min(box.right, view.innerWidth) - Math.max(box.left, 0)) * (Math.min(box.bottom, view.innerHeight) - Math.max(box.top, 0));
			if (shown < 0.5 * rect.width * rect.height && shown < 200 || shown < 16) continue;
			if (!isPainted(el, box)) continue;
			texts.push({text: text.slice(0, 400), block: blockOf(el), size, hidden: lineage(el).some((up) => up.getAttribute?.('aria-hidden') === 'true'), html: el.outerHTML.replace(/\s+/g, ' ').slice(0, 120)});
			return;
		}
	};
	const around = (text) => text.assignedSlot ?? text.parentElement ?? text.getRootNode().host;
	// The element that draws a text: a slot has no box itself.
	const drawnIn = (text) => {
		let el = around(text);
		while (parentOf(el) && getComputedStyle(el).display === 'contents') el = parentOf(el);
		return el;
	};
	// What is in a closed details element hides the slot of the browser's own shadow tree, which no script can ask.
	const isFolded = (text) => {
		const outer = lineage(around(text));
		return outer.some((el, i) => el.tagName === 'DETAILS' && !el.open && outer[i - 1]?.tagName !== 'SUMMARY');
	};
	for (const {root} of roots) {
		const walker = root.ownerDocument?.createTreeWalker(root, NodeFilter.SHOW_TEXT) ?? document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
		for (let node = walker.nextNode(); node; node = walker.nextNode()) {
			const text = tidy(node.data);
			if (text.length < 2 || !/[\p{L}\p{N}]/u.test(text) || /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|OPTION|TEXTAREA|TITLE)$/i.test(around(node)?.tagName ?? 'TITLE')) continue;
			const el = drawnIn(node);
			const style = getComputedStyle(el);
			if (parseFloat(style.fontSize) <= 12 || /rgba\(.*,\s*0(\.0\d*)?\)/.test(style.color) || isUnseen(el) || isFolded(node)) continue;
			const range = el.ownerDocument.createRange();
			range.selectNodeContents(node);
			seenText(el, range.getClientRects(), text, parseFloat(style.fontSize));
		}
		for (const el of root.querySelectorAll('input,textarea,select')) {
			if (/^(hidden|checkbox|radio|range|color|file|password|image)$/.test(el.type) || isUnseen(el) || parseFloat(getComputedStyle(el).fontSize) <= 12) continue;
			const text = tidy(el.tagName === 'SELECT' ? (el.size > 1 || el.multiple ? '' : el.selectedOptions[0]?.label) : el.value || el.placeholder);
			if (text.length > 1) seenText(el, [el.getBoundingClientRect()], text, parseFloat(getComputedStyle(el).fontSize));
		}
	}
	return {controls, texts, width: innerWidth, height: innerHeight};
})()
