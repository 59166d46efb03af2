import { LonghaulError, type WireId } from "@longhaul/conversation";
import { asBuffer } from "@longhaul/upstream";
import { checkJsonLimits, type Span, type SplitBody, splitBody } from "@longhaul/wire";
import { keepThread } from "../threads/thread.ts";
import { keepScan, type Scan, SMALL_BODY_BYTES } from "./body-bytes.ts";
import type { CallEndpoint } from "./call.ts";
import { codecFor, readable } from "./decode.ts";
import { findModelField, mentionsReasoning, peekStream } from "./peek-body.ts";

/** Scans large bodies in another thread, so that other requests need not wait. */
export interface Scanner {
  /** Returns the same body with its scan. The memory of the given one is transferred. A body over a limit throws. */
  scan(body: Buffer, endpoint: CallEndpoint): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens a scanner. Its thread starts with the first large body. */
export function openScanner(smallBytes = SMALL_BODY_BYTES): Scanner {
  const thread = keepThread<ScanProtocol>(new URL("./scan-worker.ts", import.meta.url), "reading large bodies");
  return {
    scan: async (body, { wire, action }) => {
      if (body.length <= smallBytes) return body;
      const job: ScanJob = { body, wire, isPassed: action === "pass" };
      const done = await thread.running().run(job, rejectQuestion, memoryOf(body));
      const returned = asBuffer(done.body);
      keepScan(returned, { ...done.scan, split: done.split && unpack(done.split) });
      return returned;
    },
    close: thread.close,
  };
}

export interface ScanJob {
  readonly body: Uint8Array;
  readonly wire: WireId;
  /** Whether it is passed on without being read, except for the model's name. */
  readonly isPassed: boolean;
}

export interface Scanned {
  readonly body: Uint8Array;
  readonly scan: Omit<Scan, "split">;
  readonly split: PackedSplit | undefined;
}

export interface ScanProtocol {
  readonly job: ScanJob;
  readonly question: never;
  readonly answer: never;
  readonly done: Scanned;
}

/** Scans a body. One over `JSON_LIMITS` throws `request.body-too-large`. */
export function scanBody({ body: received, wire, isPassed }: ScanJob): Scanned {
  if (isPassed)
    return { body: received, scan: { ...NOTHING, wire, model: findModelField(received, "") }, split: undefined };
  const values = checkJsonLimits(received);
  const codec = codecFor(wire, received);
  const body = readable(received, codec);
  const { id, messagesField } = codec;
  const split = splitBody(body, messagesField);
  const scan = {
    wire: id,
    values,
    model: findModelField(body, messagesField),
    stream: peekStream(body, messagesField),
    mentionsReasoning: mentionsReasoning(body, codec),
    readable: body === received ? undefined : body,
  };
  return { body: received, scan, split: split && pack(split) };
}

const NOTHING = { values: 0, stream: undefined, mentionsReasoning: false, readable: undefined } as const;

/** Lists the memory that is transferred between threads with bodies. Shared memory is not transferred. */
export function memoryOf(...bodies: readonly (Uint8Array | undefined)[]): ArrayBuffer[] {
  return bodies.flatMap((body) => {
    const memory = body?.buffer;
    return memory instanceof ArrayBuffer && memory.byteLength === body?.byteLength ? [memory] : [];
  });
}

/** A split body in a form that is cheap to transfer. */
interface PackedSplit extends Omit<SplitBody, "items"> {
  /** Start and end of each entry. */
  readonly items: Int32Array;
}

function pack({ items, ...rest }: SplitBody): PackedSplit {
  return { ...rest, items: Int32Array.from(items.flatMap(({ from, to }) => [from, to])) };
}

function unpack({ items, ...rest }: PackedSplit): SplitBody {
  const spanAt = (_: unknown, index: number): Span => ({ from: items[2 * index] ?? 0, to: items[2 * index + 1] ?? 0 });
  return { ...rest, items: Array.from({ length: items.length / 2 }, spanAt) };
}

function rejectQuestion(): Promise<never> {
  return Promise.reject(new LonghaulError("internal.bug", "a scan asked a question"));
}
