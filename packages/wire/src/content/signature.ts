import { defined } from "../fields/json.ts";

/**
 * A signature on its way through a client that speaks another vendor's format is tagged with its maker, so that it finds its way back
 * to that maker and is never shown to anybody else. The tag is made of base64 letters and keeps the length a multiple of four, because
 * some clients decode signatures as bytes.
 */
const TAG = "longhaul/";
const TAGGED = /^longhaul\/([A-Za-z0-9+-]+)(\/+)/;

/** A signature, and who made it. */
export interface Signed {
  readonly signature?: string;
  readonly vendor?: string;
}

/** Spells a signature for a format whose own vendor is `vendor`. */
export function tagSignature(signed: Signed, vendor: string): string | undefined {
  if (signed.signature === undefined || signed.vendor === undefined || signed.vendor === vendor)
    return signed.signature;
  const tag = `${TAG}${signed.vendor}/`;
  return `${tag.padEnd(Math.ceil(tag.length / 4) * 4, "/")}${signed.signature}`;
}

/** Reads a signature of a format whose own vendor is `vendor`. An empty one is none. */
export function readSignature(text: string | undefined, vendor: string | undefined): Signed {
  if (text === undefined || text === "") return {};
  const tag = TAGGED.exec(text);
  if (tag === null) return defined({ signature: text, vendor });
  const padded = Math.ceil((TAG.length + (tag[1]?.length ?? 0) + 1) / 4) * 4;
  return defined({ signature: text.slice(padded), vendor: tag[1] });
}

/** What Google takes in place of a signature for calls that another model made. */
export const SIGNATURE_PLACEHOLDER = "skip_thought_signature_validator";
