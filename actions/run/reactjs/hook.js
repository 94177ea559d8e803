// The hook that React looks for when it starts. It keeps what renderers tell of their trees, and counts renders during a recording.
(() => {
	if (Object.hasOwn(globalThis, '__REACT_DEVTOOLS_GLOBAL_HOOK__')) return;
	const roots = new Set();
	const renderers = new Map();
	let recording = null;
	const composite = new Set([0, 1, 2, 11, 14, 15]); // functions, classes, forwardRef, memo
	const changed = (a, b) => {
		const keys = [];
		for (const k of new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])) if (!Object.is(a?.[k], b?.[k])) keys.push(k);
		return keys;
	};
	const hooks = f => { const list = []; for (let h = f.memoizedState; h && typeof h === 'object' && 'next' in h && list.length < 200; h = h.next) list.push(h.memoizedState); return list; };
	const why = (f, was) => {
		const props = changed(was.memoizedProps, f.memoizedProps).filter(k => k !== 'children');
		if (f.tag === 1) { if (f.memoizedState !== was.memoizedState) return 'state'; }
		else { const a = hooks(was), b = hooks(f), i = b.findIndex((v, i) => !Object.is(v, a[i]) && !(v && typeof v === 'object' && 'create' in v)); if (i >= 0) return `state (hook #${i})`; }
		if (props.length) return `props (${props.slice(0, 3).join(', ')})`;
		let p = f.return; while (p && !composite.has(p.tag)) p = p.return;
		return p ? `parent (${name(p)})` : 'parent';
	};
	const name = f => {
		const t = f.type ?? f.elementType;
		if (f.tag === 3) return 'Root';
		if (f.tag === 13) return 'Suspense';
		if (typeof t === 'string') return t;
		if (typeof t === 'function' && f.tag !== 14 && f.tag !== 15) return t.displayName || t.name || 'Anonymous';
		const inner = t?.type ?? t?.render;
		const known = t?.displayName || inner?.displayName || inner?.name || (typeof t === 'function' ? t.name : '');
		if (f.tag === 14 || f.tag === 15) return `Memo(${known || 'Anonymous'})`;
		if (f.tag === 11) return `ForwardRef(${known || 'Anonymous'})`;
		return known || '';
	};
	const note = (f, was) => {
		const self = Math.max(0, (f.actualDuration ?? 0) - (() => { let s = 0; for (let c = f.child; c; c = c.sibling) s += c.actualDuration ?? 0; return s; })());
		const n = name(f);
		if (!recording.components.has(n) && recording.components.size >= 1000) { recording.dropped++; return; }
		const c = recording.components.get(n) ?? { name: n, mounts: 0, renders: 0, total: 0, self: 0, reasons: {} };
		recording.components.set(n, c);
		if (was) c.renders++; else c.mounts++;
		c.total += f.actualDuration ?? 0;
		c.self += self;
		const reason = was ? why(f, was) : 'mount';
		c.reasons[reason] = (c.reasons[reason] ?? 0) + 1;
	};
	// A fiber without an alternate came to be in this commit; one with an alternate was rendered when it did work (flag 1). Where a parent has the
	// children that it had, nothing below was touched.
	const walk = (f, parentWas) => {
		if (parentWas && parentWas.child === f.child) return; // nothing below was touched
		for (let c = f.child; c; c = c.sibling) {
			const was = c.alternate;
			if (!was) { if (composite.has(c.tag)) note(c, null); walk(c, null); continue; }
			const worked = composite.has(c.tag) && (c.flags & 1) !== 0 && (was.memoizedProps !== c.memoizedProps || was.memoizedState !== c.memoizedState || was.dependencies !== c.dependencies);
			if (worked) note(c, was);
			walk(c, was);
		}
	};
	const hook = {
		renderers, supportsFiber: true, isDisabled: false, rendererInterfaces: new Map(), listeners: {},
		inject(renderer) { const id = renderers.size + 1; renderers.set(id, renderer); return id; },
		checkDCE() {}, on() {}, off() {}, emit() {}, sub() { return () => {}; }, getFiberRoots() { return roots; },
		onCommitFiberRoot(id, root) {
			if (root.current?.memoizedState?.element == null) roots.delete(root); else roots.add(root);
			if (!recording) return;
			try { recording.commits++; walk(root.current, root.current.alternate); } catch (e) { recording.failure = String(e); }
		},
		onCommitFiberUnmount() {}, onPostCommitFiberRoot() {}, setStrictMode() {},
	};
	Object.defineProperty(hook, '__skua', { value: {
		roots, renderers, name,
		start() { recording = { begun: performance.now(), commits: 0, dropped: 0, components: new Map() }; },
		stop() { const r = recording; recording = null; return r && { seconds: (performance.now() - r.begun) / 1000, commits: r.commits, dropped: r.dropped, failure: r.failure, components: [...r.components.values()] }; },
		ids: new Map(), numbers: new WeakMap(), last: 0,
	} });
	Object.defineProperty(globalThis, '__REACT_DEVTOOLS_GLOBAL_HOOK__', { value: hook, configurable: true, enumerable: false });
})();
