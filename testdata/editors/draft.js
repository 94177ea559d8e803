// Draft.js with React.
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ContentState, Editor, EditorState } from 'draft-js';

function App() {
  const [state, setState] = useState(() => EditorState.createWithContent(ContentState.createFromText('First bold line\nSecond line')));
  window.model = () => state.getCurrentContent().getPlainText('\n');
  return h(Editor, { editorState: state, onChange: setState, ariaLabel: 'Body' });
}
createRoot(document.getElementById('editor')).render(h(App));
