import { asBuffer } from "@longhaul/upstream";
import type { ByteEdit } from "../request/body-bytes.ts";
import type { History, Layout } from "./history.ts";

export type Part =
  /** The client's messages, byte for byte. */
  | { readonly kind: "kept"; readonly from: number; readonly to: number }
  /** Our own entries, as JSON separated by commas. */
  | {
      readonly kind: "written";
      readonly json: string;
      readonly tokens: number;
      /** The position in the JSON for a cache mark. */
      readonly markAt?: number;
      /** The index of the client's message that it rewrites; absent for one of ours. */
      readonly raw?: number;
    };

/** The condensed prefix of a conversation as it is sent; the messages after `messages` follow unchanged. */
export interface Rendering {
  /** How many raw messages it replaces. */
  readonly messages: number;
  readonly parts: readonly Part[];
  /** Fingerprints of those raw messages: it is valid only for exactly them. */
  readonly prints: readonly string[];
  /** The model's tokens per token of its encoding, at the time of counting. */
  readonly ratio: number;
}

/** Returns whether a rendering was made for exactly these messages, and not for ones that only match loosely. */
export function isMadeFor({ prints }: Rendering, { messages }: History): boolean {
  return prints.every((print, index) => messages[index]?.fingerprint === print);
}

export function renderedTokens(rendering: Rendering, history: History, ratioNow: number): number {
  return history.headTokens + tokensFrom(0, rendering, { history, ratio: ratioNow });
}

interface CountedHistory {
  readonly history: History;
  readonly ratio: number;
}

/** Returns the tokens of the messages from this one on. A replacement of several messages counts with the first of them. */
export function tokensFrom(first: number, rendering: Rendering, { history, ratio: ratioNow }: CountedHistory): number {
  const { parts, messages, ratio } = rendering;
  const count = (from: number, to: number) =>
    history.messageTokens.slice(Math.max(from, first), Math.max(to, first)).reduce((sum, each) => sum + each, 0);
  const scale = ratioNow / ratio;
  return parts.reduce(
    (sum, part) => {
      if (part.kind === "kept") return sum + count(part.from, part.to);
      return (part.raw ?? 0) < first ? sum : sum + Math.round(part.tokens * scale);
    },
    count(messages, history.messages.length),
  );
}

/** Returns the byte edit that replaces a body's messages with a rendering. */
export function partsEdit(body: Uint8Array, { spans, start }: Layout, { parts, messages, markOf }: ToWrite): ByteEdit {
  const pieces: Uint8Array[] = [];
  const add = (piece: Uint8Array) => {
    if (pieces.length > 0) pieces.push(COMMA);
    pieces.push(piece);
  };
  const addRaw = (from: number, to: number) => {
    const [first, last] = [spans[from], spans[to - 1]];
    if (from < to && first !== undefined && last !== undefined) add(body.subarray(first.from, last.to));
  };
  for (const part of parts) {
    if (part.kind === "kept") addRaw(part.from, part.to);
    else if (part.json !== "") add(bytesOf(part, markOf?.(part)));
  }
  addRaw(messages, spans.length);
  const to = spans.at(-1)?.to ?? start;
  const isGone = pieces.length === 0 && to > start;
  return { from: isGone ? withoutComma(body, start) : start, to, bytes: Buffer.concat(pieces) };
}

/** Returns the position of the comma before this position, if any: the entry before it becomes the last one. */
function withoutComma(body: Uint8Array, start: number): number {
  const before = asBuffer(body.subarray(0, start)).lastIndexOf(",");
  const between = before === -1 ? "-" : Buffer.from(body.subarray(before + 1, start)).toString();
  return between.trim() === "" ? before : start;
}

/** A rendering with its cache marks. */
export interface ToWrite extends Rendering {
  readonly markOf?: ((part: Written) => string | undefined) | undefined;
}

export type Written = Extract<Part, { kind: "written" }>;

/** Entries are encoded once and sent on many turns. */
const encoded = new WeakMap<Written, { readonly bytes: Buffer; readonly markAt: number | undefined }>();

function bytesOf(part: Written, mark: string | undefined): Uint8Array {
  const { bytes, markAt } = encoded.get(part) ?? encodePart(part);
  if (markAt === undefined || mark === undefined) return bytes;
  return Buffer.concat([bytes.subarray(0, markAt), Buffer.from(mark), bytes.subarray(markAt)]);
}

function encodePart(part: Written) {
  const { json, markAt } = part;
  const found = {
    bytes: Buffer.from(json),
    markAt: markAt === undefined ? undefined : Buffer.byteLength(json.slice(0, markAt)),
  };
  encoded.set(part, found);
  return found;
}

const COMMA = Buffer.from(",");
