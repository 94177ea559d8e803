// The colors: as the system has them, or as the person chose.

const key = 'skua-theme';
export const themes = ['auto', 'light', 'dark'];

export function chosenTheme() {
  const theme = localStorage.getItem(key) ?? '';
  return themes.includes(theme) ? theme : 'auto';
}

/** @param {string} theme */
export function setTheme(theme) {
  localStorage.setItem(key, theme);
  applyTheme();
}

export function applyTheme() {
  const theme = chosenTheme();
  if (theme === 'auto') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', theme);
}

export const isDark = () => chosenTheme() === 'dark' || (chosenTheme() === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
