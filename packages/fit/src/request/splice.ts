import type { JsonValue } from "@longhaul/conversation";
import type { Span } from "@longhaul/wire";

/** Other bytes in place of those from `from` up to `to`. */
export interface ByteEdit {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

/** A body with some stretches replaced; every other byte stays. */
export function spliceBytes(body: Uint8Array, edits: readonly ByteEdit[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { from, to, bytes } of edits.toSorted((a, b) => a.from - b.from)) {
    pieces.push(body.subarray(at, from), bytes);
    at = to;
  }
  return edits.length === 0 ? body : Buffer.concat([...pieces, body.subarray(at)]);
}

/** Gives a top-level field of a body another value; one that is not there yet stands first. */
export function setField(
  body: Uint8Array,
  { fields }: { readonly fields: ReadonlyMap<string, Span> },
  [name, value]: [string, JsonValue],
): ByteEdit {
  const span = fields.get(name);
  const json = JSON.stringify(value);
  if (span !== undefined) return { ...span, bytes: Buffer.from(json) };
  const at = body.indexOf(OPEN_BRACE) + 1;
  return { from: at, to: at, bytes: Buffer.from(`${JSON.stringify(name)}:${json},`) };
}

const OPEN_BRACE = 0x7b;
