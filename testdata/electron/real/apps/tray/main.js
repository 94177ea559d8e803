// An app without a window, as one that begins in the tray. At SIGUSR2 it opens its window, as a click on the tray's icon would.
const { app, BrowserWindow } = require('electron');
const path = require('path');

process.on('SIGUSR2', () => {
  new BrowserWindow({ width: 700, height: 500 }).loadFile(path.join(__dirname, 'index.html'));
});

app.on('window-all-closed', () => {});
