import { parseJsonText, type WireId } from "@longhaul/conversation";
import type { HeadSizes, RememberingCounter, Size, Tokenizer } from "@longhaul/models";
import { codecOf, type RequestLine } from "@longhaul/wire";
import { decodeSpan, type KnownMessage, knowMessage } from "../known/known-messages.ts";

/** A large piece of a body, to be read and counted: one message, or everything but the messages. */
export interface Piece {
  readonly kind: "message" | "head";
  readonly bytes: Uint8Array;
  readonly wire: WireId;
  readonly line: RequestLine;
  readonly tokenizer: Tokenizer;
}

/** The message or the sizes that were read from a piece. */
export interface Measured {
  /** Absent for a head, and for bytes that are not a message. */
  readonly message?: { readonly known: KnownMessage; readonly sizes: readonly Size[] };
  readonly head?: HeadSizes;
}

/** Reads and counts a large piece of a body. */
export function measurePiece({ kind, bytes, wire, line }: Piece, counter: RememberingCounter): Measured {
  const codec = codecOf(wire);
  if (kind === "head") {
    const { conversation } = codec.decodeRequest(parseJsonText(new TextDecoder().decode(bytes)), line);
    return { head: counter.measureHead(conversation) };
  }
  const message = decodeSpan(bytes, codec);
  return message === undefined
    ? {}
    : { message: { known: knowMessage(message), sizes: counter.measureMessage(message) } };
}

/** Has a piece read and counted, here or in another thread. */
export type MeasurePiece = (piece: Piece) => Promise<Measured>;
