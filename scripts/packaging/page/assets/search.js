// Search without a server: every section of the documents is in index.js, which is loaded when a reader begins to search.
const up = document.currentScript.dataset.up;
const field = document.getElementById('search');
const found = document.getElementById('found');
const most = 20;

if (matchMedia('(max-width: 50rem)').matches) document.querySelector('nav details').open = false;

let loading;
function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${up}index.js`;
    script.onload = () =>
      resolve(globalThis.skuaIndex.map((s) => ({ ...s, heading: s.h.toLowerCase(), page: s.p.toLowerCase(), text: s.t.toLowerCase() })));
    script.onerror = () => reject(new Error('The search index could not be loaded; load the page again.'));
    document.head.append(script);
  });
  return loading;
}

// A section has to have every word; where it has them decides its rank.
function score(section, words) {
  let sum = 0;
  for (const word of words) {
    const points = (section.heading.includes(word) ? 8 : 0) + (section.page.includes(word) ? 4 : 0) + (section.text.includes(word) ? 1 : 0);
    if (points === 0) return 0;
    sum += points + (section.heading === word ? 8 : 0);
  }
  return sum;
}

function excerpt(section, words) {
  const at = Math.max(0, Math.min(...words.map((w) => section.text.indexOf(w)).filter((i) => i >= 0)));
  const from = Number.isFinite(at) ? Math.max(0, at - 40) : 0;
  return (from > 0 ? '…' : '') + section.t.slice(from, from + 140) + (section.t.length > from + 140 ? '…' : '');
}

function marked(text, words) {
  const parts = text.split(new RegExp(`(${words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'i'));
  return parts.map((part, i) => {
    if (i % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function entry(section, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = up + section.a;
  const title = document.createElement('strong');
  title.append(...marked(section.h === section.p ? section.p : `${section.p}: ${section.h}`, words));
  const text = document.createElement('span');
  text.append(...marked(excerpt(section, words), words));
  link.append(title, text);
  item.append(link);
  return item;
}

function note(text) {
  const item = document.createElement('li');
  item.className = 'none';
  item.textContent = text;
  return item;
}

async function search() {
  const asked = field.value;
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    found.hidden = true;
    return;
  }
  let entries;
  try {
    const index = await load();
    entries = index
      .map((section) => ({ section, points: score(section, words) }))
      .filter((hit) => hit.points > 0)
      .sort((a, b) => b.points - a.points)
      .slice(0, most)
      .map((hit) => entry(hit.section, words));
    if (entries.length === 0) entries = [note(`Nothing has “${asked}”.`)];
  } catch (error) {
    entries = [note(error.message)];
  }
  if (field.value !== asked) return; // a later search shows what it found
  found.replaceChildren(...entries);
  found.hidden = false;
}

field.addEventListener('focus', () => load().catch(() => {}), { once: true }); // search says what failed
field.addEventListener('input', search);
document.addEventListener('keydown', (event) => {
  const links = [...found.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === '/' && !event.target.closest('input')) {
    event.preventDefault();
    field.focus();
  } else if (event.key === 'Escape') {
    found.hidden = true;
  } else if (!found.hidden && event.key === 'ArrowDown' && (at >= 0 || document.activeElement === field)) {
    event.preventDefault();
    links[Math.min(at + 1, links.length - 1)]?.focus();
  } else if (!found.hidden && event.key === 'ArrowUp' && at >= 0) {
    event.preventDefault();
    (links[at - 1] ?? field).focus();
  } else if (event.key === 'Enter' && document.activeElement === field) {
    links[0]?.click();
  }
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('search') || event.target.closest('#found a')) found.hidden = true;
});
