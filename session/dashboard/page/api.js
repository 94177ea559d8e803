// Requests to the dashboard's own server.

export const sessionPath = (name, rest) => `api/sessions/${encodeURIComponent(name)}/${rest}`;

/** ask sends a request, and returns its answer. What the server refuses becomes an error with its words. */
export async function ask(path, options) {
	const answer = await fetch(path, options);
	if (answer.ok) return answer.json();
	let words = answer.statusText;
	try { words = (await answer.json()).error; } catch { /* it is not from the interface */ }
	throw new Error(words);
}

export const post = (path, body) => ask(path, { method: 'POST', body });
