// CodeMirror 6 as people set it up: line numbers, closing brackets, folding, search. ?lines=N gives it a long document.
import { basicSetup, EditorView } from 'codemirror';
import { javascript } from '@codemirror/lang-javascript';

const lines = Number(new URLSearchParams(location.search).get('lines') ?? 2);
const view = new EditorView({
  doc: Array.from({ length: lines }, (_, i) => `let line${i + 1} = ${i + 1};`).join('\n'),
  extensions: [basicSetup, javascript(), EditorView.theme({ '&': { height: '200px' }, '.cm-scroller': { overflow: 'auto' } })],
  parent: document.getElementById('editor'),
});
window.model = () => view.state.doc.toString();
