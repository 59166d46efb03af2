import { type Span, skipBlanks, trimSpan, XML_TOOLS } from "./xml-syntax.ts";

/** A user text composed by an agent client: the user's text, tool results, and the client's own additions. */
export interface UserText {
  /** The tool whose result this text, or the next one, contains. */
  readonly answers?: string;
  readonly own: readonly Span[];
  readonly result: readonly Span[];
  readonly notes: readonly Span[];
  readonly environment: readonly Span[];
}

/** Whether a client with XML tools composed a user text. */
export function isComposed(text: string): boolean {
  const start = skipBlanks(text, 0);
  if (text[start] === "<") return COMPOSED_TAGS.some((tag) => text.startsWith(tag, start));
  return text[start] === "[" && headerOf(text, text.length) !== undefined;
}

const OWN_TAGS = ["task", "user_message", "feedback", "answer"] as const;
const COMPOSED_TAGS = [...OWN_TAGS, "environment_details"].map((tag) => `<${tag}>`);

/** Splits a user text. `isAnswer` means that the previous text announced a tool result and contained nothing else. */
export function readUserText(text: string, isAnswer: boolean): UserText {
  const environment = environmentOf(text);
  const to = environment?.from ?? text.length;
  const header = headerOf(text, to);
  const body = trimSpan(text, { from: header?.end ?? 0, to });
  const parts = body === undefined ? {} : bodyParts(text, body, isAnswer || header !== undefined);
  return {
    own: [],
    result: [],
    notes: [],
    ...parts,
    environment: environment === undefined ? [] : listed(trimSpan(text, environment.inner)),
    ...(header === undefined ? {} : { answers: header.name }),
  };
}

function bodyParts(text: string, body: Span, isResult: boolean): Partial<UserText> {
  const feedback = feedbackIn(text, body);
  if (isResult) {
    const rest = feedback === undefined ? [body] : around(text, body, feedback);
    return { result: rest, own: feedback === undefined ? [] : [feedback.inner] };
  }
  const tagged = taggedAt(text, body.from, body.to) ?? feedback;
  if (tagged !== undefined) return { own: [tagged.inner], notes: around(text, body, tagged) };
  return CLIENT_NOTES.test(text.slice(body.from, body.from + NOTE_CHARS)) ? { notes: [body] } : { own: [body] };
}

/** Sentences that clients add to user messages. */
const CLIENT_NOTES =
  /^(?:\[ERROR\] |\[TASK RESUMPTION\]|Tool \[[^\]]*\] was not executed|Your last assistant response|The user denied this operation\.)/;
const NOTE_CHARS = 120;

interface Tagged extends Span {
  readonly inner: Span;
}

/** Returns what remains of a body before and after a tagged span. */
function around(text: string, body: Span, { from, to }: Span): Span[] {
  return [
    ...listed(trimSpan(text, { from: body.from, to: from })),
    ...listed(trimSpan(text, { from: to, to: body.to })),
  ];
}

function listed(span: Span | undefined): Span[] {
  return span === undefined ? [] : [span];
}

/** Finds one of the user's tags at the start of a body. */
function taggedAt(text: string, from: number, to: number): Tagged | undefined {
  const tag = OWN_TAGS.find((name) => text.startsWith(`<${name}>`, from));
  if (tag === undefined) return undefined;
  const closing = `</${tag}>`;
  const end = text.lastIndexOf(closing, to - closing.length);
  return tagged(text, tag, { from, to: end });
}

function tagged(text: string, tag: string, { from, to: end }: Span): Tagged | undefined {
  const start = from + tag.length + "<>".length;
  const inner = end < start ? undefined : trimSpan(text, { from: start, to: end });
  return inner && { from, to: end + tag.length + "</>".length, inner };
}

/** The client's sentence before text that the user added to a tool result. */
const FEEDBACK = /(?:^|\n)(?:The user [^\n]{0,200}\n)<(feedback|user_message)>/g;

/** Finds the user's text inside a tool result: after the client's sentence, or tagged at the very start. */
function feedbackIn(text: string, { from, to }: Span): Tagged | undefined {
  const atStart = OWN_TAGS.find((name) => name !== "task" && text.startsWith(`<${name}>`, from));
  if (atStart !== undefined)
    return within(tagged(text, atStart, { from, to: text.indexOf(`</${atStart}>`, from) }), to);
  if (!text.includes("\n<feedback>", from) && !text.includes("\n<user_message>", from)) return undefined;
  const search = new RegExp(FEEDBACK);
  search.lastIndex = Math.max(from - 1, 0);
  const found = search.exec(text);
  const tag = found?.[1];
  if (found === null || tag === undefined || search.lastIndex > to) return undefined;
  const opening = search.lastIndex - tag.length - "<>".length;
  const words = within(tagged(text, tag, { from: opening, to: text.indexOf(`</${tag}>`, opening) }), to);
  return words && { ...words, from: found.index };
}

/** Ignores a tag that is closed only after the body. */
function within(found: Tagged | undefined, to: number): Tagged | undefined {
  return found === undefined || found.to > to ? undefined : found;
}

const ENVIRONMENT_START = "<environment_details>";
const ENVIRONMENT_END = "</environment_details>";

/** Finds the client's snapshot of the editor at the end of a text. */
function environmentOf(text: string): Tagged | undefined {
  const whole = trimSpan(text, { from: 0, to: text.length });
  if (whole === undefined || !text.endsWith(ENVIRONMENT_END, whole.to)) return undefined;
  const end = whole.to - ENVIRONMENT_END.length;
  const isWhole = text.startsWith(ENVIRONMENT_START, whole.from) && text.indexOf(ENVIRONMENT_END, whole.from) === end;
  const from = isWhole ? whole.from : startOfLine(text, ENVIRONMENT_START, end);
  if (from === -1) return undefined;
  return { from, to: whole.to, inner: { from: from + ENVIRONMENT_START.length, to: end } };
}

function startOfLine(text: string, tag: string, before: number): number {
  if (text.lastIndexOf(tag, before) === 0) return 0;
  const at = text.lastIndexOf(`\n${tag}`, before);
  return at === -1 ? -1 : at + 1;
}

const HEADER_END = "] Result:";
const HEADER_NAME = /\[([A-Za-z][\w-]*)(?:\]| )/y;

interface Header {
  readonly name: string;
  readonly end: number;
}

/** Matches `[read_file for 'a.ts'] Result:` at the start of a text; a command in it may span several lines. */
function headerOf(text: string, to: number): Header | undefined {
  HEADER_NAME.lastIndex = skipBlanks(text, 0);
  const name = HEADER_NAME.exec(text)?.[1];
  if (name === undefined || !XML_TOOLS.has(name)) return undefined;
  const end = text.indexOf(HEADER_END);
  return end === -1 || end >= to ? undefined : { name, end: end + HEADER_END.length };
}
