// ProseMirror with its basic schema, key map and history.
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { DOMParser } from 'prosemirror-model';
import { schema } from 'prosemirror-schema-basic';
import { keymap } from 'prosemirror-keymap';
import { baseKeymap } from 'prosemirror-commands';
import { history, undo, redo } from 'prosemirror-history';

const start = document.createElement('div');
start.innerHTML = '<h2>Title</h2><p>First <strong>bold</strong> line</p><p>Second line</p>';
const state = EditorState.create({
  doc: DOMParser.fromSchema(schema).parse(start),
  plugins: [history(), keymap({ 'Mod-z': undo, 'Mod-y': redo }), keymap(baseKeymap)],
});
const view = new EditorView(document.getElementById('editor'), { state, attributes: { 'aria-label': 'Body', role: 'textbox' } });
window.model = () => view.state.doc.textBetween(0, view.state.doc.content.size, '\n', '\n');
