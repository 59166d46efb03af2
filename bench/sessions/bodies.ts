/** The formats that the sessions are sent in. The upstream's is `chat`. */
export type Format = "chat" | "messages";

export interface SessionBody {
  readonly format: Format;
  readonly session: number;
  /** How many exchanges it has: a reply with a tool call, and its result. */
  readonly exchanges: number;
}

/** Bytes of one exchange. */
export const EXCHANGE_BYTES = 4_096;
const REPLY_BYTES = 400;
const ARGUMENT_BYTES = 80;
const RESULT_BYTES = EXCHANGE_BYTES - REPLY_BYTES - ARGUMENT_BYTES - 250;

/** Writes the body of a session. All text comes from one pool, so that a body costs only its copy. */
export function sessionBody({ format, session, exchanges }: SessionBody): Buffer {
  const write = WRITERS[format];
  const pieces: (Buffer | string)[] = [write.opening(session)];
  for (let at = 0; at < exchanges; at++) {
    const id = `call_${session}_${at}`;
    pieces.push(
      ...write.exchange(id, [textAt(id, 0, REPLY_BYTES), textAt(id, 1, ARGUMENT_BYTES), textAt(id, 2, RESULT_BYTES)]),
    );
  }
  pieces.push(write.ending);
  return Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
}

/** Texts of a reply, the argument of its call, and the result. */
type Texts = readonly [reply: Buffer, argument: Buffer, result: Buffer];

interface Writer {
  opening(session: number): string;
  exchange(id: string, texts: Texts): (Buffer | string)[];
  readonly ending: string;
}

const SYSTEM = "You are a coding agent. Read the files, change them, run the tests.";

const WRITERS: Readonly<Record<Format, Writer>> = {
  chat: {
    opening: (session) =>
      `{"model":"gpt-4o","messages":[{"role":"system","content":"${SYSTEM}"},{"role":"user","content":"Task ${session}: fix module ${session}."}`,
    exchange: (id, [reply, argument, result]) => [
      ',{"role":"assistant","content":"',
      reply,
      `","tool_calls":[{"id":"${id}","type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"`,
      argument,
      `\\"}"}}]},{"role":"tool","tool_call_id":"${id}","content":"`,
      result,
      '"}',
    ],
    ending: "]}",
  },
  messages: {
    opening: (session) =>
      `{"model":"gpt-4o","max_tokens":1000,"system":"${SYSTEM}","messages":[{"role":"user","content":"Task ${session}: fix module ${session}."}`,
    exchange: (id, [reply, argument, result]) => [
      ',{"role":"assistant","content":[{"type":"text","text":"',
      reply,
      `"},{"type":"tool_use","id":"${id}","name":"read_file","input":{"path":"`,
      argument,
      `"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}","content":"`,
      result,
      '"}]}',
    ],
    ending: "]}",
  },
};

const POOL_BYTES = 1024 * 1024;
const WORDS =
  "value index const return if else import from async await file path test module result error line name list".split(
    " ",
  );
const MARKS = ["(", ")", " = ", ".", ", ", ": ", " ", " ", "_", "\\n", "\\n  "];
const POOL = makePool();

function makePool(): Buffer {
  let state = 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let text = "";
  while (text.length < POOL_BYTES) {
    const word = next(4) === 0 ? next(100_000).toString(36) : (WORDS[next(WORDS.length)] ?? "");
    text += `${word}${MARKS[next(MARKS.length)] ?? ""}`;
  }
  return Buffer.from(text);
}

/** A text of the pool that starts with its own name, so that no two are the same. It never begins or ends inside an escape. */
function textAt(id: string, part: number, bytes: number): Buffer {
  let hash = part + 1;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 16_777_619);
  const from = (hash >>> 0) % (POOL_BYTES - 2 * bytes);
  const start = POOL.indexOf(" ", from);
  const end = POOL.lastIndexOf(" ", start + bytes);
  return Buffer.concat([Buffer.from(`${id} `), POOL.subarray(start, end)]);
}
