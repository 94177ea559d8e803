const { ipcRenderer } = require('electron');

ipcRenderer.on('document', (_, name) => {
  document.querySelector('[role=status]').textContent = 'handed over: ' + name;
});
