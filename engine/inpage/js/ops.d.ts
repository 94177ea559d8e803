// Generated from the types of Go that ops are called with (engine/inpage/ops.go): go test ./actions/catalog -run TestPageOps -update-ops

import type { Failure } from './dom/until.js';

/** What an op finds at one look. */
export type Looked<T> = Failure | (T & { error?: undefined });

/** What an op answers, at once or later. */
export type Reply<T> = T | Failure | Promise<T | Failure>;

/** What the engine calls by name. */
export interface Ops {
  acknowledged: (arg: AcknowledgedArg) => Reply<{}>;
  active: (arg: ActiveArg) => Reply<ActiveResultSaid>;
  aim: (arg: AimArg) => Reply<AimSaid>;
  aimDrop: (arg: AimDropArg) => Reply<DropAimSaid>;
  aimTouch: (arg: AimArg) => Reply<AimSaid>;
  answer: (arg: AnswerArg) => Reply<SeenEffectsSaid | null>;
  arrival: (arg: ArrivalArg) => Reply<ArrivedSaid>;
  boxes: (arg: BoxesArg) => Reply<BoxesSaid>;
  catchClip: (arg: CatchClipArg) => Reply<any>;
  caught: (arg: CaughtArg) => Reply<CaughtSaid>;
  check: (arg: AimArg) => Reply<AimSaid>;
  checkedNow: (arg: CheckedNowArg) => Reply<ToggledSaid>;
  choose: (arg: ChooseArg) => Reply<ChosenSaid>;
  chooseOption: (arg: Targeted) => Reply<ChoiceSaid>;
  chosenInput: (arg: ChosenInputArg) => Reply<ChosenInputSaid>;
  collect: (arg: CollectArg) => Reply<CollectedSaid>;
  copied: (arg: CopiedArg) => Reply<CopiedSaid>;
  count: (arg: Wanted) => Reply<CountedSaid>;
  curtain: (arg: CurtainArg) => Reply<CurtainedSaid>;
  depict: (arg: DepictArg) => Reply<DepictedSaid>;
  dragBegun: () => Reply<DragBegunSaid>;
  dragEnded: (arg: DragEndedArg) => Reply<DragEndSaid>;
  dragValue: (arg: DragValueArg) => Reply<DragValueSaid>;
  dropAccepted: () => Reply<AcceptanceSaid>;
  dropPlace: (arg: DropPlaceArg) => Reply<DroppableSaid>;
  edited: () => Reply<FieldSaid[] | null>;
  editedend: () => Reply<LeftSaid>;
  effects: (arg: EffectsArg) => Reply<SeenEffectsSaid | null>;
  environment: () => Reply<EnvironmentSaid>;
  fileInput: (arg: Targeted) => Reply<FileTargetSaid>;
  filesKept: (arg: FilesKeptArg) => Reply<KeptFilesSaid>;
  fill: (arg: FillArg) => Reply<FilledSaid>;
  focus: (arg: FocusArg) => Reply<FocusResultSaid>;
  frameAt: (arg: Point) => Reply<FrameAtSaid>;
  frameBox: (arg: FrameBoxArg) => Reply<FrameBoxSaid>;
  frameElement: (arg: FrameElementArg) => Reply<FrameElementSaid>;
  gestureSeen: (arg: GestureSeenArg) => Reply<GestureResultSaid>;
  grip: (arg: Targeted) => Reply<GrippedSaid>;
  html: (arg: HtmlArg) => Reply<WrittenHTMLSaid>;
  info: () => Reply<ViewSaid>;
  innerScrolls: (arg: InnerArg) => Reply<InnerScrollsSaid>;
  landed: (arg: LandedArg) => Reply<LandingSaid>;
  lateEffects: (arg: LateArg) => Reply<SeenEffectsSaid | null>;
  lifeless: () => Reply<LifelessPageSaid>;
  loading: () => Reply<PendingSaid>;
  locators: (arg: LocatorsArg) => Reply<LocatorsSaid>;
  opened: () => Reply<any>;
  painted: () => Reply<any>;
  paste: (arg: PasteArg) => Reply<PastedSaid>;
  pointAt: (arg: PointAtArg) => Reply<InnerPointSaid>;
  pointed: (arg: PointedArg) => Reply<PointingSaid>;
  printed: () => Reply<string>;
  printing: (arg: boolean) => Reply<{}>;
  read: (arg: ReadArg) => Reply<ReadAnswer>;
  rest: (arg: LateArg) => Reply<RestedSaid>;
  retype: (arg: RetypeArg) => Reply<RetypedSaid>;
  reveal: () => Reply<any>;
  rollUp: () => Reply<any>;
  rows: (arg: RowsArg) => Reply<RowsReplySaid>;
  scope: (arg: ScopeArg) => Reply<number>;
  scroll: (arg: ScrollArg) => Reply<ScrolledSaid>;
  scrollIntoView: (arg: SightArg) => Reply<SightedSaid>;
  select: (arg: SelectArg) => Reply<ChosenSaid>;
  selected: (arg: SelectedArg) => Reply<ChoiceSaid>;
  selectors: (arg: SelectorsArg) => Reply<SelectorsSaid>;
  settled: (arg: SettledArg) => Reply<WithEffectsSaid>;
  stable: (arg: StableArg) => Reply<StableSaid>;
  submitted: (arg: SubmittedArg) => Reply<SubmittedSaid>;
  submitter: (arg: Targeted) => Reply<SubmitterSaid>;
  text: (arg: TextArg) => Reply<TextSaid>;
  typed: (arg: TypedArg) => Reply<TypedSaid>;
  unfolded: (arg: UnfoldedArg) => Reply<SeenEffectsSaid | null>;
  unroll: (arg: UnrollArg) => Reply<UnrollingSaid>;
  unrollTo: (arg: Point) => Reply<UnrolledSaid>;
  value: (arg: ValueArg) => Reply<KeptSaid>;
  viewportSize: () => Reply<ViewportSizeSaid>;
  wait: (arg: WaitArg) => Reply<WaitedSaid>;
  wall: () => Reply<WallSaid | null>;
  watch: () => Reply<any>;
  watchGesture: (arg: WatchGestureArg) => Reply<{}>;
  watchPrint: () => Reply<{}>;
  walk: (arg: any) => any;
  capabilities: (arg: any) => any;
  walking: (arg: any) => any;
  quietly: (arg: any) => any;
  suspects: (arg: any) => any;
  unask: (arg: any) => any;
  pierce: (arg: any) => any;
  internals: (arg: any) => any;
  listen: (arg: any) => any;
  token: (arg: any) => any;
  foundInput: (arg: any) => any;
  state: (arg: any) => any;
  disarm: (arg: any) => any;
}

