import { hash } from "node:crypto";
import { LruMap, parseJsonText, type Request } from "@longhaul/conversation";
import type { CachingCounter } from "@longhaul/models";
import type { Codec, Span } from "@longhaul/wire";
import { splitUnknown } from "../request/body-bytes.ts";
import type { Call } from "../request/call.ts";
import { makePauses, once } from "../threads/timing.ts";
import { boundTo, ConversationHashes } from "./conversation-hashes.ts";
import {
  decodeSpan,
  type KnownMessage,
  type KnownMessages,
  knowMessage,
  type LookedUp,
  type MeasurePiece,
} from "./known-messages.ts";
import {
  type FoundPrefix,
  HashedList,
  type KnownConversation,
  KnownPrefixes,
  keepMark,
  type PrefixHashes,
} from "./known-prefixes.ts";
import { headPrintOf, largeHead, type Measuring, measuring, type Paced } from "./measuring.ts";
import { type MessageFacts, type PackedMessage, unpackMessages } from "./packed-messages.ts";

/** The content of a request, read without parsing messages that are known already. */
export interface History {
  /** Everything but the messages: parameters, system, tools. */
  readonly head: Request;
  /**
   * The messages, without leading system messages in formats where those are the system prompt. The hashes of a known message are read from
   * the body when they are used: call `complete` before using many of them.
   */
  readonly messages: readonly KnownMessage[];
  readonly headTokens: number;
  /** The part of `headTokens` for tools. */
  readonly toolTokens: number;
  readonly messageTokens: readonly number[];
  /** Tokens of the whole request. */
  readonly tokens: number;
  /** The positions of the messages in the body; undefined if it was parsed as a whole. */
  readonly layout: Layout | undefined;
  /**
   * Hashes of all message content, results and thinking included: entry `i` covers the first `i + 1`. An entry is empty if it is unknown;
   * `complete` reads those, too. The last one is always known.
   */
  prefixes(): readonly string[];
  /** The same without content that clients clear from old messages, bound to the client's name for the conversation. */
  loosePrefixes(conversation: string): readonly string[];
  /** Returns the hashes of the first messages; undefined if they are unknown. */
  hashesAt(messages: number): PrefixHashes | undefined;
  /** Keeps the hashes of the first messages for later turns, because state is stored under them. */
  mark(messages: number): void;
  /** The same for the messages before the new ones. Only those of the last turn are kept. */
  markTurn(messages: number): void;
  /** Hash of the system prompt and the tools. */
  headPrint(): string;
  /** Reads the known messages again, with pauses, so that every hash is known. */
  complete(): Promise<void>;
  /** The record of this conversation for its next turn, if there is one. */
  readonly kept: KnownConversation | undefined;
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
}

const MAX_HEADS = 1_000;

/** Larger heads are not cached: a thousand of them would fill the memory. */
const MAX_HEAD_BYTES = 512 * 1024;

export interface HistoryOptions {
  /** Reads and counts large messages and heads in another thread. @default on this one */
  readonly measure?: MeasurePiece;
  /** @default its own */
  readonly prefixes?: KnownPrefixes;
  /** Loads conversations that other processes know. @default none */
  readonly load?: (list: HashedList, place: string) => Promise<void>;
}

