import { hash } from "node:crypto";
import { headFingerprint, LruMap, parseJsonText, type Request } from "@longhaul/conversation/advanced";
import type { CachingCounter } from "@longhaul/models";
import { type Codec, checkJsonLimits, type Span } from "@longhaul/wire";
import type { Call } from "../request/call.ts";
import { parsePaced } from "../request/paced-json.ts";
import { finishPaced, makePauses, once, type Pauses } from "../threads/timing.ts";
import type { Counted, MessageSizes } from "./counted.ts";
import {
  decodeSpan,
  type KnownMessage,
  knowMessage,
  type Measured,
  type MeasurePiece,
  measurePiece,
  type Piece,
  sha256,
} from "./known-messages.ts";
import { type Memos, makeMemos } from "./memos.ts";
import { type KnownMessages, LARGE_MESSAGE_BYTES, type LearnMessage, type LookedUp } from "./message-memory.ts";

/** The content of a request, read without parsing messages that are known already. */
export interface History {
  /** Everything but the messages: parameters, system, tools. */
  readonly head: Request;
  /** The messages, without leading system messages in formats where those are the system prompt. */
  readonly messages: readonly KnownMessage[];
  readonly headTokens: number;
  /** The part of `headTokens` for tools. */
  readonly toolTokens: number;
  readonly messageTokens: readonly number[];
  /** Tokens of the whole request. */
  readonly tokens: number;
  /** The positions of the messages in the body; undefined if it was parsed as a whole. */
  readonly layout: Layout | undefined;
  /** Hashes of all message content, results and thinking included: entry `i` covers the first `i + 1`. */
  prefixes(): readonly string[];
  /** The same without content that clients clear from old messages, bound to the client's name for the conversation. */
  loosePrefixes(conversation: string): readonly string[];
  /** Hash of the system prompt and the tools. */
  headPrint(): string;
}

/** The positions of a body's messages. */
export interface Layout {
  readonly spans: readonly Span[];
  /** By top-level field. */
  readonly fields: ReadonlyMap<string, Span>;
  /** The position of the first message, even if there is none. */
  readonly start: number;
}

export interface Histories {
  read(call: Call, counter: CachingCounter): Promise<History>;
  /** Prepares the bytes of a request for decoding. */
  readonly splitKnown: KnownMessages["splitKnown"];
}

/** Several hundred heads of coding agents. */
const MAX_HEADS_BYTES = 96 * 1024 * 1024;
/** A parsed value takes about this much in addition to its text: a JSON of 1 MB may have half a million values. */
const VALUE_BYTES = 64;

/** Larger heads are not cached: parsing them takes long enough to be done with pauses. */
const MAX_HEAD_BYTES = 512 * 1024;

/**
 * Reads histories with these known messages. A turn costs only its new messages, and finding and hashing the others. Large messages and
 * heads are read and counted by `measure`, in another thread.
 */
export function makeHistories(known: KnownMessages, measure?: MeasurePiece): Histories {
  const heads = new LruMap<CachedHead>(MAX_HEADS_BYTES, ({ weight }) => weight);
  const headOf = async (bytes: Buffer, call: Call, { large, pauses }: Paced): Promise<Request> => {
    if (bytes.length > MAX_HEAD_BYTES) return await largeHead(bytes, call, { large, pauses });
    const key = `${call.codec.id}/${hash("sha256", bytes, "base64url")}`;
    const cached = heads.get(key) ?? {
      head: call.codec.decodeRequest(parseJsonText(bytes.toString("utf8")), { ...call.endpoint }),
      weight: 2 * bytes.length + VALUE_BYTES * checkJsonLimits(bytes),
    };
    heads.set(key, cached);
    return cached.head;
  };
  const memos = makeMemos();
  return {
    splitKnown: known.splitKnown,
    read: async (call, counter) => {
      const pauses = makePauses();
      const large = measuring(call, counter, measure);
      const looked = await known.lookUp(call.body, call.codec, large.learn);
      if (looked === undefined) return await parsedHistory(call, counter);
      const opening = openingMessages(looked, call.codec);
      const layout = layoutOf(looked, call.codec, opening);
      const head = await headOf(headBytes(call.body, looked, layout), call, { large, pauses });
      const messages = looked.messages.slice(opening);
      const sizesAt = (index: number) => measureMessage(call, layout.spans[index], { counter, large });
      const { front } = looked;
      const share = (front: Front, counted: Counted) => known.share(call.body, call.codec, { front, counted });
      const reading = { counter, sizesAt, memos, ...(front && { front, opening, share }) };
      return await makeHistory({ head, messages, layout }, reading);
    },
  };
}

