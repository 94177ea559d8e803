// TipTap with its starter kit, whose input rules turn "# " into a heading.
import { Editor } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';

const editor = new Editor({
  element: document.getElementById('editor'),
  extensions: [StarterKit],
  content: '<p>First <strong>bold</strong> line</p><p>Second line</p>',
  editorProps: { attributes: { 'aria-label': 'Body' } },
});
window.model = () => editor.getText({ blockSeparator: '\n' });
window.html = () => editor.getHTML();
