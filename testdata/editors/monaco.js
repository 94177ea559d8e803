// Monaco. ?textarea has it take its input from a hidden textarea, ?context from an EditContext; ?lines=N gives it a long document.
import * as monaco from 'monaco-editor/editor/editor.main.js';

const query = new URLSearchParams(location.search);
const lines = Number(query.get('lines') ?? 2);
const host = document.getElementById('editor');
host.style.cssText = 'width: 700px; height: 240px';
const options = {
  value: Array.from({ length: lines }, (_, i) => `let line${i + 1} = ${i + 1};`).join('\n'),
  language: 'plaintext',
  ariaLabel: 'Code',
};
if (query.has('textarea')) options.editContext = false;
if (query.has('context')) options.editContext = true;
const editor = monaco.editor.create(host, options);
window.model = () => editor.getValue();
