// What a session has recorded: messages, errors, requests. Recording costs the session something, so that it begins when a person asks for it.

export class Records {
	#details; #kind; #session; #busy = false; #stale = false;

	constructor(details, kind) {
		this.#details = details;
		this.#kind = kind;
		details.addEventListener('toggle', () => this.refresh());
		details.querySelector('.record').onclick = () => this.#load();
	}

	// of shows those of a session. Each change of the session is a reason to look again, while the pane is open.
	of(session) {
		if (session.name !== this.#session?.name) this.#details.querySelector('ol').replaceChildren();
		this.#session = session;
		this.#details.querySelector('.record').hidden = this.#recorded();
		this.refresh();
	}

	#recorded() { return this.#kind === 'network' ? this.#session.network : this.#session.console; }

	// refresh looks again, if there is something to see.
	refresh() {
		if (this.#details.open && this.#session && this.#recorded()) this.#load();
	}

	async #load() {
		if (this.#busy) {
			this.#stale = true; // what is on its way may be from before
			return;
		}
		this.#busy = true;
		this.#stale = false;
		const session = this.#session;
		try {
			const answer = await fetch(`api/sessions/${encodeURIComponent(session.name)}/records/${this.#kind}`);
			const data = await answer.json();
			if (session.name !== this.#session.name) return;
			const lines = answer.ok ? this.#lines(data) : [{ text: data.error, bad: true }];
			this.#details.querySelector('ol').replaceChildren(...lines.map(line => {
				const li = document.createElement('li');
				li.textContent = line.text;
				li.classList.toggle('bad', Boolean(line.bad));
				return li;
			}));
			if (answer.ok) this.#details.querySelector('.record').hidden = true;
		} catch { // the next change tries again
		} finally {
			this.#busy = false;
			if (this.#stale) this.refresh();
		}
	}

	#lines(data) {
		if (this.#kind === 'console') return data.messages.map(m => ({ text: `[${m.type}] ${m.text}`, bad: m.type === 'error' }));
		if (this.#kind === 'errors') return data.errors.map(e => ({ text: `${e.text} ${e.url ?? ''}`, bad: true }));
		return data.requests.map(r => ({ text: `${r.status ?? '…'} ${r.method} ${r.url}`, bad: r.status >= 400 }));
	}
}