/** What failures say of themselves, by their code. */
export interface FactsByCode {
  'frame-gone': {};
  'option-not-found': OptionFacts;
  'ref-stale': StaleRefFacts;
  'selector-ambiguous': AmbiguousFacts;
  'selector-invalid': ReasonFacts;
  'selector-not-found': NotFoundFacts;
  'shot-stale': StaleShotFacts;
  'target-covered': CoveredFacts;
  'target-disabled': TargetFacts;
  'target-hidden': HiddenFacts;
  'target-outside': OutsideFacts;
  'target-readonly': TargetFacts;
  'target-unstable': UnstableFacts;
  'target-unsuitable': UnsuitableFacts;
  'timeout': TimeoutFacts;
  'usage': UsageFacts;
  'value-not-kept': NotKeptFacts;
}

export interface AcceptanceSaid {
  over?: boolean;
  accepted?: boolean;
  again?: boolean;
  effect?: string;
  allowed?: string;
  on?: string;
  onRole?: string;
  onName?: string;
  onToken?: number;
}

export interface AcknowledgedArg {
  dialog?: boolean;
}

export interface ActiveArg {
  typing?: number;
  watch?: boolean;
}

export interface ActiveResultSaid {
  tag?: string;
  role?: string;
  name?: string;
  token?: number;
  editable?: boolean;
  keys?: boolean;
  editor?: boolean;
  secret?: boolean;
  picker?: boolean;
}

