// Lexical as a rich text editor, and one as plain text (?plain).
import { $createParagraphNode, $createTextNode, $getRoot, createEditor } from 'lexical';
import { HeadingNode, QuoteNode, registerRichText } from '@lexical/rich-text';
import { registerPlainText } from '@lexical/plain-text';
import { createEmptyHistoryState, registerHistory } from '@lexical/history';

const host = document.getElementById('editor');
host.contentEditable = 'true';
host.setAttribute('role', 'textbox');
host.setAttribute('aria-label', 'Body');
const editor = createEditor({ namespace: 'tests', nodes: [HeadingNode, QuoteNode], onError: (error) => log.push(`error ${error}`) });
editor.setRootElement(host);
const plain = new URLSearchParams(location.search).has('plain');
if (plain) registerPlainText(editor);
else registerRichText(editor);
registerHistory(editor, createEmptyHistoryState(), 300);
editor.update(() => {
  const lines = plain ? ['First bold line'] : ['First bold line', 'Second line'];
  for (const line of lines) $getRoot().append($createParagraphNode().append($createTextNode(line)));
});
window.model = () => editor.getEditorState().read(() => $getRoot().getChildren().map((node) => node.getTextContent()).join('\n'));
