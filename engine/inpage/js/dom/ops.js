// What the engine calls by name. A module that has ops puts them here; main.js names the modules that do.

/** @type {import('../ops.js').Ops} */
export const ops = /** @type {any} */ ({});

/** The document's id. It is a constant of the function that the bundle is wrapped in (engine/inpage/inpage.go). */
export const documentID = docID;