export interface AdjacentTextSaid {
  was?: string;
  is?: string;
}

export interface AimArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  checks: string;
  arm?: string[];
  guard: boolean;
  settle: boolean;
  spare?: boolean;
  times?: number;
  presses?: number;
  position?: Point;
  choose?: boolean;
  want?: string;
  bounded?: boolean;
}

export interface AimDropArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  checks: string;
  arm?: string[];
  guard: boolean;
  settle: boolean;
  spare?: boolean;
  times?: number;
  presses?: number;
  position?: Point;
  choose?: boolean;
  want?: string;
  bounded?: boolean;
  later: boolean;
  token?: number;
}

export interface AimSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  x?: number;
  y?: number;
  points?: PointSaid[] | null;
  rect?: RectSaid;
  href?: string;
  checked?: string | null;
  moving?: boolean;
  disabled?: boolean;
  viaLabel?: boolean;
  via?: LocatedSaid | null;
  inner?: LocatedSaid | null;
  menu?: LocatedSaid | null;
  already?: boolean;
  control?: number;
  kind?: string;
  said?: boolean;
}

export interface AmbiguousFacts {
  count?: number;
  candidates?: CandidateSaid[] | null;
}

export interface AnswerArg {
  wait: number;
}

export interface ArrivalArg {
  posted?: string;
}

export interface ArrivedSaid {
  wall?: WallSaid | null;
  messages?: MessageSaid[] | null;
  form?: boolean;
}

export interface BoxNameSaid {
  container?: string;
  token?: number;
  role?: string;
  name?: string;
}

export interface BoxesArg {
  tokens?: number[];
  frames?: number[];
  whole?: boolean;
}

export interface BoxesSaid {
  boxes?: (number[] | null)[] | null;
  frames?: (FramePlaceSaid | null)[] | null;
  scrollX?: number;
  scrollY?: number;
  view?: RectSaid;
}

export interface CandidateSaid {
  role?: string;
  name?: string;
  token?: number;
  item?: string;
  index?: number;
  element?: string;
  landmark?: string;
  visible?: boolean;
}

export interface CatchClipArg {
  type: string;
  how: string;
  text: string;
}

export interface CaughtArg {
  wait: number;
}

export interface CaughtSaid {
  seen?: boolean;
  text?: string;
  handled?: boolean;
  files?: number;
}

export interface ChangedSaid {
  from?: any;
  to?: any;
}

export interface CheckedNowArg {
  token: number;
  want: string;
  target: Wanted;
  wait: number;
  longest: number;
}

export interface ChoiceSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  selected?: string[] | null;
  changed?: boolean;
  drawn?: string;
  effects?: SeenEffectsSaid | null;
}

export interface ChooseArg {
  patience: number;
  unpressed: boolean;
  half: boolean;
}

export interface ChosenInputArg {
  token: number;
}

export interface ChosenInputSaid {
  input?: FileFieldSaid | null;
}

export interface ChosenSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  selected?: string[] | null;
  changed?: boolean;
  drawn?: string;
  effects?: SeenEffectsSaid | null;
  custom?: boolean;
  step?: string;
  why?: string;
  more?: boolean;
  gone?: boolean;
  as?: string;
  text?: string;
  key?: string;
  press?: PressSaid | null;
}

export interface CollectArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  most: number;
  within: number;
}

export interface CollectedSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  items?: string[] | null;
  total?: number;
  stopped?: string;
  hasGaps?: boolean;
}

export interface ContentPartSaid {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  left?: number;
  top?: number;
  covered?: string;
}

export interface CopiedArg {
  token: number;
}

export interface CopiedSaid {
  text?: string;
  secret?: boolean;
  gone?: boolean;
  unread?: boolean;
}

export interface CountedSaid {
  count?: number;
}