interface CachedHead {
  readonly head: Request;
  readonly weight: number;
}

/** Parses a body that cannot be split as a whole, with the same result. */
async function parsedHistory(call: Call, counter: CachingCounter): Promise<History> {
  await call.prepare();
  const request = call.wholeRequest();
  const { messages } = request.conversation;
  const head = { ...request, conversation: { ...request.conversation, messages: [] } };
  const sizesAt = (index: number) => {
    const message = messages[index];
    return message === undefined ? [] : counter.measureMessage(message);
  };
  const known: KnownMessage[] = [];
  const pauses = makePauses();
  for (const message of messages) {
    await pauses.take();
    known.push(knowMessage(message));
  }
  const found = { head, messages: known, layout: undefined };
  return await makeHistory(found, { counter, sizesAt, memos: makeMemos() });
}

interface Reading {
  readonly counter: CachingCounter;
  /** Measures a message for the first time. */
  sizesAt(index: number): MessageSizes | Promise<MessageSizes>;
  readonly memos: Memos;
  /** The known front of the body. The first messages of the body, as many as `opening`, are the system prompt. */
  readonly front?: Front;
  readonly opening?: number;
  /** Keeps the sizes of the front's messages. */
  readonly share?: (front: Front, counted: Counted) => void;
}

type Front = NonNullable<LookedUp["front"]>;

async function makeHistory(
  found: Pick<History, "head" | "messages" | "layout">,
  { counter, sizesAt, memos, front, opening = 0, share }: Reading,
): Promise<History> {
  const { head, messages } = found;
  const { system, tools } = head.conversation;
  const counted = front?.counted?.tokenizer === counter.tokenizer ? front?.counted : undefined;
  const sizes = [...(counted?.sizes ?? [])];
  const pauses = makePauses();
  for (let index = sizes.length; index < messages.length; index++) {
    const print = messages[index]?.fingerprint ?? "";
    const known = counter.knownSizes(print) ?? counted?.after.get(print);
    if (known === undefined) await pauses.take();
    sizes.push(known ?? (await sizesAt(index)));
  }
  const messageTokens = sizes.map(counter.countSizes);
  await memos.prepare(messages, pauses);
  const toolTokens = counter.countTools(tools);
  const headTokens = counter.countSystem(system) + toolTokens;
  const tokens = messageTokens.reduce((sum, each) => sum + each, headTokens);
  if (front !== undefined && counter.tokenizer !== undefined && counter.isEstimate !== true) {
    const length = Math.max(0, front.messages.length - opening);
    const after = messages
      .slice(length)
      .map(({ fingerprint }, index) => [fingerprint, sizes[length + index] ?? []] as const);
    share?.(front, { tokenizer: counter.tokenizer, sizes: sizes.slice(0, length), after: new Map(after) });
  }
  return {
    ...found,
    messageTokens,
    headTokens,
    toolTokens,
    tokens,
    prefixes: once(() => memos.prefixesOf(messages)),
    loosePrefixes: (conversation) => memos.loosePrefixesOf(messages, conversation),
    headPrint: () => headPrintOf(head),
  };
}

const headPrints = new WeakMap<Request, string>();

