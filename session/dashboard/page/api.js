// Requests to the dashboard's own server.

/**
 * sessionPath is the address of something of a session.
 * @param {string} name
 * @param {string} rest
 */
export const sessionPath = (name, rest) => `api/sessions/${encodeURIComponent(name)}/${rest}`;

/**
 * ask sends a request, and returns its answer. What the server refuses becomes an error with its words.
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
export async function ask(path, options) {
  const answer = await fetch(path, options);
  if (answer.ok) return answer.json();
  let words = answer.statusText;
  try {
    words = (await answer.json()).error;
  } catch {
    /* it is not from the interface */
  }
  throw new Error(words);
}

/**
 * post is ask for a request that changes something.
 * @param {string} path
 * @param {string} [body]
 */
export const post = (path, body) => ask(path, { method: 'POST', body });

/**
 * wordsOf is what an error says.
 * @param {unknown} error
 */
export const wordsOf = (error) => (error instanceof Error ? error.message : String(error));