export interface CoveredFacts {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  called?: boolean;
  was?: SeenAsSaid | null;
  beside?: AdjacentTextSaid | null;
  secret?: boolean;
  by?: string;
  byRole?: string;
  byName?: string;
  byToken?: number;
  hover?: string;
  hoverRole?: string;
  hoverName?: string;
  hoverToken?: number;
  hoverGuessed?: boolean;
  row?: string;
  rowRole?: string;
  rowName?: string;
  rowToken?: number;
  over?: string;
  overRole?: string;
  overName?: string;
  overToken?: number;
  byInside?: string;
  box?: RectSaid;
  ancestor?: boolean;
  inert?: boolean;
  pointerEvents?: string;
  escape?: boolean;
  dismiss?: CandidateSaid | null;
  viewTransition?: boolean;
  endsIn?: number | null;
  unfocusable?: boolean;
}

export interface CurtainArg {
  target: Wanted;
}

export interface CurtainedSaid {
  count?: number;
}

export interface DepictArg {
  shot: string;
  kept: string[];
  whole?: boolean;
}

export interface DepictedSaid {
  scroll?: PointSaid;
  view?: RectSaid;
}

export interface DragBegunSaid {
  data?: boolean;
}

export interface DragEndSaid {
  armed?: boolean | null;
  up?: boolean;
  dropped?: boolean;
  hit?: boolean;
  on?: string;
  types?: string[] | null;
  effect?: string;
}

export interface DragEndedArg {
  token: number;
  wait?: number;
}

export interface DragValueArg {
  token: number;
}

export interface DragValueSaid {
  value?: string | null;
}

export interface DropAimSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  x?: number;
  y?: number;
  points?: PointSaid[] | null;
  rect?: RectSaid;
  href?: string;
  checked?: string | null;
  moving?: boolean;
  disabled?: boolean;
  viaLabel?: boolean;
  via?: LocatedSaid | null;
  inner?: LocatedSaid | null;
  menu?: LocatedSaid | null;
  already?: boolean;
  control?: number;
  kind?: string;
  said?: boolean;
  later?: boolean;
}

export interface DropPlaceArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  position: Point;
  token?: number;
  source?: DropSource;
}

export interface DropSource {
  token: number;
  position: Point;
}

export interface DroppableSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  x?: number;
  y?: number;
  inView?: boolean;
  source?: PointSaid | null;
}

export interface EffectsArg {
  wait?: number;
  frames?: boolean;
}

export interface Element {
  url: string;
  element: number[];
  texts: any;
  counted: any;
}

export interface EnvironmentSaid {
  languages?: string[] | null;
}

export interface FactScrolledSaid {
  from?: number[] | null;
  to?: number[] | null;
  hiding?: string;
}

export interface FailureSaid {
  code?: string;
  facts?: any;
}

export interface FieldChangeSaid {
  role?: string;
  name?: string;
  from?: string;
  to?: string;
  secret?: boolean;
}

export interface FieldSaid {
  role?: string;
  name?: string;
}

export interface FileFieldSaid {
  token?: number;
  multiple?: boolean;
  accept?: string;
  directory?: boolean;
}

export interface FileTargetSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  input?: FileFieldSaid | null;
}

export interface FilesKeptArg {
  token: number;
  count: number;
  wait: number;
  effects: boolean;
}

export interface FillArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  value: string;
  keys: boolean;
  password?: boolean;
}

export interface FilledSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  done?: boolean;
  kind?: string;
  value?: string;
  secret?: boolean;
  keyed?: boolean;
  into?: number;
  refused?: boolean;
  format?: string;
}

export interface FocusArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  caretAtEnd?: boolean;
  typing?: number;
  effects?: boolean;
}

export interface FocusResultSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  focused?: boolean;
  editable?: boolean;
  passed?: LocatedSaid | null;
  replaced?: boolean;
  effects?: SeenEffectsSaid | null;
  editor?: boolean;
  secret?: boolean;
  picker?: boolean;
}

export interface FoundAgainSaid {
  selectors?: SelectorSaid[] | null;
  name?: string;
  role?: string;
  landmark?: string;
}

export interface FrameAtSaid {
  token?: number;
  x?: number;
  y?: number;
}

export interface FrameBoxArg {
  token: number;
  points: Point[];
  patience: number;
  longest?: number;
}

