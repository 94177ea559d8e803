// The entry point: it registers all ops and shows the engine what it calls. The bundle runs once in each document, in our own world.

import './aim.js';
import './capabilities.js';
import './capabilitiesfields.js';
import './checking.js';
import './choosing.js';
import './clipboard.js';
import './curtain.js';
import './drag.js';
import './edit.js';
import './editor.js';
import './effects.js';
import './files.js';
import './focus.js';
import './frame.js';
import './framebox.js';
import './gesture.js';
import './landed.js';
import './listening.js';
import './loading.js';
import './marks.js';
import './pierce.js';
import './read.js';
import './scroll.js';
import './select.js';
import './selectors.js';
import './serialize.js';
import './stable.js';
import './submit.js';
import './typed.js';
import './view.js';
import './wait.js';
import './walk.js';
import { identify } from './identify.js';
import { documentID, ops } from './ops.js';
import { elementOf, tokenOf } from './tokens.js';

Object.defineProperty(globalThis, '__skua', { value: { doc: documentID, ops, tokenOf, elementOf, identify } });
