// An app that runs once: a second start hands its arguments over to the running instance, and ends.
const { app, BrowserWindow } = require('electron');
const path = require('path');

const documentOf = (argv) => argv.find((arg) => arg.startsWith('--document='))?.slice(11) ?? 'none';

if (!app.requestSingleInstanceLock()) {
  console.error('already running');
  app.quit();
} else {
  let window;
  app.on('second-instance', (_, argv) => {
    window.webContents.send('document', documentOf(argv));
    window.focus();
  });
  app.whenReady().then(() => {
    window = new BrowserWindow({ width: 700, height: 500, webPreferences: { preload: path.join(__dirname, 'preload.js') } });
    window.loadFile(path.join(__dirname, 'index.html'), { query: { document: documentOf(process.argv) } });
  });
  app.on('window-all-closed', () => app.quit());
}