export interface FrameBoxSaid {
  points?: PointSaid[] | null;
  at?: PointSaid;
  error?: FailureSaid | null;
}

export interface FrameElementArg {
  word: string;
  target?: Wanted;
  patience?: number;
}

export interface FrameElementSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  label?: string;
}

export interface FramePlaceSaid {
  x?: number;
  y?: number;
  scaleX?: number;
  scaleY?: number;
  seen?: number[] | null;
}

export interface GestureResultSaid {
  on?: string;
  onRole?: string;
  onName?: string;
  onToken?: number;
  armed?: boolean | null;
  hit?: boolean;
  count?: { [key: string]: number };
  prevented?: string[] | null;
  scrolled?: MovedBoxSaid[] | null;
  changed?: boolean;
}

export interface GestureSeenArg {
  first: string;
  click?: number;
}

export interface GrippedSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  position?: PointSaid | null;
}

export interface HiddenFacts {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  called?: boolean;
  was?: SeenAsSaid | null;
  beside?: AdjacentTextSaid | null;
  secret?: boolean;
  by?: string;
  byRole?: string;
  byName?: string;
  byToken?: number;
  hover?: string;
  hoverRole?: string;
  hoverName?: string;
  hoverToken?: number;
  hoverGuessed?: boolean;
  row?: string;
  rowRole?: string;
  rowName?: string;
  rowToken?: number;
  reason?: string;
}

export interface HtmlArg {
  inner: boolean;
}

export interface InnerArg {
  page: boolean;
  within?: number;
}

export interface InnerPointSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  x?: number;
  y?: number;
}

export interface InnerScrollsSaid {
  count?: number;
  boxes?: ({ token?: number; role?: string; name?: string; what?: string; right?: number; below?: number })[] | null;
  self?: { right?: number; below?: number } | null;
}

export interface InputEnd {
  event: string;
  count: number;
}

export interface InvalidFieldSaid {
  name?: string;
  why?: string;
}

export interface KeptFileSaid {
  name?: string;
  size?: number;
  path?: string;
}

export interface KeptFilesSaid {
  now?: KeptFileSaid[] | null;
  seen?: KeptFileSaid[] | null;
  connected?: boolean;
  effects?: SeenEffectsSaid | null;
}

export interface KeptSaid {
  value?: string;
  secret?: boolean;
  kept?: boolean;
  connected?: boolean;
  late?: boolean;
  missed?: boolean;
  effects?: SeenEffectsSaid | null;
}

export interface LandedArg {
  token: number;
  wait: number;
  effects: boolean;
  dialog: boolean;
  behind?: boolean;
}

export interface LandingSaid {
  on?: string;
  onRole?: string;
  onName?: string;
  onToken?: number;
  hit?: boolean;
  event?: string;
  armed?: boolean | null;
  blocked?: boolean;
  lost?: boolean;
  removed?: boolean;
  received?: string;
  unreleased?: boolean;
  checked?: string | null;
  now?: LocatedSaid | null;
  effects?: SeenEffectsSaid | null;
  replaced?: boolean;
  clicked?: boolean;
  disabled?: boolean;
}

export interface LateArg {
  action: number;
}

export interface LeftSaid {
  fields?: FieldSaid[] | null;
}

export interface LifelessPageSaid {
  status?: number;
  lifeless?: boolean;
}

export interface LocatedSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
}

export interface LocatorSaid {
  by?: string;
  value?: string;
  name?: string;
  landmark?: string;
  nth?: number | null;
}

export interface LocatorsArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
}

export interface LocatorsSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  locators?: LocatorSaid[] | null;
}

export interface MessageSaid {
  kind?: string;
  text?: string;
}

export interface MovedBoxSaid {
  container?: string;
  box?: BoxNameSaid;
  from?: ScrollPositionSaid;
  x?: number;
  y?: number;
  edges?: ScrollEdgesSaid;
}

export interface NotFoundFacts {
  count?: number;
  index?: number;
  roleCount?: number;
  nameCount?: number;
  namesSeen?: string[] | null;
  statesSeen?: string[] | null;
  landmarksSeen?: string[] | null;
  otherRoles?: CandidateSaid[] | null;
  besideMissing?: boolean;
}

