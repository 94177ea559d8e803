// Why a text that is in the tree is not visible on the page: the words of the field "unseen" of a line.

export const SEEN = '';
export const TRANSPARENT = 'transparent';
export const TINY = 'size';
export const UNREACHED = 'outside'; // where scrolling does not lead
export const CLIPPED = 'clipped';
export const SAME_COLOR = 'color'; // that of its background
export const COVERED = 'covered'; // something opaque lies over it
export const FALLBACK = 'fallback'; // a drawing is shown in its place
export const PART = 'part'; // some of it can be seen
export const NAME = 'name'; // the control can be seen, and its name cannot
export const VALUE = 'value'; // the field can be seen, and its value cannot

// It is not visible yet: the page brings it in.
export const SCROLL = 'scroll'; // when it is scrolled to
export const PRESS = 'press'; // when what opens it is pressed
export const LATER = 'later'; // by itself
