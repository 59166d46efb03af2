import { LonghaulError, NO_USAGE, parseJsonText, type Reply, type Usage } from "@longhaul/conversation/advanced";
import { type Codec, type ReplyDraft, replyCollector, sseReader } from "@longhaul/wire";
import { readWhole } from "./read-answer.ts";

export interface ReplyOptions {
  readonly codec: Codec;
  readonly isStream: boolean;
  /** A stream with a longer text is not read to its end. */
  readonly maxCharacters: number;
  /** @default the reader's own limit */
  readonly maxEventBytes?: number | undefined;
}

/** A model's reply, or the error that made it unreadable and the usage reported until then. */
export type ReadReply =
  | { readonly kind: "reply"; readonly reply: Reply; readonly isTooLong: boolean }
  | { readonly kind: "broken"; readonly error: LonghaulError; readonly usage: Usage };

const MAX_BYTES = 8 * 1024 * 1024;

/** Reads an answer, whole or streamed, into one reply. Errors other than `LonghaulError` are thrown. */
export async function readReply(body: AsyncIterable<Uint8Array>, options: ReplyOptions): Promise<ReadReply> {
  return options.isStream ? readStream(body, options) : readBody(body, options);
}

async function readBody(body: AsyncIterable<Uint8Array>, { codec, maxCharacters }: ReplyOptions): Promise<ReadReply> {
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
    throw new LonghaulError("upstream.broken", "the upstream's response is not valid JSON; try again", { cause });
  }
}

function charactersIn({ blocks }: Reply): number {
  return blocks.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
}

async function readStream(body: AsyncIterable<Uint8Array>, options: ReplyOptions): Promise<ReadReply> {
  const { maxCharacters } = options;
  let draft: ReplyDraft = replyCollector.start();
  let characters = 0;
  try {
    for await (const event of eventsIn(body, options)) {
      draft = replyCollector.step(draft, event);
      if (event.type === "text-delta") characters += event.text.length;
      if (characters > maxCharacters) break;
    }
    const isTooLong = characters > maxCharacters;
    const ended: ReplyDraft = isTooLong ? { ...draft, stopReason: "length" } : draft;
    return { kind: "reply", reply: replyCollector.end(ended), isTooLong };
  } catch (error) {
    return broken(error, draft.usage);
  }
}

async function* eventsIn(body: AsyncIterable<Uint8Array>, { codec, maxEventBytes }: ReplyOptions) {
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

function broken(error: unknown, usage: Usage): ReadReply {
  if (error instanceof LonghaulError) return { kind: "broken", error, usage };
  throw error;
}