/** Reads histories with these known messages. A turn costs only its new messages and one hash of the others. */
export function makeHistories(
  known: KnownMessages,
  { measure, prefixes = new KnownPrefixes(), load }: HistoryOptions = {},
): Histories {
  const heads = new LruMap<Request>(MAX_HEADS);
  const headOf = async (bytes: Buffer, call: Call, { large, pauses }: Paced): Promise<Request> => {
    if (bytes.length > MAX_HEAD_BYTES) return await largeHead(bytes, call, { large, pauses });
    const key = `${call.codec.id}/${hash("sha256", bytes, "base64url")}`;
    const found =
      heads.get(key) ?? call.codec.decodeRequest(parseJsonText(bytes.toString("utf8")), { ...call.endpoint });
    heads.set(key, found);
    return found;
  };
  return {
    read: async (call, counter) => {
      const { body, codec } = call;
      const pauses = makePauses();
      const large = measuring(call, counter, measure);
      const place = `${call.caller.tenant}/${codec.id}/${counter.tokenizer ?? ""}`;
      let list: HashedList | undefined;
      let prefix: FoundPrefix | undefined;
      const findKnown = (start: number) => {
        list = hashedList(body, start);
        prefix = prefixes.find(list, place);
        return prefix && knownEntries(prefix, start);
      };
      if (load !== undefined && splitUnknown(body, codec.messagesField, findKnown)?.known === undefined)
        await loadFor(list, place, load);
      const looked = await known.lookUp(body, codec, { learnLarge: large.learn, findKnown });
      if (looked === undefined) return await parsedHistory(call, counter);
      const parts = splitParts(looked, { prefix, list }, codec);
      const head = await headOf(headBytes(body, parts), call, { large, pauses });
      const tokens = await countAdded(parts, { counter, large });
      const hashes = new ConversationHashes(prefix, parts.added);
      await hashes.prepare(pauses);
      const kept = keepConversation(prefixes, { parts, place, tokens, hashes, counter });
      const reread = async () => (await known.lookUp(body, codec, { learnLarge: large.learn }))?.messages;
      return makeHistory({ head, ...parts, tokens, layout: layoutOf(parts), hashes, kept }, { counter, call, reread });
    },
  };
}

async function loadFor(list: HashedList | undefined, place: string, load: NonNullable<HistoryOptions["load"]>) {
  if (list !== undefined) await load(list, place);
}

function knownEntries({ conversation, stop }: FoundPrefix, start: number) {
  return { count: conversation.opening + stop.messages, values: stop.values, to: start + stop.bytes };
}

/** Stores the record of a conversation for its next turn. */
function keepConversation(
  prefixes: KnownPrefixes,
  { parts, place, tokens, hashes, counter }: Keeping,
): KnownConversation | undefined {
  const { prefix, list, opening, headTo, added, spans, values } = parts;
  if (list === undefined || added.length === 0) return prefix?.conversation;
  const packed = added.flatMap((facts, index): PackedMessage[] => {
    const { from, to } = spans[index] ?? NOWHERE;
    const sizes = counter.sizesOf(facts.fingerprint);
    return sizes === undefined ? [] : [{ facts, span: { from: from - list.start, to: to - list.start }, sizes }];
  });
  if (packed.length < added.length) return undefined;
  const kept = prefixes.grow(list, {
    place,
    opening,
    openingTo: opening === 0 ? 0 : headTo - list.start,
    found: prefix,
    added: packed,
    tokens,
    values,
    ratio: counter.ratio,
    knownTokens: knownTokens(prefix, counter),
    hashesAt: (messages) => hashes.at(messages),
  });
  const replyAt = added.findIndex(({ role }) => role === "assistant");
  if (kept?.marks.size === 0 && replyAt !== -1) {
    const first = Math.max(1, (prefix?.stop.messages ?? 0) + replyAt);
    const known = hashes.at(first);
    if (known !== undefined) keepMark(kept, first, known);
  }
  return kept;
}

interface Keeping {
  readonly parts: Parts;
  readonly place: string;
  readonly tokens: readonly number[];
  readonly hashes: ConversationHashes;
  readonly counter: CachingCounter;
}

const lists = new WeakMap<Uint8Array, HashedList>();

/** A body is often read several times, for example for several destinations. */
function hashedList(body: Uint8Array, start: number): HashedList {
  const known = lists.get(body);
  if (known?.start === start) return known;
  const list = new HashedList(body, start);
  lists.set(body, list);
  return list;
}

