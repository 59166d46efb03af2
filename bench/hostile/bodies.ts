import { gzipSync } from "node:zlib";

/** A client format, as the benchmark speaks it. */
export interface Format {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The field that holds the messages. */
  readonly listKey: string;
  /** One user message with this text, which is JSON already. */
  message(textJson: string): string;
  /** The other fields that a request needs, as JSON without braces. */
  readonly fields: string;
  /** One tool, as JSON. */
  tool(index: number): string;
}

/** A body that no real client sends. */
export interface HostileBody {
  readonly name: string;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends only the first bytes and leaves the rest out. */
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

/** Makes the hostile bodies of a format, one at a time. */
export function* hostileBodies(format: Format): Generator<HostileBody> {
  const { listKey, message, fields, tool } = format;
  const withMessages = (messages: string, more = "") => text(`{${fields},"${listKey}":[${messages}]${more}}`);
  const withText = (json: string) => withMessages(message(json));
  const withField = (json: string) => withMessages(message('"hi"'), `,"metadata":${json}`);
  const list = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i)).join();

  yield {
    name: "1,000,000 top-level keys, 12 MB",
    body: text(`{${list(MB, (i) => `"k${i}":1`)},${fields},"${listKey}":[]}`),
  };
  yield {
    name: "100,000 top-level keys, 1.1 MB",
    body: withMessages(message('"hi"'), `,${list(100_000, (i) => `"k${i}":1`)}`),
  };
  yield {
    name: "1,000,000 equal model keys",
    body: withMessages(message('"hi"'), `,${list(MB, () => '"model":"a"')}`),
  };
  yield { name: "62 MB of [[[…", body: text("[".repeat(62 * MB)) };
  yield { name: "62 MB of [[[… in a field", body: withField("[".repeat(62 * MB)) };
  yield { name: "5,000,000 nested objects", body: withField(`${'{"a":'.repeat(5 * MB)}1${"}".repeat(5 * MB)}`) };
  yield {
    name: "5,000 nested lists in a message",
    body: withMessages(`{"role":"user","content":${"[".repeat(5_000)}${"]".repeat(5_000)}}`),
  };
  yield { name: "8 MB of text without spaces", body: withText(quoted("abcdefghijklmnopqrstuvwxyz".repeat(320_000))) };
  yield { name: "8 MB of one letter", body: withText(quoted("a".repeat(8 * MB))) };
  yield { name: "60 MB of words", body: withText(quoted("the quick brown fox ".repeat(3 * MB))) };
  yield { name: "20,000,000 empty strings", body: withField(`[${'"",'.repeat(20 * MB)}""]`) };
  yield { name: "10 MB of digits", body: withField("9".repeat(10 * MB)) };
  yield { name: "5,000,000 numbers of 1e999", body: withField(`[${"1e999,".repeat(5 * MB)}0]`) };
  yield { name: "60 MB of escapes in a text", body: withText(`"${"\\u0000".repeat(10 * MB)}"`) };
  yield { name: "60 MB of escaped quotes in a text", body: withText(`"${'\\"'.repeat(30 * MB)}"`) };
  yield { name: "10,000,000 lone surrogates", body: withText(`"${"\\ud800".repeat(10 * MB)}"`) };
  yield { name: "60 MB of white space", body: withMessages(message('"hi"'), " ".repeat(60 * MB)) };
  yield { name: "100,000 messages", body: withMessages(list(100_000, (i) => message(`"message ${i}"`))) };
  yield { name: "50,000 tools", body: withMessages(message('"hi"'), `,"tools":[${list(50_000, tool)}]`) };
  yield { name: "45 MB of base64 in a text", body: withText(quoted(Buffer.alloc(34 * MB, 0x5a).toString("base64"))) };
  yield {
    name: "8 MB of invalid UTF-8",
    body: Buffer.concat([withText('"').subarray(0, -4), Buffer.alloc(8 * MB, 0xff)]),
  };
  yield {
    name: "60 MB that unpack from a gzip bomb",
    body: gzipSync(withText(quoted(" ".repeat(60 * MB)))),
    headers: { "content-encoding": "gzip" },
  };
  yield { name: "1 GB that unpack from a gzip bomb", body: bomb(), headers: { "content-encoding": "gzip" } };
  yield { name: "half of 60 MB", body: withText(quoted("a".repeat(60 * MB))).subarray(0, 30 * MB), isHalf: true };
}

function text(json: string): Buffer {
  return Buffer.from(json, "latin1");
}

function quoted(plain: string): string {
  return `"${plain}"`;
}

let packed: Buffer | undefined;

/** Members of a gzip file may follow one another, so one packed megabyte is enough. */
function bomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(16 * MB, 0x20));
  return Buffer.concat(Array.from({ length: 64 }, () => packed ?? Buffer.alloc(0)));
}
