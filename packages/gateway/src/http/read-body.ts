import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { LonghaulError, table } from "@longhaul/conversation";
import { collect } from "./collect.ts";

const UNPACK: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = table({
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
});

const MIB = 1024 * 1024;

/** A request whose body can be read. */
export interface BodySource extends Readable {
  readonly headers: {
    readonly "content-length"?: string | undefined;
    readonly "content-encoding"?: string | undefined;
  };
}

/** Reads a body whole, unpacked. One that is larger than the limit, before or after unpacking, throws `request.body-too-large`. */
export async function readBody(source: BodySource, limitBytes: number): Promise<Buffer> {
  if (Number(source.headers["content-length"] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  try {
    return await collect(unpacked(source), limitBytes, () => tooLarge(limitBytes));
  } catch (error) {
    if (error instanceof LonghaulError) throw error;
    throw new LonghaulError(
      "request.malformed",
      "the body could not be read; check content-encoding and that it was sent whole",
      { cause: error },
    );
  }
}

function unpacked(source: BodySource): AsyncIterable<Buffer> {
  const encoding = source.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return source;
  const unpack = UNPACK[encoding]?.();
  if (unpack === undefined) {
    const known = Object.keys(UNPACK).join(", ");
    throw new LonghaulError(
      "request.malformed",
      `the content-encoding "${encoding}" is not known; send plain JSON or one of ${known}`,
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
