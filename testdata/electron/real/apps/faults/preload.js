const { contextBridge, ipcRenderer } = require('electron');

contextBridge.exposeInMainWorld('held', { send: (what) => ipcRenderer.send(what) });
