// An app whose pages and main process talk in every way that Electron has: invoke, send, sendSync, ports, and messages to the page. What its
// handlers get, with their order and their `this`, is in global.seen.
const { app, BrowserWindow, ipcMain } = require('electron');
const path = require('path');

global.seen = [];
const open = (file) => {
  const window = new BrowserWindow({ width: 700, height: 500, webPreferences: { preload: path.join(__dirname, 'preload.js') } });
  window.loadFile(path.join(__dirname, file));
  return window;
};

app.whenReady().then(() => {
  const window = open('index.html');
  window.webContents.ipc.handle('own', () => 'of this window');
});

ipcMain.handle('login', (_, user, form) => ({ user, token: 'sesame', ok: form.password.length > 0 }));
ipcMain.handle('late', () => ipcMain.handle('added', (_, n) => n + 1));
ipcMain.handle('fail', async () => {
  throw new Error('the store is locked');
});
ipcMain.handle('open', () => void open('second.html'));
// A thenable whose work begins with each then, as query builders have them.
ipcMain.handle('lazy', () => ({
  then(resolve) {
    global.seen.push('lazy ran');
    resolve(7);
  },
}));
ipcMain.on('note', function (event, text) {
  global.seen.push('first ' + (this === ipcMain) + ' ' + text);
  event.reply('status', 'noted ' + text);
});
ipcMain.on('note', () => global.seen.push('second'));
ipcMain.once('note', () => global.seen.push('once'));
ipcMain.on('sync', (event, text) => {
  event.returnValue = text.toUpperCase();
});
ipcMain.on('port', (event) => event.ports[0].postMessage('by port'));

app.on('window-all-closed', () => app.quit());
