// An app of several windows: a splash that closes when the main window shows, a helper that is never shown, and, on demand, a modal child and a
// window of another partition. SPLASH_MS is how long the splash is alone.
const { app, BrowserWindow, ipcMain } = require('electron');
const path = require('path');

const page = (name) => path.join(__dirname, name + '.html');
const preferences = (more) => ({ preload: path.join(__dirname, 'preload.js'), ...more });

let main;

function openMain(splash) {
  main = new BrowserWindow({ width: 900, height: 600, show: false, webPreferences: preferences() });
  main.once('ready-to-show', () => {
    main.show();
    if (splash && !splash.isDestroyed()) splash.close();
  });
  main.loadFile(page('main'));
}

app.whenReady().then(() => {
  const helper = new BrowserWindow({ width: 400, height: 300, show: false, title: 'Helper' });
  helper.loadFile(page('helper'));
  const splash = new BrowserWindow({ width: 300, height: 200, frame: false, alwaysOnTop: true });
  splash.loadFile(page('splash'));
  setTimeout(() => openMain(splash), Number(process.env.SPLASH_MS || 800));
});

ipcMain.handle('modal', () => {
  new BrowserWindow({ width: 400, height: 200, parent: main, modal: true }).loadFile(page('modal'));
});
ipcMain.handle('second', () => {
  new BrowserWindow({ width: 500, height: 300, webPreferences: preferences({ partition: 'persist:second' }) }).loadFile(page('second'));
});
ipcMain.handle('quit', () => app.exit(7));
ipcMain.handle('relaunch', () => {
  app.relaunch();
  app.exit(0);
});

app.on('window-all-closed', () => app.quit());