/** Heads are cached, so each is hashed once. */
function headPrintOf(head: Request): string {
  const print = headPrints.get(head) ?? headFingerprint(head.conversation, sha256);
  headPrints.set(head, print);
  return print;
}

/** Returns how many leading messages are the system prompt, in formats that have it there. */
function openingMessages({ messages }: LookedUp, { opensWithSystem }: Codec): number {
  if (!opensWithSystem) return 0;
  const first = messages.findIndex(({ role }) => role !== "system");
  return first === -1 ? messages.length : first;
}

function layoutOf({ spans, fields }: LookedUp, { messagesField }: Codec, opening: number): Layout {
  const list = fields.get(messagesField)?.from ?? 0;
  const start = spans[opening]?.from ?? spans[opening - 1]?.to ?? list + 1;
  return { spans: spans.slice(opening), fields, start };
}

/** Returns the body without its messages, except those that are the system prompt. */
function headBytes(body: Uint8Array, { spans }: LookedUp, layout: Layout): Buffer {
  const opening = spans[spans.length - layout.spans.length - 1];
  const from = opening?.to ?? layout.start;
  return Buffer.concat([body.subarray(0, from), body.subarray(spans.at(-1)?.to ?? from)]);
}

function measureMessage(
  { body, codec }: Call,
  span: Span | undefined,
  { counter, large }: { readonly counter: CachingCounter; readonly large: Measuring },
): MessageSizes | Promise<MessageSizes> {
  const bytes = body.subarray(span?.from ?? 0, span?.to ?? 0);
  if (bytes.length > LARGE_MESSAGE_BYTES) return large.sizesOf(bytes);
  const message = decodeSpan(bytes, codec);
  return message === undefined ? [] : counter.measureMessage(message);
}

/** Reads and counts large pieces without blocking other requests. */
interface Measuring {
  readonly learn: LearnMessage;
  sizesOf(bytes: Uint8Array): Promise<MessageSizes>;
  countHead(head: Request, bytes: Uint8Array): Promise<void>;
}

function measuring(call: Call, counter: CachingCounter, elsewhere: MeasurePiece | undefined): Measuring {
  const { codec, endpoint } = call;
  const measure = async (kind: Piece["kind"], bytes: Uint8Array): Promise<Measured> => {
    const piece: Piece = {
      kind,
      bytes,
      wire: codec.id,
      line: lineOf(endpoint),
      tokenizer: counter.tokenizer ?? "other",
    };
    const measured = await elsewhere?.(piece);
    const isPoorer = measured?.isEstimate === true && counter.isEstimate !== true;
    return measured === undefined || isPoorer ? measurePiece(piece, counter) : measured;
  };
  const learn = async (bytes: Uint8Array) => {
    const { message } = await measure("message", bytes);
    if (message !== undefined) counter.adoptMessage(message.known.fingerprint, message.sizes);
    return message?.known;
  };
  return {
    learn,
    sizesOf: async (bytes) => counter.knownSizes((await learn(bytes))?.fingerprint ?? "") ?? [],
    countHead: async (head, bytes) => {
      const { head: measured } = await measure("head", bytes);
      if (measured === undefined) return;
      counter.adoptHead(head.conversation, measured.sizes);
      headPrints.set(head, measured.print);
    },
  };
}

function lineOf({ model, stream }: Call["endpoint"]): Piece["line"] {
  return { ...(model === undefined ? {} : { model }), ...(stream === undefined ? {} : { stream }) };
}

interface Paced {
  readonly large: Measuring;
  readonly pauses: Pauses;
}

/** Reads a head that is too large for the cache. */
async function largeHead(bytes: Buffer, { codec, endpoint }: Call, { large, pauses }: Paced): Promise<Request> {
  const body = await parsePaced(bytes, pauses);
  const head = await finishPaced(codec.decodeSteps(body, { ...endpoint }), pauses);
  await large.countHead(head, bytes);
  return head;
}
