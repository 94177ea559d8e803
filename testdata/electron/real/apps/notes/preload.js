const { contextBridge, ipcRenderer } = require('electron');

contextBridge.exposeInMainWorld('held', { info: () => ipcRenderer.invoke('info'), open: () => ipcRenderer.invoke('open'), ask: (what) => ipcRenderer.invoke(what) });
ipcRenderer.on('status', (_, text) => {
  document.querySelector('[role=status]').textContent = text;
});
