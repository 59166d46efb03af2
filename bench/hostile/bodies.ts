import { gzipSync } from "node:zlib";

/** A client format. */
export interface Format {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The field with the messages. */
  readonly listKey: string;
  /** One user message with this text, which is already JSON. */
  message(textJson: string): string;
  /** The other required fields, as JSON without braces. */
  readonly fields: string;
  /** One tool, as JSON. */
  tool(index: number): string;
}

/** A body that no real client sends. */
export interface HostileBody {
  readonly name: string;
  make(): Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Send only the first half. */
  readonly isHalf?: boolean;
}

const SCHEMA = '{"type":"object","properties":{"path":{"type":"string"}}}';

/** The four client formats. */
export const FORMATS: readonly Format[] = [
  {
    name: "openai-chat",
    path: "/v1/chat/completions",
    headers: {},
    listKey: "messages",
    message: (text) => `{"role":"user","content":${text}}`,
    fields: '"model":"gpt-4o"',
    tool: (index) => `{"type":"function","function":{"name":"tool_${index}","parameters":${SCHEMA}}}`,
  },
  {
    name: "anthropic-messages",
    path: "/v1/messages",
    headers: { "anthropic-version": "2023-06-01", "x-api-key": "k" },
    listKey: "messages",
    message: (text) => `{"role":"user","content":${text}}`,
    fields: '"model":"gpt-4o","max_tokens":100',
    tool: (index) => `{"name":"tool_${index}","input_schema":${SCHEMA}}`,
  },
  {
    name: "openai-responses",
    path: "/v1/responses",
    headers: {},
    listKey: "input",
    message: (text) => `{"role":"user","content":${text}}`,
    fields: '"model":"gpt-4o"',
    tool: (index) => `{"type":"function","name":"tool_${index}","parameters":${SCHEMA}}`,
  },
  {
    name: "gemini",
    path: "/v1beta/models/gpt-4o:generateContent",
    headers: { "x-goog-api-key": "k" },
    listKey: "contents",
    message: (text) => `{"role":"user","parts":[{"text":${text}}]}`,
    fields: '"generationConfig":{}',
    tool: (index) => `{"functionDeclarations":[{"name":"tool_${index}","parameters":${SCHEMA}}]}`,
  },
];

const MB = 1_000_000;

/** Returns the hostile bodies of a format; each is built when needed. */
export function hostileBodies(format: Format): readonly HostileBody[] {
  const { listKey, message, fields, tool } = format;
  const withMessages = (messages: string, more = "") => text(`{${fields},"${listKey}":[${messages}]${more}}`);
  const withText = (json: string) => withMessages(message(json));
  const withField = (json: string) => withMessages(message('"hi"'), `,"metadata":${json}`);
  const list = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i)).join();

  return [
    { name: "a small body, for comparison", make: () => withText('"hi"') },
    {
      name: "1,000,000 top-level keys, 12 MB",
      make: () => text(`{${list(MB, (i) => `"k${i}":1`)},${fields},"${listKey}":[]}`),
    },
    {
      name: "100,000 top-level keys, 1.1 MB",
      make: () => withMessages(message('"hi"'), `,${list(100_000, (i) => `"k${i}":1`)}`),
    },
    {
      name: "1,000,000 equal model keys",
      make: () => withMessages(message('"hi"'), `,${list(MB, () => '"model":"a"')}`),
    },
    { name: "62 MB of [[[…", make: () => text("[".repeat(62 * MB)) },
    { name: "62 MB of [[[… in a field", make: () => withField("[".repeat(62 * MB)) },
    { name: "5,000,000 nested objects", make: () => withField(`${'{"a":'.repeat(5 * MB)}1${"}".repeat(5 * MB)}`) },
    {
      name: "5,000 nested lists in a message",
      make: () => withMessages(`{"role":"user","content":${"[".repeat(5_000)}${"]".repeat(5_000)}}`),
    },
    { name: "8 MB of text without spaces", make: () => withText(quoted("abcdefghijklmnopqrstuvwxyz".repeat(320_000))) },
    { name: "8 MB of one letter", make: () => withText(quoted("a".repeat(8 * MB))) },
    { name: "60 MB of words", make: () => withText(quoted("the quick brown fox ".repeat(3 * MB))) },
    { name: "20,000,000 empty strings", make: () => withField(`[${'"",'.repeat(20 * MB)}""]`) },
    { name: "10 MB of digits", make: () => withField("9".repeat(10 * MB)) },
    { name: "5,000,000 numbers of 1e999", make: () => withField(`[${"1e999,".repeat(5 * MB)}0]`) },
    { name: "60 MB of escapes in a text", make: () => withText(`"${"\\u0000".repeat(10 * MB)}"`) },
    { name: "60 MB of escaped quotes in a text", make: () => withText(`"${'\\"'.repeat(30 * MB)}"`) },
    { name: "10,000,000 lone surrogates", make: () => withText(`"${"\\ud800".repeat(10 * MB)}"`) },
    { name: "60 MB of white space", make: () => withMessages(message('"hi"'), " ".repeat(60 * MB)) },
    { name: "100,000 messages", make: () => withMessages(list(100_000, (i) => message(`"message ${i}"`))) },
    { name: "25,000 messages", make: () => withMessages(list(25_000, (i) => message(`"message ${i}"`))) },
    { name: "25,000 tools", make: () => withMessages(message('"hi"'), `,"tools":[${list(25_000, tool)}]`) },
    { name: "50,000 tools", make: () => withMessages(message('"hi"'), `,"tools":[${list(50_000, tool)}]`) },
    { name: "45 MB of base64 in a text", make: () => withText(quoted(Buffer.alloc(34 * MB, 0x5a).toString("base64"))) },
    {
      name: "8 MB of invalid UTF-8",
      make: () => Buffer.concat([withText('"').subarray(0, -4), Buffer.alloc(8 * MB, 0xff)]),
    },
    {
      name: "60 MB from a gzip bomb",
      make: () => gzipSync(withText(quoted(" ".repeat(60 * MB)))),
      headers: { "content-encoding": "gzip" },
    },
    { name: "1 GB from a gzip bomb", make: () => bomb(), headers: { "content-encoding": "gzip" } },
    { name: "half of 60 MB", make: () => withText(quoted("a".repeat(60 * MB))).subarray(0, 30 * MB), isHalf: true },
  ];
}

function text(json: string): Buffer {
  return Buffer.from(json, "latin1");
}

function quoted(plain: string): string {
  return `"${plain}"`;
}

let packed: Buffer | undefined;

/** Gzip members may be concatenated, so one compressed megabyte is enough. */
function bomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(16 * MB, 0x20));
  return Buffer.concat(Array.from({ length: 64 }, () => packed ?? Buffer.alloc(0)));
}
