// What Python sends and what the modules of the browser share. The names in Head, Field and Part are those that
// pages/framework/rendering writes.
import type {Chart} from "../chart/chart.js";

declare global {
  var Plotly: any;
  var dpStage: {promise: Promise<any>; resolve: (draw: any) => void} | undefined;
}

/** What Streamlit hands to the component at each run. */
export interface Component {
  data: Uint8Array<ArrayBuffer>;
  parentElement: HTMLElement;
  setTriggerValue: (name: string, value: unknown) => void;
}

/** What Python must tell the engine once. */
export interface Settings {
  plotlyPath: string;
  reportLimits: [items: number, characters: number];
  uploadSentences: Record<string, string>;
}

export type Texts = Record<string, string>;

/** A parameter, as its fields and markers need it. */
export interface Field {
  label: string;
  caption?: string;
  complement?: string;
  symbol: string;
  help?: string;
  ends?: string;
  meant?: string;
  lines?: boolean;
  links?: boolean;
  automatic?: {text: string; name: string};
  steps?: string[];
  options?: Record<string, string>;
  question?: boolean;
  search?: [items: number, shown: number];
  link?: {label: string; key: string; option: string; slot: string};
  used: string;
  value: number;
}

/** A number, with the texts of its slider. */
export type NumberField = Field & {caption: string; steps: string[]};

/** A choice between options, whose names are given by their texts. */
export type ChoiceField = Field & {options: Record<string, string>};

export interface Demonstration {
  key: string;
  title: string;
  place: number;
  links: string[];
  classroom: string;
  moved: boolean;
  code: string;
  text: string;
  hidden: string[];
  picture: string;
  axes: Record<string, [number, number]>;
  sweep: {key: string; start: string; end: string} | null;
  quiz: {question: string; choices: string[]; right: number | null; room: string} | null;
}

/** What each response says of the page, before its bodies. */
export interface Head {
  n: number;
  session: string;
  run: number;
  page: string;
  section: string;
  link: string;
  view: string;
  dark: boolean;
  present: boolean;
  pinned: boolean | null;
  question: string;
  version: string;
  shortLink: string;
  picture: string;
  carried: Record<string, [string, string]>;
  aside: boolean;
  notices: string[];
  problems: string[];
  included: string;
  entered: Record<string, [text: string, problem: string]>;
  data: Record<string, string | null>;
  busy: boolean;
  working: [seconds: number, most: number] | null;
  demo: Demonstration | null;
  bodies: [kind: string, about: any, bytes: Uint8Array<ArrayBuffer>][];
}

/** What Python is asked; see pages/framework/layout/page_run.py for each key. */
export interface Request {
  n?: number;
  how?: "push" | "replace" | "none";
  set?: Texts;
  link?: string;
  view?: string;
  [key: string]: any;
}

/** A part of a stage: a chart, a table, words, fields, or other parts. */
export interface Part {
  kind: string;
  name?: string;
  parts?: Part[];
  [key: string]: any;
}

/** A tab: the page, null for the open one, the key of its section, and its name. */
export type Tab = [string | null, string, string, string[]];

/** A short text under a name: what is in sight, what is folded, and the other names by which a search finds it. */
export interface Article {
  key: string;
  name: string;
  names: string[];
  html: string;
  more: string;
}

/** The content of a stage at one setting. */
export interface StageContent {
  answer: string[];
  answerButtons?: Record<string, string>;
  isAsking?: boolean; // before there is an answer
  conditions?: {lead: string; items: {key: string; words: string; state: string}[]};
  section: string;
  tabs?: Tab[];
  controls: string[];
  moreSettings?: {keys: string[]; changed: number};
  fields: Record<string, Field>;
  parts: Part[];
  isLeadMissing?: boolean; // at this setting, as while a field has no usable text
}

/** A part as it stands in the page: its element, and what the module that draws its kind keeps of it. */
export interface PartView {
  host: Element;
  node: HTMLElement;
  part?: Part;
  chart?: Chart;
  [key: string]: any;
}

/** What a chart asks of the page. */
export interface Controls {
  field: (key: string) => Field | undefined;
  text: (key: string) => string;
  value: (key: string) => number;
  move: (key: string, text: string) => void;
  release: (key: string) => void;
  set: (entries: Texts, fromHandle?: boolean) => void;
  prefetch: (key: string) => void;
}
