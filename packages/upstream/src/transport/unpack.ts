import { type Duplex, pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { LonghaulError } from "@longhaul/conversation";
import type { RawAnswer } from "./dispatch.ts";

/** Decompressors by content encoding, for requests and answers. */
export const UNPACKERS: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

/** More nested encodings than this are an attack. */
const MAX_LAYERS = 3;

/** Decompresses as the body is read, so that a small body cannot expand to gigabytes. Invalid data throws `upstream.broken`. */
export function unpack(answer: RawAnswer): RawAnswer {
  if (answer.headers["content-encoding"] === undefined) return answer;
  const { "content-encoding": packed, ...headers } = answer.headers;
  const layers = packed
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const unpackers = layers
    .filter((name) => name !== "" && name !== "identity")
    .map((name) => UNPACKERS.get(name) ?? unknownEncoding(name));
  const { "content-length": _, ...unpacked } = headers;
  if (unpackers.length === 0) return { ...answer, headers };
  if (unpackers.length > MAX_LAYERS) throw cannotUnpack(new Error(`${unpackers.length} content encodings`));
  return {
    ...answer,
    headers: { ...unpacked, "transfer-encoding": "chunked" },
    body: unpackedBody(answer.body, unpackers),
  };
}

function unknownEncoding(name: string): never {
  throw cannotUnpack(new Error(`content-encoding ${name}`));
}

function cannotUnpack(cause: unknown): LonghaulError {
  return new LonghaulError("upstream.broken", "the upstream's compressed response cannot be decompressed; try again", {
    cause,
  });
}

/** The encoding that was applied last is removed first. */
async function* unpackedBody(body: RawAnswer["body"], unpackers: readonly (() => Duplex)[]) {
  const streams = [Readable.from(body), ...unpackers.toReversed().map((make) => make())];
  const last = streams.at(-1);
  pipeline(streams, () => {});
  try {
    if (last !== undefined) yield* last;
  } catch (error) {
    throw error instanceof LonghaulError ? error : cannotUnpack(error);
  }
}
