// Controlled fields of React: state decides what they show. `state()` is what the component holds.
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';

function App() {
  const [state, setState] = useState({ name: 'before', phone: '', upper: '', digits: '', date: '', notes: '', never: 'mine', key: 0, swap: '' });
  window.state = () => state;
  const set = (field, change = (x) => x) => (e) => {
    log.push(`change ${field}=${e.target.value}`);
    setState((s) => ({ ...s, [field]: change(e.target.value, s[field]) }));
  };
  const phone = (x) => x.replace(/\D/g, '').slice(0, 10).replace(/^(\d{3})(\d)/, '($1) $2').replace(/ (\d{3})(\d)/, ' $1-$2');
  const field = (id, change, more = {}) => h('label', { key: id }, id, ' ',
    h(more.as ?? 'input', { id, value: state[id], onChange: set(id, change), ...more, as: undefined }));
  return h('form', { onSubmit: (e) => { e.preventDefault(); log.push('submit'); } },
    field('name'),
    field('phone', phone, { type: 'tel', placeholder: '(555) 555-5555' }),
    field('upper', (x) => x.toUpperCase()),
    field('digits', (x, was) => (/^\d*$/.test(x) ? x : was)),
    field('date', undefined, { type: 'date' }),
    field('notes', undefined, { as: 'textarea' }),
    field('never', () => 'mine'),
    // An element that is made anew each time that it changes, and takes the focus.
    h('label', null, 'swap ', h('input', {
      id: 'swap', key: state.key, value: state.swap, autoFocus: state.key > 0,
      onChange: (e) => { const { value } = e.target; setState((s) => ({ ...s, swap: value, key: s.key + 1 })); },
    })),
    h('button', null, 'Save'));
}
createRoot(document.getElementById('editor')).render(h(App));
