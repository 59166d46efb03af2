import { defined } from "../fields/json.ts";

/**
 * A signature that passes through a client of another vendor's format is tagged with its own vendor, so that it is only ever sent back to
 * that vendor. The tag uses base64 letters and keeps the length a multiple of four, because some clients decode signatures as bytes.
 */
const TAG = "longhaul/";
const TAGGED = /^longhaul\/([A-Za-z0-9+-]+)(\/+)/;

/** A signature and its vendor. */
export interface Signed {
  readonly signature?: string;
  readonly vendor?: string;
}

/** Encodes a signature for a format of `vendor`: tagged if another vendor made it. */
export function tagSignature(signed: Signed, vendor: string): string | undefined {
  if (signed.signature === undefined || signed.vendor === undefined || signed.vendor === vendor)
    return signed.signature;
  const tag = `${TAG}${signed.vendor}/`;
  return `${tag.padEnd(Math.ceil(tag.length / 4) * 4, "/")}${signed.signature}`;
}

/** Decodes a signature from a format of `vendor`. An empty signature counts as none. */
export function readSignature(text: string | undefined, vendor: string | undefined): Signed {
  if (text === undefined || text === "") return {};
  const tag = TAGGED.exec(text);
  if (tag === null) return defined({ signature: text, vendor });
  const padded = Math.ceil((TAG.length + (tag[1]?.length ?? 0) + 1) / 4) * 4;
  return defined({ signature: text.slice(padded), vendor: tag[1] });
}

/** The value that Google accepts instead of a signature for calls that another model made. */
export const SIGNATURE_PLACEHOLDER = "skip_thought_signature_validator";
