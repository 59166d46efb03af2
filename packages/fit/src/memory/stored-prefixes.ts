import { isJsonArray, isJsonObject, type JsonValue, tryParseJson } from "@longhaul/conversation";
import type { StoredPrefix } from "@longhaul/store";
import type { HashedList, KnownConversation, KnownPrefixes, PrefixHashes, Stop } from "../history/known-prefixes.ts";
import type { Anchor, Anchors } from "./anchors.ts";
import type { TolerantStore } from "./tolerant-store.ts";

/** Shares the records of conversations with later processes and other gateways on the same store. */
export interface StoredPrefixes {
  /** Loads the conversations that share the beginning of a list. */
  load(list: HashedList, place: string): Promise<void>;
  /** Stores a conversation in the background if it has grown since it was stored, or has other marks. */
  save(conversation: KnownConversation | undefined): void;
  /** Writes everything that still waits. */
  close(): Promise<void>;
}

export interface StoredPrefixesOptions {
  readonly store: Pick<TolerantStore, "prefixes">;
  readonly prefixes: KnownPrefixes;
  readonly anchors: Pick<Anchors, "at" | "keep">;
}

/** Shorter conversations are counted in less time than the store takes. */
const MIN_BYTES = 32 * 1024;
/** A smaller growth is read again: that takes a millisecond. */
const MIN_GROWTH_BYTES = 16 * 1024;
/** How long a conversation waits for others, to be written in one batch. */
const FLUSH_MS = 500;
/** Further ones are stored on their next turn. */
const MAX_WAITING = 2_000;

export function makeStoredPrefixes({ store, prefixes, anchors }: StoredPrefixesOptions): StoredPrefixes {
  const waiting = new Map<string, KnownConversation>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const rows = [...waiting].map(([opening, each]) => ({ opening, state: encodePrefix(each, anchors) }));
    waiting.clear();
    if (rows.length > 0) await store.prefixes.put(rows);
  };
  return {
    load: async (list, place) => {
      if (list.bytes < MIN_BYTES) return;
      const openings = prefixes.openingsOf(list, place);
      for (const row of openings.length === 0 ? [] : await store.prefixes.find(openings)) {
        const read = readPrefix(row, place);
        if (read === undefined || !prefixes.adopt(row.opening, read.conversation)) continue;
        for (const { prefix, form, anchor } of read.anchors) anchors.keep(form, prefix, anchor);
      }
    },
    save: (conversation) => {
      const bytes = conversation?.stops.at(-1)?.bytes ?? 0;
      if (conversation === undefined || bytes < MIN_BYTES || waiting.size >= MAX_WAITING) return;
      if (bytes - conversation.storedBytes < MIN_GROWTH_BYTES) return;
      conversation.storedBytes = bytes;
      waiting.set(prefixes.openingOf(conversation), conversation);
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    close: flush,
  };
}

const VERSION = 1;

function encodePrefix(conversation: KnownConversation, anchors: Pick<Anchors, "at">): string {
  const { opening, openingTo, firstFrom, stops, packed, marks, turn, proofs } = conversation;
  return JSON.stringify({
    version: VERSION,
    numbers: [opening, openingTo, firstFrom],
    stops: stops.map((stop) => [...STOP_NUMBERS.map((name) => stop[name]), stop.hash, ...hashesIn(stop)]),
    marks: [...marks, ...(turn === undefined ? [] : [turn])].map(([messages, hashes]) => [
      messages,
      ...hashesIn(hashes),
    ]),
    proofs: [...proofs],
    anchors: stops.flatMap(({ content }) => anchors.at(content).map(([form, anchor]) => [content, form, anchor])),
    packed: packed.toString("base64"),
  });
}

const STOP_NUMBERS = ["messages", "bytes", "values", "packedBytes", "tokens", "ratio", "sample"] as const;

function hashesIn({ content, loose, exact }: PrefixHashes): readonly string[] {
  return [content, loose, exact];
}

interface ReadPrefix {
  readonly conversation: KnownConversation;
  readonly anchors: readonly { readonly prefix: string; readonly form: string; readonly anchor: Anchor }[];
}

/** Reads a stored conversation. One of another version or shape counts as absent. */
function readPrefix({ state }: StoredPrefix, place: string): ReadPrefix | undefined {
  const value = tryParseJson(state);
  if (!isJsonObject(value) || value.version !== VERSION || typeof value.packed !== "string") return undefined;
  const [opening, openingTo, firstFrom] = numbersIn(value.numbers);
  const stops = listIn(value.stops).flatMap(readStop);
  if (opening === undefined || openingTo === undefined || firstFrom === undefined || stops.length === 0)
    return undefined;
  const conversation: KnownConversation = {
    place,
    opening,
    openingTo,
    firstFrom,
    stops,
    packed: Buffer.from(value.packed, "base64"),
    marks: new Map(listIn(value.marks).flatMap(readMark)),
    turn: undefined,
    proofs: new Set(textsIn(value.proofs)),
    storedBytes: stops.at(-1)?.bytes ?? 0,
  };
  return { conversation, anchors: listIn(value.anchors).flatMap(readAnchor) };
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isJsonArray(value) ? value : [];
}

function numbersIn(value: JsonValue | undefined): readonly number[] {
  return listIn(value).filter((each) => typeof each === "number");
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return listIn(value).filter((each) => typeof each === "string");
}

function readStop(value: JsonValue): Stop[] {
  const [messages, bytes, values, packedBytes, tokens, ratio, sample] = numbersIn(value);
  const [hash, content, loose, exact] = textsIn(value);
  if (messages === undefined || bytes === undefined || values === undefined || packedBytes === undefined) return [];
  if (tokens === undefined || ratio === undefined || sample === undefined) return [];
  if (hash === undefined || content === undefined || loose === undefined || exact === undefined) return [];
  return [{ messages, bytes, values, packedBytes, tokens, ratio, sample, hash, content, loose, exact }];
}

function readMark(value: JsonValue): (readonly [number, PrefixHashes])[] {
  const [messages] = numbersIn(value);
  const [content, loose, exact] = textsIn(value);
  if (messages === undefined || content === undefined || loose === undefined || exact === undefined) return [];
  return [[messages, { content, loose, exact }]];
}

function readAnchor(value: JsonValue): ReadPrefix["anchors"][number][] {
  const [prefix, form] = textsIn(value);
  const anchor: unknown = listIn(value)[2];
  return prefix === undefined || form === undefined || !isAnchor(anchor) ? [] : [{ prefix, form, anchor }];
}

function isAnchor(value: unknown): value is Anchor {
  if (!isJsonObject(value)) return false;
  const { learned = { messages: 0, reported: 0, headTokens: 0, ratio: 1 }, head = "" } = value;
  const hasNumbers = ["reported", "estimated", "ratio", "atMs"].every((name) => typeof value[name] === "number");
  if (!hasNumbers || typeof head !== "string" || !isJsonObject(learned)) return false;
  return ["messages", "reported", "headTokens", "ratio"].every((name) => typeof learned[name] === "number");
}
