// What the commands ask of the hook. It is sent with each question, and leaves nothing in the page.
(op, arg) => {
	const hook = globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__;
	const own = hook?.__skua;
	if (!own) return { error: 'hook' };
	if (op === 'start') { own.start(); return {}; }
	if (op === 'stop') return own.stop() ?? { error: 'recording' };
	if (!own.renderers.size) return { error: 'renderer' };
	const most = 20000;
	const shownTags = new Set([0, 1, 2, 3, 5, 11, 13, 14, 15, 26, 27]); // components, root, host elements, Suspense
	// A fiber and its alternate are one element, so that they share a number.
	const number = f => {
		let n = own.numbers.get(f) ?? (f.alternate && own.numbers.get(f.alternate));
		if (!n) n = ++own.last;
		own.numbers.set(f, n);
		own.ids.set(n, new WeakRef(f));
		return n;
	};
	const current = f => { // of a fiber and its alternate, the one that is in the tree
		for (let p = f; ; p = p.return) {
			if (!p.return) return p.stateNode?.current === p ? f : f.alternate ?? f;
			if (p.return.child) { let c = p.return.child; while (c && c !== p) c = c.sibling; if (!c) return f.alternate ?? f; }
		}
	};
	const short = (v, deep = 0) => {
		if (v === null || typeof v === 'number' || typeof v === 'boolean' || v === undefined) return String(v);
		if (typeof v === 'string') return JSON.stringify(v.length > 200 ? `${v.slice(0, 200)}…` : v);
		if (typeof v === 'function') return v.name ? `${v.name}()` : '() => {}';
		if (typeof v !== 'object') return String(v);
		if (v.$$typeof) { const t = v.type; return `<${typeof t === 'string' ? t : t?.displayName || t?.name || t?.type?.name || (typeof t === 'symbol' ? t.description.replace(/^react\./, '') : '…')} />`; }
		if (v instanceof Node) return `<${v.nodeName.toLowerCase()}>`;
		if (Array.isArray(v)) return deep > 1 ? `Array(${v.length})` : `[${v.slice(0, 10).map(x => short(x, deep + 1)).join(', ')}${v.length > 10 ? ', …' : ''}]`;
		const keys = Object.keys(v);
		if (deep > 1) return `{${keys.slice(0, 3).join(', ')}${keys.length > 3 ? ', …' : ''}}`;
		return `{${keys.slice(0, 10).map(k => { let x; try { x = short(v[k], deep + 1); } catch { x = '?'; } return `${k}: ${x}`; }).join(', ')}${keys.length > 10 ? ', …' : ''}}`;
	};
	const each = fn => {
		let seen = 0;
		const walk = (f, depth, parent) => {
			for (; f && seen < most; f = f.sibling) {
				const shows = shownTags.has(f.tag);
				if (shows) { seen++; fn(f, depth, parent); }
				walk(f.child, shows ? depth + 1 : depth, shows ? f : parent);
			}
		};
		for (const root of own.roots) walk(root.current, 0, null);
		return seen >= most;
	};
	const owners = f => { const list = []; for (let p = f._debugOwner ?? f.return; p && list.length < 50; p = p._debugOwner ?? p.return) if ([0, 1, 2, 11, 14, 15].includes(p.tag)) list.push(own.name(p)); return list; };
	const source = f => {
		const s = f._debugSource;
		if (s) return [s.fileName, s.lineNumber, s.columnNumber ?? 0];
		const lines = String(f._debugStack?.stack ?? '').split('\n');
		for (const line of lines.slice(1)) { const m = /\(?((?:https?|file|webpack).*):(\d+):(\d+)\)?$/.exec(line); if (m && !/react-stack|jsx-dev|react-dom|jsx-runtime|node_modules/.test(m[1] + line)) return [m[1], Number(m[2]), Number(m[3])]; }
		return null;
	};
	if (op === 'tree') {
		const rows = [];
		const cut = each((f, depth, parent) => rows.push([depth, number(f), parent ? number(parent) : 0, own.name(f) || '-', f.key]));
		return { rows, cut };
	}
	if (op === 'inspect') {
		const known = own.ids.get(arg)?.deref();
		const f = known && current(known);
		let alive = false;
		if (f) each(x => { alive = alive || x === f || x.alternate === f; });
		if (!alive) return { error: 'element' };
		const props = Object.entries(f.memoizedProps ?? {}).slice(0, 100).map(([k, v]) => [k, short(v)]);
		const state = f.tag === 1 ? Object.entries(f.memoizedState ?? {}).slice(0, 100).map(([k, v]) => [k, short(v)]) : [];
		const hooks = [];
		if ([0, 2, 11, 14, 15].includes(f.tag)) {
			for (let h = f.memoizedState; h && typeof h === 'object' && 'next' in h && hooks.length < 100; h = h.next) {
				const v = h.memoizedState;
				if (h.queue) hooks.push(['State', short(v)]);
				else if (v && typeof v === 'object' && 'create' in v) hooks.push(['Effect', short(v.create)]);
				else if (v && typeof v === 'object' && Object.keys(v).length === 1 && 'current' in v) hooks.push(['Ref', short(v.current)]);
				else if (Array.isArray(v) && v.length === 2) hooks.push([typeof v[0] === 'function' ? 'Callback' : 'Memo', short(v[0])]);
				else hooks.push(['Hook', short(v)]);
			}
		}
		return { name: own.name(f), id: arg, props, state, hooks, owners: owners(f), source: source(f) };
	}
	if (op === 'suspense') {
		const list = [];
		each(f => { if (f.tag === 13) list.push({ id: number(f), name: f.memoizedProps?.name ?? '', suspended: f.memoizedState !== null, owner: owners(f)[0] ?? '', source: source(f) }); });
		return { list };
	}
	return { error: 'op' };
}
