// An app whose window has views inside of it: a side bar, and a view without a size, as apps keep them that wait to be shown. The views load
// after the page of the window, so that they are the pages that were active last. --late adds the views when the page asks for them.
const { app, BrowserView, BrowserWindow, ipcMain } = require('electron');
const path = require('path');

const page = (name) => path.join(__dirname, name + '.html');
const webPreferences = { preload: path.join(__dirname, 'preload.js') };
const late = process.argv.includes('--late');

let window;

async function addView(name, bounds) {
  const view = new BrowserView({ webPreferences });
  window.addBrowserView(view);
  view.setBounds(bounds);
  await view.webContents.loadFile(page(name));
}

async function addViews() {
  await addView('side', { x: 0, y: 0, width: 200, height: 600 });
  await addView('waiting', { x: 0, y: 0, width: 0, height: 0 });
}

app.whenReady().then(async () => {
  window = new BrowserWindow({ width: 900, height: 600, webPreferences });
  await window.loadFile(page('index'));
  if (!late) await addViews();
});

ipcMain.handle('views', addViews);
ipcMain.handle('remove', () => {
  for (const view of window.getBrowserViews()) {
    window.removeBrowserView(view);
    view.webContents.close();
  }
});

app.on('window-all-closed', () => app.quit());
