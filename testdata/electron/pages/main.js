// What a real Electron would run. The sample's executable does this itself; the file is here because an app has one.
const { app, BrowserWindow } = require("electron");

app.whenReady().then(() => {
  new BrowserWindow({ webPreferences: { webviewTag: true } }).loadFile("index.html");
  new BrowserWindow().loadFile("second.html");
});
app.on("window-all-closed", () => app.quit());
