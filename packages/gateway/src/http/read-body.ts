import type { Readable } from "node:stream";
import { LonghaulError } from "@longhaul/conversation";
import { UNPACKERS } from "@longhaul/upstream";
import type { BodyClaim } from "./gate.ts";

const MIB = 1024 * 1024;

/** A request whose body can be read. */
export interface BodySource extends Readable {
  readonly headers: {
    readonly "content-length"?: string | undefined;
    readonly "content-encoding"?: string | undefined;
  };
}

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  readonly limitBytes: number;
  /** How long the whole body may take. @default for ever */
  readonly timeoutMs?: number;
  /** Told of the memory that the body takes. */
  readonly claim?: BodyClaim;
}

/**
 * Reads a body whole, unpacked. One that is larger than the limit, before or after unpacking, throws `request.body-too-large`; one that
 * takes too long, `request.malformed` with status 408. The rest of a refused body is discarded as it comes, so that it never blocks
 * the next request.
 */
export async function readBody(source: BodySource, limits: BodyLimits): Promise<Buffer> {
  const timer = new AbortController();
  try {
    const reading = gather(source, limits);
    // It may fail once more when the connection ends.
    reading.catch(() => {});
    return await Promise.race([reading, ...timeoutOf(limits, timer.signal)]);
  } catch (error) {
    source.unpipe();
    source.resume();
    if (error instanceof LonghaulError) throw error;
    throw new LonghaulError(
      "request.malformed",
      "the body could not be read; check content-encoding and that it was sent whole",
      { cause: error },
    );
  } finally {
    timer.abort();
  }
}

function timeoutOf({ timeoutMs }: BodyLimits, signal: AbortSignal): Promise<never>[] {
  if (timeoutMs === undefined) return [];
  const timeout = new Promise<never>((_, reject) => {
    const seconds = Math.round(timeoutMs / 1_000);
    const advice = `the body did not arrive within ${seconds} seconds; see server.requestTimeoutSeconds in the configuration`;
    const fail = () => reject(new LonghaulError("request.malformed", advice, { status: 408 }));
    const pending = setTimeout(fail, timeoutMs);
    signal.addEventListener("abort", () => clearTimeout(pending));
  });
  return [timeout];
}

/** Larger bodies of known length are put together as they come: joining them at the end would hold up others, and take twice the memory. */
const SMALL_BYTES = 256 * 1024;

async function gather(source: BodySource, { limitBytes, claim }: BodyLimits): Promise<Buffer> {
  const stream = unpacked(source);
  const announced = Number(source.headers["content-length"] ?? 0);
  if (announced > limitBytes) throw tooLarge(limitBytes);
  claim?.grow(announced);
  const whole = stream === source && announced > SMALL_BYTES ? Buffer.allocUnsafeSlow(announced) : undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(stream)) {
    const from = length;
    length += chunk.length;
    if (length > limitBytes) throw tooLarge(limitBytes);
    claim?.grow(length);
    if (whole === undefined) chunks.push(chunk);
    else chunk.copy(whole, from);
  }
  if (whole !== undefined) return whole.subarray(0, length);
  const [only, ...others] = chunks;
  return only !== undefined && others.length === 0 ? only : Buffer.concat(chunks, length);
}

/** A request that is left in the middle stays open: its connection must still carry the answer. */
function chunksOf(stream: Readable): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false });
}

function unpacked(source: BodySource): Readable {
  const encoding = source.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return source;
  const unpack = UNPACKERS.get(encoding)?.();
  if (unpack === undefined) {
    const known = [...UNPACKERS.keys()].join(", ");
    throw new LonghaulError(
      "request.malformed",
      `the content-encoding "${encoding.slice(0, 100)}" is not known; send plain JSON or one of ${known}`,
    );
  }
  source.on("error", (error) => unpack.destroy(error));
  return source.pipe(unpack);
}

function tooLarge(limitBytes: number): LonghaulError {
  const limit = Math.floor(limitBytes / MIB);
  return new LonghaulError(
    "request.body-too-large",
    `the body is larger than ${limit} MiB; raise server.bodyLimitMiB in the configuration`,
  );
}
