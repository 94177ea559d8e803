// Quill without a theme.
import Quill from 'quill';

const host = document.getElementById('editor');
host.innerHTML = '<p>First <strong>bold</strong> line</p><p>Second line</p>';
const quill = new Quill(host, {});
quill.root.setAttribute('aria-label', 'Body');
window.model = () => quill.getText().replace(/\n$/, '');