/** The messages of a body: a known prefix, then those that were looked up. */
interface Parts {
  readonly prefix: FoundPrefix | undefined;
  /** Absent if the body was parsed as a whole. */
  readonly list: HashedList | undefined;
  readonly opening: number;
  /** Where the head's part before the messages ends. */
  readonly headTo: number;
  /** Where the first message starts, even if there is none. */
  readonly start: number;
  readonly added: readonly KnownMessage[];
  readonly spans: readonly Span[];
  readonly values: readonly number[];
  readonly fields: ReadonlyMap<string, Span>;
}

function splitParts({ messages, spans, fields, values }: LookedUp, { prefix, list }: Listed, codec: Codec): Parts {
  const known = { prefix, list, fields };
  if (prefix !== undefined && list !== undefined) {
    const { opening, openingTo, firstFrom } = prefix.conversation;
    const start = list.start + firstFrom;
    const headTo = opening === 0 ? start : list.start + openingTo;
    return { ...known, opening, headTo, start, added: messages, spans, values };
  }
  const opening = openingMessages(messages, codec);
  const listFrom = fields.get(codec.messagesField)?.from ?? 0;
  const start = spans[opening]?.from ?? spans[opening - 1]?.to ?? listFrom + 1;
  const headTo = spans[opening - 1]?.to ?? start;
  const [added, rest, counts] = [messages.slice(opening), spans.slice(opening), values.slice(opening)];
  return { ...known, opening, headTo, start, added, spans: rest, values: counts };
}

interface Listed {
  readonly prefix: FoundPrefix | undefined;
  readonly list: HashedList | undefined;
}

/** Returns how many leading messages are the system prompt, in formats that have it there. */
function openingMessages(messages: readonly KnownMessage[], { opensWithSystem }: Codec): number {
  if (!opensWithSystem) return 0;
  const first = messages.findIndex(({ role }) => role !== "system");
  return first === -1 ? messages.length : first;
}

/** Returns the body without its messages, except those that are the system prompt. */
function headBytes(body: Uint8Array, { headTo, spans, prefix, list }: Parts): Buffer {
  const knownTo = prefix === undefined || list === undefined ? headTo : list.start + prefix.stop.bytes;
  return Buffer.concat([body.subarray(0, headTo), body.subarray(spans.at(-1)?.to ?? knownTo)]);
}

/** Parses a body that cannot be split as a whole, with the same result. */
async function parsedHistory(call: Call, counter: CachingCounter): Promise<History> {
  await call.prepare();
  const request = call.wholeRequest();
  const { messages } = request.conversation;
  const head = { ...request, conversation: { ...request.conversation, messages: [] } };
  const added: KnownMessage[] = [];
  const tokens: number[] = [];
  const pauses = makePauses();
  for (const message of messages) {
    await pauses.take();
    added.push(knowMessage(message));
    tokens.push(counter.countMessage(message));
  }
  const hashes = new ConversationHashes(undefined, added);
  await hashes.prepare(pauses);
  const read = { head, prefix: undefined, added, tokens, layout: undefined, hashes, kept: undefined, list: undefined };
  return makeHistory({ ...read, opening: 0 }, { counter, call, reread: async () => added });
}

/** Counts the messages that were looked up. */
async function countAdded(
  { added, spans }: Parts,
  { counter, large }: { readonly counter: CachingCounter; readonly large: Measuring },
): Promise<readonly number[]> {
  const pauses = makePauses();
  const tokens: number[] = [];
  for (const [index, { fingerprint }] of added.entries()) {
    const known = counter.countKnown(fingerprint);
    if (known === undefined) await pauses.take();
    tokens.push(known ?? (await large.countMessage(spans[index] ?? NOWHERE)));
  }
  return tokens;
}

const NOWHERE: Span = { from: 0, to: 0 };

function layoutOf({ prefix, list, spans, fields, start }: Parts): Layout {
  const all = once(() => {
    const from = list?.start ?? 0;
    return [...unpacked(prefix).map(({ span }) => ({ from: from + span.from, to: from + span.to })), ...spans];
  });
  return {
    fields,
    start,
    get spans() {
      return all();
    },
  };
}

const unpackedParts = new WeakMap<FoundPrefix, readonly PackedMessage[]>();

