// The texts by which a page says that it is at work.

/** How such a text begins, as a part of a pattern. */
export const AT_WORK_WORDS = '(?:loading|please wait|saving|sending|submitting|processing|searching|uploading|working)';

/** How others end. */
export const DOTS = '(?:…|\\.\\.\\.)';
