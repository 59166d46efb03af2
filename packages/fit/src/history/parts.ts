import { asBuffer } from "@longhaul/upstream";
import type { ByteEdit } from "../request/body-bytes.ts";
import type { History, Layout } from "./history.ts";

/** A stretch of what goes out in place of the messages that came in. */
export type Part =
  /** Messages as they came, byte for byte. */
  | { readonly kind: "kept"; readonly from: number; readonly to: number }
  /** Entries that we wrote, as JSON with commas between them. */
  | {
      readonly kind: "written";
      readonly json: string;
      readonly tokens: number;
      /** Where in the JSON a cache mark may be put. */
      readonly markAt?: number;
      /** The message of the client's that it is, with something changed in it; absent for one of ours. */
      readonly raw?: number;
    };

/** The beginning of a conversation as it goes out; messages after `messages` follow as they came. */
export interface Rendering {
  /** How many raw messages it stands for. */
  readonly messages: number;
  readonly parts: readonly Part[];
  /** Fingerprints of those raw messages: it holds only for exactly them. */
  readonly prints: readonly string[];
  /** Tokens of the model for one of its encoding, when the parts were counted. */
  readonly ratio: number;
}

/** Whether a rendering was made for exactly these messages, also where they only match loosely. */
export function isMadeFor({ prints }: Rendering, { messages }: History): boolean {
  return prints.every((print, index) => messages[index]?.fingerprint === print);
}

/** How many tokens a request has whose beginning is sent like this. */
export function renderedTokens(rendering: Rendering, history: History, ratioNow: number): number {
  return history.headTokens + tokensFrom(0, rendering, { history, ratio: ratioNow });
}

/** A conversation, counted at a ratio. */
interface CountedHistory {
  readonly history: History;
  readonly ratio: number;
}

/** How many tokens the messages from this one on have in such a request. What stands in place of several of them belongs to the first. */
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

/** What stands in place of a body's messages when they are sent like this. */
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

/** Where the comma stands before this place, if there is one: what comes before it is then the last of the list. */
function withoutComma(body: Uint8Array, start: number): number {
  const before = asBuffer(body.subarray(0, start)).lastIndexOf(",");
  const between = before === -1 ? "-" : Buffer.from(body.subarray(before + 1, start)).toString();
  return between.trim() === "" ? before : start;
}

/** A rendering, and the cache marks that go with it. */
export interface ToWrite extends Rendering {
  readonly markOf?: ((part: Written) => string | undefined) | undefined;
}

/** What we wrote. */
export type Written = Extract<Part, { kind: "written" }>;

/** What was written once goes out on many turns. */
const spelled = new WeakMap<Written, { readonly bytes: Buffer; readonly markAt: number | undefined }>();

function bytesOf(part: Written, mark: string | undefined): Uint8Array {
  const { bytes, markAt } = spelled.get(part) ?? spell(part);
  if (markAt === undefined || mark === undefined) return bytes;
  return Buffer.concat([bytes.subarray(0, markAt), Buffer.from(mark), bytes.subarray(markAt)]);
}

function spell(part: Written) {
  const { json, markAt } = part;
  const found = {
    bytes: Buffer.from(json),
    markAt: markAt === undefined ? undefined : Buffer.byteLength(json.slice(0, markAt)),
  };
  spelled.set(part, found);
  return found;
}

const COMMA = Buffer.from(",");
