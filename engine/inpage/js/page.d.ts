// What the type checker cannot see in the files of the script.

/** The document's id: a constant of the function that the files are joined into. */
declare const docID: string;

interface CSSStyleDeclaration {
  /** What is shown in place of the characters, in Chromium. */
  webkitTextSecurity: string;
  /** "inert" makes an element inert, in Chromium. */
  interactivity: string;
}

interface PerformanceEntry {
  /** Of navigations, in Chromium. */
  responseStatus?: number;
}
