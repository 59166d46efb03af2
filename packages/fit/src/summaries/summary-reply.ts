import {
  LonghaulError,
  NO_USAGE,
  parseJsonText,
  type Reply,
  type StreamEvent,
  type Usage,
} from "@longhaul/conversation";
import { type Incoming, readWhole } from "@longhaul/upstream";
import { type Codec, type ReplyDraft, replyCollector, sseReader } from "@longhaul/wire";

/** How an answer is read. */
export interface ReplyReading {
  readonly codec: Codec;
  readonly isStream: boolean;
  /** A text that is longer is not read to its end. */
  readonly maxCharacters: number;
  /** @default that of the reader */
  readonly maxEventBytes?: number | undefined;
}

/** What a model said. */
export type SummaryReply =
  | { readonly kind: "reply"; readonly reply: Reply; readonly isTooLong: boolean }
  /** What can't be read, and what was reported until then. */
  | { readonly kind: "broken"; readonly error: LonghaulError; readonly usage: Usage };

/** No answer of a model in one piece is larger than this. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Reads an answer, whole or streamed. A stream that says too much is ended here. */
export async function readSummaryReply(body: Incoming["body"], reading: ReplyReading): Promise<SummaryReply> {
  return reading.isStream ? readStreamedReply(body, reading) : readWholeReply(body, reading);
}

async function readWholeReply(body: Incoming["body"], { codec, maxCharacters }: ReplyReading): Promise<SummaryReply> {
  try {
    const bytes = await readWhole(body, MAX_BYTES);
    const reply = codec.decodeReply(parse(bytes.toString("utf8")));
    return { kind: "reply", reply, isTooLong: charactersIn(reply) > maxCharacters };
  } catch (error) {
    return broken(error, NO_USAGE);
  }
}

function parse(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    throw new LonghaulError("upstream.broken", "the answer is not JSON", { cause });
  }
}

function charactersIn({ blocks }: Reply): number {
  return blocks.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
}

async function readStreamedReply(body: Incoming["body"], reading: ReplyReading): Promise<SummaryReply> {
  const { maxCharacters } = reading;
  let collecting: ReplyDraft = replyCollector.start();
  let characters = 0;
  try {
    for await (const event of eventsIn(body, reading)) {
      collecting = replyCollector.step(collecting, event);
      if (event.type === "text-delta") characters += event.text.length;
      if (characters > maxCharacters) break;
    }
    const isTooLong = characters > maxCharacters;
    const ended: ReplyDraft = isTooLong ? { ...collecting, stopReason: "length" } : collecting;
    return { kind: "reply", reply: replyCollector.end(ended), isTooLong };
  } catch (error) {
    return broken(error, collecting.usage);
  }
}

async function* eventsIn(body: Incoming["body"], { codec, maxEventBytes }: ReplyReading): AsyncGenerator<StreamEvent> {
  let bytes = sseReader.start(maxEventBytes);
  let state = codec.decodeStream.start();
  for await (const chunk of body) {
    const [nextBytes, wireEvents] = sseReader.step(bytes, chunk);
    bytes = nextBytes;
    for (const wireEvent of wireEvents) {
      const [next, events] = codec.decodeStream.step(state, wireEvent);
      state = next;
      yield* events;
    }
  }
  yield* codec.decodeStream.end(state);
}

function broken(error: unknown, usage: Usage): SummaryReply {
  if (error instanceof LonghaulError) return { kind: "broken", error, usage };
  throw error;
}
