import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const CHUNK_BYTES = 1024 * 1024;

/** The lines of a file, one by one, without what ends them; the file is closed when nobody asks for more. */
export function* linesIn(path: string, chunkBytes = CHUNK_BYTES): Generator<string> {
  const file = openSync(path, "r");
  try {
    const decoder = new StringDecoder("utf8");
    const chunk = Buffer.alloc(chunkBytes);
    // Pieces of the line that has not ended yet: a long one is put together once.
    let open: string[] = [];
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk)) {
      const [first = "", ...others] = decoder.write(chunk.subarray(0, bytes)).split("\n");
      open.push(first);
      for (const next of others) {
        yield open.join("");
        open = [next];
      }
    }
    open.push(decoder.end());
    yield open.join("");
  } finally {
    closeSync(file);
  }
}
