import type { Readable } from "node:stream";
import { LonghaulError } from "@longhaul/conversation";
import { SMALL_BODY_BYTES } from "@longhaul/fit";
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

export interface BodyLimits {
  readonly limitBytes: number;
  /** How long the whole body may take. @default unlimited */
  readonly timeoutMs?: number;
  readonly claim?: BodyClaim;
}

/**
 * Reads and decompresses a whole body. Throws `request.body-too-large` if it exceeds the limit before or after decompression, and
 * `request.malformed` with status 408 if it takes too long. The rest of a rejected body is discarded, so that it never blocks the next request.
 */
export async function readBody(source: BodySource, limits: BodyLimits): Promise<Buffer> {
  try {
    return await gather(source, limits);
  } catch (error) {
    source.unpipe();
    source.resume();
    if (error instanceof LonghaulError) throw error;
    throw new LonghaulError(
      "request.malformed",
      "the body could not be read; check the content-encoding and that the body is complete",
      { cause: error },
    );
  }
}

/** Uses events, because an async iterator is slower for small bodies. */
function gather(source: BodySource, { limitBytes, timeoutMs, claim }: BodyLimits): Promise<Buffer> {
  // The `close` event has already fired, so nothing else would end the wait.
  if (source.destroyed && !source.readableEnded) throw new Error(CLOSED);
  const announced = Number(source.headers["content-length"] ?? 0);
  if (announced > limitBytes) throw tooLarge(limitBytes);
  claim?.grow(announced);
  const stream = unpacked(source);
  const pieces = makePieces(stream === source ? announced : 0);
  return new Promise((resolve, reject) => {
    const stopTimer = timeoutMs === undefined ? () => {} : startTimer(timeoutMs, () => fail(tooSlow(timeoutMs)));
    const settle = () => {
      stopTimer();
      // Without a listener, an error event would end the process. `fail` would keep the body in memory as long as the request.
      stream.off("data", take).off("close", onClose).off("end", onEnd).off("error", fail).on("error", ignore);
    };
    // The request itself stays open, because its connection must carry the answer.
    const fail = (error: unknown) => {
      settle();
      if (stream !== source) stream.destroy();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      const length = pieces.length() + chunk.length;
      if (length > limitBytes) return fail(tooLarge(limitBytes));
      try {
        claim?.grow(length);
      } catch (error) {
        return fail(error);
      }
      pieces.add(chunk);
    };
    const onClose = () => {
      if (!stream.readableEnded) fail(new Error(CLOSED));
    };
    const onEnd = () => {
      settle();
      resolve(pieces.whole());
    };
    stream.on("data", take).on("close", onClose).on("end", onEnd).on("error", fail);
  });
}

function ignore(): void {}

/** Starts a timer and returns a function that stops it. Most bodies arrive with their headers, so the timer starts on the next tick. */
function startTimer(ms: number, onOver: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const soon = setImmediate(() => {
    timer = setTimeout(onOver, ms);
  });
  return () => {
    clearImmediate(soon);
    clearTimeout(timer);
  };
}

const CLOSED = "the connection was closed";

function tooSlow(timeoutMs: number): LonghaulError {
  const seconds = Math.round(timeoutMs / 1_000);
  const advice = `the body did not arrive within ${seconds} seconds; raise server.requestTimeoutSeconds in the configuration`;
  return new LonghaulError("request.malformed", advice, { status: 408 });
}

/** Larger bodies of known length are assembled as they arrive: joining them at the end would block the thread and take twice the memory. */
function makePieces(announced: number) {
  const joined = announced > SMALL_BODY_BYTES ? Buffer.allocUnsafeSlow(announced) : undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    length: () => length,
    add: (chunk: Buffer) => {
      if (joined === undefined) chunks.push(chunk);
      else chunk.copy(joined, length);
      length += chunk.length;
    },
    whole: () => {
      if (joined !== undefined) return joined.subarray(0, length);
      const [only] = chunks;
      const whole = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, length);
      // The request keeps its listeners, and the chunks they reference, until it is answered.
      chunks.length = 0;
      return whole;
    },
  };
}

function unpacked(source: BodySource): Readable {
  const encoding = source.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return source;
  const unpack = UNPACKERS.get(encoding)?.();
  if (unpack === undefined) {
    const known = [...UNPACKERS.keys()].join(", ");
    throw new LonghaulError(
      "request.malformed",
      `the content-encoding "${encoding.slice(0, 100)}" is not supported; send plain JSON or one of ${known}`,
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
