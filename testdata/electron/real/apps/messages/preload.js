const { contextBridge, ipcRenderer } = require('electron');

globalThis.secretOfThePreload = 42; // pages cannot see it
const show = (text) => {
  document.querySelector('[role=status]').textContent = String(text);
};
contextBridge.exposeInMainWorld('held', {
  invoke: async (...words) => show(JSON.stringify(await ipcRenderer.invoke(...words).catch((err) => err.message))),
  send: (...words) => ipcRenderer.send(...words),
  sync: (...words) => show(ipcRenderer.sendSync(...words)),
  port: () => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (event) => show(event.data);
    ipcRenderer.postMessage('port', { size: new Uint8Array(8) }, [port2]);
  },
});
ipcRenderer.on('status', (_, text) => show(text));
