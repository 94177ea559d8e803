// Resolves when something in the document has changed, or after `wait` ms.
/** @param {{wait: number}} arg */
export default function loginChange(arg) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(late);
      observer.disconnect();
      resolve(true);
    };
    const observer = new MutationObserver(end);
    const late = setTimeout(end, arg.wait);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}
