import { headFingerprint, type Request } from "@longhaul/conversation";
import type { CachingCounter } from "@longhaul/models";
import type { Span } from "@longhaul/wire";
import type { Call } from "../request/call.ts";
import { parsePaced } from "../request/paced-json.ts";
import { finishPaced, type Pauses } from "../threads/timing.ts";
import {
  decodeSpan,
  LARGE_MESSAGE_BYTES,
  type LearnMessage,
  type Measured,
  type MeasurePiece,
  measurePiece,
  type Piece,
  sha256,
} from "./known-messages.ts";

const headPrints = new WeakMap<Request, string>();

/** Returns the hash of a system prompt and tools. Heads are cached, so each is hashed once. */
export function headPrintOf(head: Request): string {
  const print = headPrints.get(head) ?? headFingerprint(head.conversation, sha256);
  headPrints.set(head, print);
  return print;
}

/** Reads and counts large pieces without blocking other requests. */
export interface Measuring {
  readonly learn: LearnMessage;
  /** Counts a message for the first time. */
  countMessage(span: Span): number | Promise<number>;
  countHead(head: Request, bytes: Uint8Array): Promise<void>;
}

export function measuring(call: Call, counter: CachingCounter, elsewhere: MeasurePiece | undefined): Measuring {
  const { codec, endpoint } = call;
  const measure = async (kind: Piece["kind"], bytes: Uint8Array): Promise<Measured> => {
    const piece: Piece = {
      kind,
      bytes,
      wire: codec.id,
      line: lineOf(endpoint),
      tokenizer: counter.tokenizer ?? "other",
    };
    return elsewhere === undefined ? measurePiece(piece, counter) : await elsewhere(piece);
  };
  const learn = async (bytes: Uint8Array) => {
    const { message } = await measure("message", bytes);
    if (message !== undefined) counter.adoptMessage(message.known.fingerprint, message.sizes);
    return message?.known;
  };
  const countLarge = async (bytes: Uint8Array) => counter.countKnown((await learn(bytes))?.fingerprint ?? "") ?? 0;
  return {
    learn,
    countMessage: ({ from, to }) => {
      const bytes = call.body.subarray(from, to);
      if (bytes.length > LARGE_MESSAGE_BYTES) return countLarge(bytes);
      const message = decodeSpan(bytes, codec);
      return message === undefined ? 0 : counter.countMessage(message);
    },
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

export interface Paced {
  readonly large: Measuring;
  readonly pauses: Pauses;
}

/** Reads a head that is too large for the cache. */
export async function largeHead(bytes: Buffer, { codec, endpoint }: Call, { large, pauses }: Paced): Promise<Request> {
  const body = await parsePaced(bytes, pauses);
  const head = await finishPaced(codec.decodeSteps(body, { ...endpoint }), pauses);
  await large.countHead(head, bytes);
  return head;
}