export interface NotKeptFacts {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  called?: boolean;
  was?: SeenAsSaid | null;
  beside?: AdjacentTextSaid | null;
  secret?: boolean;
  seen?: string[] | null;
  wanted?: string;
}

export interface OptionFacts {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  called?: boolean;
  was?: SeenAsSaid | null;
  beside?: AdjacentTextSaid | null;
  secret?: boolean;
  missing?: string[] | null;
  reason?: string;
  available?: OptionSaid[] | null;
}

export interface OptionSaid {
  value?: string;
  label?: string;
  disabled?: boolean;
}

export interface OutsideFacts {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  called?: boolean;
  was?: SeenAsSaid | null;
  beside?: AdjacentTextSaid | null;
  secret?: boolean;
  point?: PointSaid | null;
  position?: PointSaid | null;
  box?: RectSaid;
  viewport?: RectSaid;
  frame?: CandidateSaid | null;
  clippedBy?: string;
  clippedByRole?: string;
  clippedByName?: string;
  clippedByToken?: number;
  hover?: string;
  hoverRole?: string;
  hoverName?: string;
  hoverToken?: number;
  hoverGuessed?: boolean;
  row?: string;
  rowRole?: string;
  rowName?: string;
  rowToken?: number;
}

export interface PasteArg {
  token: number;
  text: string;
  wait: number;
}

export interface PastedSaid {
  handled?: boolean;
}

export interface PendingSaid {
  pending?: string[] | null;
}

export interface Point {
  x: number;
  y: number;
}

export interface PointAtArg {
  at: WantedPoint;
}

export interface PointSaid {
  x?: number;
  y?: number;
}

export interface PointedArg {
  token: number;
  wait: number;
  effects: boolean;
  behind?: boolean;
}

export interface PointingSaid {
  pointed?: boolean;
  came?: boolean;
  armed?: boolean | null;
  effects?: SeenEffectsSaid | null;
}

export interface PressSaid {
  token?: number;
  role?: string;
  name?: string;
}

export interface ReadAnswer {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  value?: string | null | boolean | RectSaid | null | { [key: string]: string };
  secret?: boolean;
  length?: number;
}

export interface ReadArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  what: string;
  name?: string;
}

export interface ReasonFacts {
  reason?: string;
}

export interface RectSaid {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
}

export interface RestedSaid {
  moved?: boolean;
  x?: number;
  y?: number;
  takenBack?: boolean;
  outside?: boolean;
  effects?: SeenEffectsSaid | null;
}

export interface RetypeArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  text: string;
  typing: number;
  focused: boolean;
}

export interface RetypedSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  has?: number | null;
  value?: string;
  length?: number;
  secret?: boolean;
  missed?: boolean;
}

export interface RowReplySaid {
  token?: number;
  fields?: { [key: string]: string };
  in?: number[] | null;
  number?: number;
  top?: number;
  left?: number;
  height?: number;
}

export interface RowsArg {
  token: number;
  limit?: number;
  to?: any;
  patience?: number;
}

export interface RowsReplySaid {
  error?: FailureSaid | null;
  rows?: RowReplySaid[] | null;
  count?: number;
  stated?: number;
  total?: number;
  fields?: string[] | null;
  at?: number;
  ended?: boolean;
  keeps?: boolean;
  columnsLeft?: number;
}

export interface ScopeArg {
  scope: any;
}

export interface ScrollArg {
  target?: Wanted;
  patience?: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  dx?: number;
  dy?: number;
  shares?: boolean;
  edge?: string;
  share?: number;
  across?: boolean;
  later?: boolean;
  effects?: boolean;
}

export interface ScrollEdgesSaid {
  top?: boolean;
  bottom?: boolean;
  left?: boolean;
  right?: boolean;
}

export interface ScrollPositionSaid {
  x?: number;
  y?: number;
}

