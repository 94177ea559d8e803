// What the dashboard's scripts exchange with its server: the Go types of the same names say what the fields mean. A test compares the fields.

export interface Session {
  name: string;
  running: boolean;
  tabs: Tab[];
  taken: boolean;
  console: boolean;
  network: boolean;
  commands: Command[];
  dropped: number;
  held: Held[];
  handoff: Handoff | null;
  notes: Noted[];
}

export interface Tab {
  active: boolean;
  label: string | null;
  tabId: string;
  targetId: string;
  title: string;
  type: string;
  url: string;
  dialog?: string;
}

export interface Command {
  id: number;
  line: string;
  begun: number;
  ms: number;
  state: 'running' | 'done' | 'failed';
  code?: string;
  error?: string;
  tab?: string;
  url?: string;
}

export interface Held {
  id: string;
  action: string;
  line: string;
  expires: number;
}

export interface Handoff {
  id: string;
  text: string;
  mark?: string;
  until: number;
}

export interface Noted {
  id: string;
  by: 'person' | 'agent';
  tab: string;
  url: string;
  made: number;
  texts: string[];
  read: boolean;
}

export interface Frozen {
  id: string;
  tab: string;
  url: string;
  title: string;
  width: number;
  height: number;
  moves: boolean;
}

export interface Mark {
  kind: 'box' | 'point' | 'arrow';
  from: Point;
  to: Point;
  text: string;
}

export interface Shown {
  id: string;
  text: string;
  rect: Rect | null;
  where?: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface FrameMetadata {
  deviceWidth: number;
  deviceHeight: number;
  pageScaleFactor: number;
  offsetTop: number;
  scrollOffsetX: number;
  scrollOffsetY: number;
  timestamp: number;
}
