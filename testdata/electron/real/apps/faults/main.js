// An app with faults. --fault=NAME has one at its start: `early` ends it with a message, `throw` throws in the main process before any window, `reject`
// rejects a promise there, `crash` crashes it. The others are buttons of its window. --reports has it write crash reports.
const { app, BrowserWindow, crashReporter, ipcMain, dialog, utilityProcess } = require('electron');
const path = require('path');

if (process.argv.includes('--reports')) crashReporter.start({ uploadToServer: false });

if (process.argv.includes('--fault=early')) {
  console.error('fatal: the license is missing');
  process.exit(9);
}
if (process.argv.includes('--fault=throw')) throw new Error('main exploded at start');
if (process.argv.includes('--fault=reject')) {
  app.whenReady().then(() => {
    throw new Error('main gave up at start');
  });
}
if (process.argv.includes('--fault=crash')) process.crash();

let window;
app.whenReady().then(() => {
  if (process.argv.includes('--fault=reject')) return;
  window = new BrowserWindow({ width: 700, height: 500, webPreferences: { preload: path.join(__dirname, 'preload.js') } });
  window.loadFile(path.join(__dirname, 'index.html'));
});

ipcMain.on('quit', () => {
  console.error('fatal: giving up');
  app.exit(9);
});
ipcMain.on('log', () => {
  for (let i = 1; i <= 3; i++) console.log('synced ' + i);
  Promise.reject(new Error('the index is broken'));
});
ipcMain.on('hang', () => {
  const given = process.argv.find((arg) => arg.startsWith('--hang='));
  for (const end = Date.now() + (given ? Number(given.slice(7)) : 15000); Date.now() < end; );
});
ipcMain.on('box', () => dialog.showMessageBoxSync(window, { message: 'Save changes?', buttons: ['Save', "Don't Save"] }));
ipcMain.on('crash', () => window.webContents.forcefullyCrashRenderer());
ipcMain.on('crash-main', () => process.crash());
ipcMain.on('crash-helper', () => utilityProcess.fork(path.join(__dirname, 'helper.js')));
ipcMain.on('throw', () => {
  throw new Error('the index is gone');
});

app.on('window-all-closed', () => app.quit());