export interface ScrolledSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  container?: string;
  box?: BoxNameSaid;
  from?: ScrollPositionSaid;
  x?: number;
  y?: number;
  edges?: ScrollEdgesSaid;
  moved?: boolean;
  inFrame?: number;
  takenBack?: boolean;
  still?: boolean;
  pans?: boolean;
  others?: BoxNameSaid[] | null;
  effects?: SeenEffectsSaid | null;
}

export interface SeenAsSaid {
  role?: string;
  name?: string;
}

export interface SeenEffectsSaid {
  state?: { [key: string]: ChangedSaid };
  fields?: FieldChangeSaid[] | null;
  title?: ChangedSaid | null;
  titled?: string;
  secret?: string[] | null;
  focus?: { ref?: string; role?: string; name?: string; self?: boolean; token?: number; editable?: boolean; tag?: string } | null;
  unfocused?: boolean;
  added?: number;
  removed?: number;
  changed?: number;
  near?: boolean;
  many?: boolean;
  appeared?: string[] | null;
  texts?: string[] | null;
  gone?: string[] | null;
  messages?: MessageSaid[] | null;
  closed?: string[] | null;
  scrolled?: FactScrolledSaid | null;
  removedTarget?: boolean;
  any?: boolean;
  pressed?: boolean;
  sent?: boolean;
  action?: number;
}

export interface SelectArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  values: string[];
  by: string;
  menus: boolean;
}

export interface SelectedArg {
  target: Wanted;
  effects: boolean;
}

export interface SelectorSaid {
  kind?: string;
  role?: string;
  name?: string;
  nameMode?: string;
  pressed?: boolean | null;
  disabled?: boolean | null;
  text?: string;
  css?: string;
  withinLandmark?: string;
  nth?: number | null;
  framePath?: string[] | null;
}

export interface SelectorsArg {
  tokens: number[];
}

export interface SelectorsSaid {
  found?: (FoundAgainSaid | null)[] | null;
}

export interface SettledArg {
  effects?: boolean;
  behind?: InputEnd;
}

export interface SightArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  later?: boolean;
}

export interface SightedSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  x?: number;
  y?: number;
  moved?: boolean;
  covered?: boolean;
}

export interface StableArg {
  quiet: number;
  patience: number;
}

export interface StableSaid {
  waited?: boolean;
}

export interface StaleRefFacts {
  why?: string;
  item?: string;
  equal?: number;
  now?: CandidateSaid | null;
  beside?: AdjacentTextSaid | null;
  candidates?: CandidateSaid[] | null;
}

export interface StaleShotFacts {
  why?: string;
  by?: PointSaid;
  on?: string;
  onRole?: string;
  onName?: string;
  onToken?: number;
  was?: string;
  wasRole?: string;
  wasName?: string;
  wasToken?: number;
  from?: ViewSizeSaid;
  to?: ViewSizeSaid;
}

export interface SubmittedArg {
  wait: number;
}

export interface SubmittedSaid {
  sent?: boolean;
}

export interface SubmitterSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  real?: boolean;
  control?: PressSaid | null;
  field?: PressSaid | null;
  invalid?: InvalidFieldSaid[] | null;
}

export interface TargetFacts {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  called?: boolean;
  was?: SeenAsSaid | null;
  beside?: AdjacentTextSaid | null;
  secret?: boolean;
}

export interface Targeted {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
}

export interface TextArg {
  target: Wanted;
  patience: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  veils: boolean;
}

export interface TextSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  value?: string;
  unseen?: number;
}

export interface TimeoutFacts {
  state?: string;
  seen?: string;
  element?: string;
  text?: string;
  shows?: string;
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  called?: boolean;
  was?: SeenAsSaid | null;
  beside?: AdjacentTextSaid | null;
  secret?: boolean;
  by?: string;
  byRole?: string;
  byName?: string;
  byToken?: number;
  reason?: string;
  loading?: boolean;
  moving?: string;
  property?: string;
  changed?: string;
  changes?: number;
  ms?: number;
  stale?: boolean;
}

export interface ToggledSaid {
  checked?: string | null;
  removed?: boolean;
}

