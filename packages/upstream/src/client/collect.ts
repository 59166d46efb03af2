import { asBuffer } from "./as-buffer.ts";

/** All bytes of a stream; one that is larger than the limit is read no further and throws what `tooLarge` makes. */
export async function collect(
  stream: AsyncIterable<Uint8Array>,
  limitBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const [only, ...others] = chunks;
  // Most are small enough to come in one piece.
  return only !== undefined && others.length === 0 ? asBuffer(only) : Buffer.concat(chunks, length);
}
