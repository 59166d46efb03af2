import type { JsonValue, WireId } from "@longhaul/conversation";
import { checkJsonLimits, type Span, type SplitBody, type SplitPrefix, splitBody } from "@longhaul/wire";

/** The result of scanning a large body, from another thread. */
export interface Scan {
  readonly wire: WireId;
  /** How many values it has; 0 if it is passed on without being read. */
  readonly values: number;
  readonly model: Span | undefined;
  /** Whether it asks for a stream; undefined if only a parser can find out. */
  readonly stream: boolean | undefined;
  /** Absent if the body must be parsed as a whole. */
  readonly split: SplitBody | undefined;
  readonly mentionsReasoning: boolean;
  /** The body that the other fields describe, if the gateway's summaries in it had to be made readable. */
  readonly readable: Uint8Array | undefined;
}

/**
 * Up to this size a body is joined, scanned, parsed or written in about ten milliseconds, whatever it contains. Pausing for other work
 * would take longer.
 */
export const SMALL_BODY_BYTES = 5 * 1024 * 1024;

const scans = new WeakMap<Uint8Array, Scan>();

/** Keeps the scan of a body as long as the body itself. */
export function keepScan(body: Uint8Array, scan: Scan): void {
  scans.set(body, scan);
  if (scan.readable !== undefined) scans.set(scan.readable, scan);
}

export function scanOf(body: Uint8Array): Scan | undefined {
  return scans.get(body);
}

/** The splits of smaller bodies. */
const splits = new WeakMap<Uint8Array, { readonly listKey: string; readonly split: SplitBody | undefined }>();

/** Does the same as `splitBody` and keeps the result as long as the body. */
export function splitScanned(body: Uint8Array, listKey: string, front?: SplitPrefix): SplitBody | undefined {
  const scan = scans.get(body);
  if (scan?.split?.fields.has(listKey) === true) return scan.split;
  const known = splits.get(body);
  if (known?.listKey === listKey) return known.split;
  const split = splitBody(body, listKey, front);
  splits.set(body, { listKey, split });
  return split;
}

/** Returns the fields of a body that was split already. */
export function knownFields(body: Uint8Array, listKey: string): SplitBody["fields"] | undefined {
  const known = splits.get(body);
  return known?.listKey === listKey ? known.split?.fields : undefined;
}

/** Counts the values of a body and checks its limits. Keeps the split for later calls. */
export function countValues(body: Uint8Array, listKey: string): number {
  return scans.get(body)?.values || (splitScanned(body, listKey)?.values ?? checkJsonLimits(body));
}

/** Replaces the bytes from `from` up to `to`. */
export interface ByteEdit {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

/** Applies edits to a body; every other byte stays the same. */
export function spliceBytes(body: Uint8Array, edits: readonly ByteEdit[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { from, to, bytes } of edits.toSorted((a, b) => a.from - b.from)) {
    pieces.push(body.subarray(at, from), bytes);
    at = to;
  }
  return edits.length === 0 ? body : Buffer.concat([...pieces, body.subarray(at)]);
}

/** Sets a top-level field of a body. A new field is put first. */
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
