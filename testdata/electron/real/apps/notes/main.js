// An app with a menu bar, ipc, and native dialogs. What the menu does is written into the page's status line.
const { app, BrowserWindow, Menu, ipcMain, dialog } = require('electron');
const path = require('path');

let window;
const tell = (text) => window.webContents.send('status', text);

app.whenReady().then(() => {
  window = new BrowserWindow({ width: 800, height: 600, webPreferences: { preload: path.join(__dirname, 'preload.js') } });
  window.loadFile(path.join(__dirname, 'index.html'));
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      {
        label: '&File',
        submenu: [
          { label: 'New', accelerator: 'CommandOrControl+N', click: () => tell('menu: new') },
          { label: 'Save As…', accelerator: 'CommandOrControl+Shift+S', click: () => tell('menu: save as') },
          { type: 'separator' },
          { label: 'Publish', enabled: false, click: () => tell('menu: publish') },
          { role: 'quit' },
        ],
      },
      {
        label: 'View',
        submenu: [{ label: 'Wrap lines', type: 'checkbox', checked: true, click: (item) => tell('wrap: ' + item.checked) }],
      },
    ]),
  );
});

ipcMain.handle('info', () => ({ name: app.getName(), version: app.getVersion() }));
ipcMain.handle('open', async () => (await dialog.showOpenDialog(window, { title: 'Open a note', properties: ['openFile'] })).filePaths);
ipcMain.handle('save', async () => (await dialog.showSaveDialog(window, { title: 'Save the note', defaultPath: 'note.txt', filters: [{ name: 'Text', extensions: ['txt'] }] })).filePath);
const question = { message: 'Save changes?', detail: 'They are lost otherwise.', buttons: ['&Save', "Don't Save", 'Cancel'] };
ipcMain.handle('ask', async () => question.buttons[(await dialog.showMessageBox(window, question)).response]);
ipcMain.handle('ask-sync', () => question.buttons[dialog.showMessageBoxSync(question)]);

app.on('window-all-closed', () => app.quit());