function unpacked(prefix: FoundPrefix | undefined): readonly PackedMessage[] {
  if (prefix === undefined) return [];
  const { conversation, stop } = prefix;
  const { packed, openingTo } = conversation;
  const messages = unpackedParts.get(prefix) ?? unpackMessages(packed.subarray(0, stop.packedBytes), openingTo);
  unpackedParts.set(prefix, messages);
  return messages;
}

interface Read extends Pick<Parts, "prefix" | "list" | "opening" | "added">, Pick<History, "head" | "layout" | "kept"> {
  readonly tokens: readonly number[];
  readonly hashes: ConversationHashes;
}

interface Reading {
  readonly counter: CachingCounter;
  readonly call: Call;
  /** Reads every message. */
  reread(): Promise<readonly KnownMessage[] | undefined>;
}

function makeHistory(read: Read, { counter, call, reread }: Reading): History {
  const { head, layout, prefix, added, kept } = read;
  const { system, tools } = head.conversation;
  const toolTokens = counter.countTools(tools);
  const headTokens = counter.countSystem(system) + toolTokens;
  let { hashes } = read;
  let messages = once(() => [...knownMessages(read, call), ...added]);
  const messageTokens = once(() => [...unpacked(prefix).map(({ sizes }) => counter.countSizes(sizes)), ...read.tokens]);
  const complete = once(async () => {
    const all = prefix && (await reread())?.slice(read.opening);
    if (all === undefined) return;
    messages = once(() => [...all]);
    hashes = new ConversationHashes(undefined, all);
    await hashes.prepare(makePauses());
  });
  return {
    head,
    layout,
    headTokens,
    toolTokens,
    tokens: read.tokens.reduce((sum, each) => sum + each, headTokens + knownTokens(prefix, counter)),
    get messages() {
      return messages();
    },
    get messageTokens() {
      return messageTokens();
    },
    prefixes: () => hashes.all("content"),
    loosePrefixes: (conversation) => hashes.all("loose").map((loose) => boundTo(conversation, loose)),
    hashesAt: (count) => hashes.at(count),
    mark: (count) => {
      const known = hashes.at(count);
      if (kept !== undefined && known !== undefined) keepMark(kept, count, known);
    },
    markTurn: (count) => {
      const known = hashes.at(count);
      if (kept !== undefined && known !== undefined) kept.turn = [count, known];
    },
    headPrint: () => headPrintOf(head),
    complete,
    kept,
  };
}

function knownTokens(prefix: FoundPrefix | undefined, counter: CachingCounter): number {
  if (prefix === undefined) return 0;
  const { tokens, ratio } = prefix.stop;
  if (ratio === counter.ratio) return tokens;
  return unpacked(prefix).reduce((sum, { sizes }) => sum + counter.countSizes(sizes), 0);
}

/** Returns the messages of the known prefix. Their hashes are read from the body when they are used. */
function knownMessages({ prefix, list }: Read, { body, codec }: Call): readonly KnownMessage[] {
  const from = list?.start ?? 0;
  return unpacked(prefix).map(({ facts, span }) => {
    const bytes = () => body.subarray(from + span.from, from + span.to);
    return withHashes(facts, () => {
      const message = decodeSpan(bytes(), codec);
      return message === undefined ? UNKNOWN : knowMessage(message);
    });
  });
}

type Hashes = Omit<KnownMessage, keyof MessageFacts>;

/** Bytes that were read before are valid. */
const UNKNOWN: Hashes = { fingerprint: "", looseFingerprint: "", clearable: "", contentPrint: "" };

function withHashes(facts: MessageFacts, read: () => Hashes): KnownMessage {
  const hashes = once(read);
  return {
    ...facts,
    get fingerprint() {
      return hashes().fingerprint;
    },
    get looseFingerprint() {
      return hashes().looseFingerprint;
    },
    get clearable() {
      return hashes().clearable;
    },
    get contentPrint() {
      return hashes().contentPrint;
    },
  };
}
