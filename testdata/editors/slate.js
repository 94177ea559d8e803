// Slate with React.
import { createElement as h, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { createEditor, Node } from 'slate';
import { Editable, Slate, withReact } from 'slate-react';
import { withHistory } from 'slate-history';

const start = ['First bold line', 'Second line'].map((text) => ({ type: 'paragraph', children: [{ text }] }));

function App() {
  const editor = useMemo(() => withHistory(withReact(createEditor())), []);
  window.model = () => editor.children.map((node) => Node.string(node)).join('\n');
  return h(Slate, { editor, initialValue: start }, h(Editable, { 'aria-label': 'Body', placeholder: 'Write here' }));
}
createRoot(document.getElementById('editor')).render(h(App));
