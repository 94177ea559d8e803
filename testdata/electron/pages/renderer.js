"use strict";

// The main window. Everything is rendered from state, without navigation, as most desktop apps do.
const notes = ["Buy seeds", "Call Ada"];

const views = {
  notes: () => `<h2>Notes</h2><ul>${notes.map((n, i) => `<li><button data-note="${i}">${escape(n)}</button></li>`).join("")}</ul>`,
  search: () => `<h2>Search</h2><label>Find <input id="find"></label><button id="go">Go</button><p id="hits"></p>`,
};

function escape(text) {
  const p = document.createElement("p");
  p.textContent = text;
  return p.innerHTML;
}

function show(name) {
  const view = document.getElementById("view");
  view.innerHTML = views[name]();
  view.dataset.view = name;
}

function main(action) {
  return fetch(`/main/${action}`, { method: "POST" }).catch(() => {});
}

// As ipcRenderer.sendSync to a main process that dies of it: the page gets no answer and does nothing more, so that no click on it is answered either.
function crash() {
  const request = new XMLHttpRequest();
  request.open("POST", "/main/crash", false);
  try {
    request.send();
  } catch {}
  for (;;);
}

function render() {
  document.getElementById("root").replaceChildren(document.getElementById("app").content.cloneNode(true));
  const by = (id) => document.getElementById(id);
  show("notes");
  by("show-notes").onclick = () => show("notes");
  by("show-search").onclick = () => show("search");
  by("save").onclick = () => {
    notes.push(by("note").value);
    document.title = `Saved ${by("note").value}`;
    by("status").textContent = `Saved ${by("note").value}`;
    show("notes");
  };
  by("view").onclick = (event) => {
    const i = event.target.dataset.note;
    if (i !== undefined) document.title = `Note: ${notes[i]}`;
    if (event.target.id === "go") by("hits").textContent = notes.filter((n) => n.includes(by("find").value)).join(", ") || "nothing";
  };
  // A field that takes nothing but keys, as quick inputs of editors do.
  by("picky").oninput = (event) => { if (!event.inputType || event.target.value.length > 1 && !event.target.dataset.typed) event.target.value = ""; };
  by("picky").onkeydown = (event) => { event.target.dataset.typed = "yes"; };
  by("open-window").onclick = () => main("open-window");
  by("crash-app").onclick = crash;
  by("quit-app").onclick = () => main("quit");
  by("blank-window").onclick = () => { location.href = "about:blank"; };
  if (window.appConfig.webview) {
    by("guest").innerHTML = '<embed src="viewer.pdf" type="application/pdf" title="Guest">';
  }
}

if (window.appConfig.emptyFirstMs > 0) setTimeout(render, window.appConfig.emptyFirstMs);
else render();
