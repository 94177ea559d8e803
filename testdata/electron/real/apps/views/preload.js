const { contextBridge, ipcRenderer } = require('electron');

contextBridge.exposeInMainWorld('held', { ask: (what) => ipcRenderer.invoke(what) });
