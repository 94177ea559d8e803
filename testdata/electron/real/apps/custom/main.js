// An app whose pages have a scheme of its own, app://held. Beside its window it has one that is never shown, and its
// page embeds a webview on demand.
const { app, BrowserWindow, net, protocol } = require('electron');
const path = require('path');
const { pathToFileURL } = require('url');

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }]);

app.whenReady().then(() => {
  protocol.handle('app', (request) => net.fetch(pathToFileURL(path.join(__dirname, 'pages', new URL(request.url).pathname)).toString()));
  const hidden = new BrowserWindow({ width: 400, height: 300, show: false });
  hidden.loadURL('app://held/hidden.html');
  new BrowserWindow({ width: 800, height: 600, webPreferences: { webviewTag: true } }).loadURL('app://held/index.html');
});

app.on('window-all-closed', () => app.quit());
