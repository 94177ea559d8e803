// Small pictures of what the page showed behind each command. They are made of the frames that come for the live view anyway, so that they cost the
// session nothing, and there are none of what ran while no page of the dashboard showed the session.

const width = 240;
const keptFrames = 16;
const keptPictures = 300;
/** How long after a command its effect may take to be painted. */
const paintTime = 250;

export class Thumbs {
	#frames = []; #pictures = new Map(); #name = ''; #waiting;

	/** frame keeps a frame of a session for a while. */
	frame(name, canvas, at) {
		if (name !== this.#name) {
			this.#name = name;
			this.#frames = [];
		}
		const small = this.#frames.length < keptFrames ? document.createElement('canvas') : this.#frames.shift().small;
		small.width = width;
		small.height = Math.max(1, Math.round(canvas.height / canvas.width * width));
		small.getContext('2d').drawImage(canvas, 0, 0, small.width, small.height);
		this.#frames.push({ at, small });
	}

	/** of returns the picture of a command, or undefined. */
	of(name, id) { return this.#pictures.get(`${name} ${id}`); }

	/** settle gives pictures to the commands of a session that have ended, and calls changed when there are more. */
	settle(name, commands, changed) {
		clearTimeout(this.#waiting);
		const now = Date.now();
		let added = false, later = 0;
		for (const [i, c] of commands.entries()) {
			if (c.state === 'running' || this.of(name, c.id) || name !== this.#name) continue;
			const next = commands[i + 1]?.begun ?? Infinity;
			const painted = c.begun + c.ms + paintTime;
			if (next === Infinity && painted > now) {
				later = painted - now;
				continue;
			}
			const frame = this.#frames.findLast(f => f.at <= next);
			if (!frame || c.begun < this.#frames[0].at - 60000) continue;
			this.#pictures.set(`${name} ${c.id}`, frame.small.toDataURL('image/jpeg', .7));
			added = true;
		}
		while (this.#pictures.size > keptPictures) this.#pictures.delete(this.#pictures.keys().next().value);
		if (later) this.#waiting = setTimeout(() => this.settle(name, commands, changed), later);
		if (added) changed();
	}
}