export interface TypedArg {
  text: string;
  wait: number;
  anywhere: boolean;
  effects: boolean;
  behind?: InputEnd;
}

export interface TypedSaid {
  outcome?: string;
  value?: string;
  length?: number;
  secret?: boolean;
  editor?: boolean;
  fields?: number;
  keys?: number;
  stray?: number;
  replaced?: boolean;
  effects?: SeenEffectsSaid | null;
}

export interface UnfoldedArg {
  wait: number;
}

export interface UnrollArg {
  target?: Wanted;
  patience?: number;
  longest?: number;
  watch?: boolean;
  hovered?: boolean;
  page?: boolean;
  within?: number;
}

export interface UnrolledSaid {
  gone?: boolean;
  part?: ContentPartSaid | null;
  width?: number;
  height?: number;
  changes?: number;
  screen?: PointSaid;
}

export interface UnrollingSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  ofFrame?: boolean;
  ofPage?: boolean;
  scrolls?: boolean;
  transformed?: boolean;
  width?: number;
  height?: number;
}

export interface UnstableFacts {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  called?: boolean;
  was?: SeenAsSaid | null;
  beside?: AdjacentTextSaid | null;
  secret?: boolean;
  from?: RectSaid;
  to?: RectSaid;
}

export interface UnsuitableFacts {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  called?: boolean;
  was?: SeenAsSaid | null;
  beside?: AdjacentTextSaid | null;
  secret?: boolean;
  reason?: string;
  type?: string;
  multiple?: boolean;
  values?: string[] | null;
  frames?: number;
  inner?: string;
  innerRole?: string;
  innerName?: string;
  innerToken?: number;
  focused?: string;
  focusedRole?: string;
  focusedName?: string;
  focusedToken?: number;
}

export interface UsageFacts {
  state?: string;
}

export interface ValueArg {
  token: number;
  expect: string;
  wait?: number;
  inserted?: boolean;
  effects?: boolean;
}

export interface ViewSaid {
  screen?: PointSaid;
  width?: number;
  height?: number;
  ratio?: number;
}

export interface ViewSizeSaid {
  width?: number;
  height?: number;
  ratio?: number;
  zoom?: number;
}

export interface ViewportSizeSaid {
  width?: number;
  height?: number;
}

export interface WaitArg {
  target?: Wanted;
  state?: string;
  text?: string;
  fresh?: boolean;
  patience: number;
  id: number;
}

export interface WaitedSaid {
  token?: number;
  count?: number;
  index?: number;
  whole?: boolean;
  tag?: string;
  role?: string;
  name?: string;
  healed?: boolean;
  item?: string;
  was?: SeenAsSaid | null;
  called?: boolean;
  beside?: AdjacentTextSaid | null;
  met?: boolean;
  text?: string;
  already?: boolean;
  since?: string;
}

export interface WallSaid {
  kind?: string;
  by?: string;
  why?: string;
  retryAfter?: number;
  do?: string;
}

export interface Wanted {
  ref?: WantedRef;
  at?: WantedPoint;
  css?: string;
  xpath?: string;
  find?: WantedFind;
  index?: number;
  strict?: boolean;
  beside?: string;
  label?: string;
}

export interface WantedFind {
  by: string;
  value: string;
  name?: string;
  exact?: boolean;
  regex?: string;
  flags?: string;
  is?: { [key: string]: string };
  within?: WantedLandmark;
}

export interface WantedLandmark {
  role: string;
  name?: string;
  exact?: boolean;
  regex?: string;
  flags?: string;
}

export interface WantedPoint {
  x: number;
  y: number;
  shot?: string;
  page?: boolean;
}

export interface WantedRef {
  token: number;
  role: string;
  name: string;
  doc: string;
  rest: boolean;
  left?: Element;
}

export interface WatchGestureArg {
  x: number;
  y: number;
  token?: number;
}

export interface WithEffectsSaid {
  effects?: SeenEffectsSaid | null;
}

export interface WrittenHTMLSaid {
  url?: string;
  title?: string;
  contentType?: string;
  parts?: string[] | null;
  frames?: number[] | null;
  marks?: string[] | null;
}
