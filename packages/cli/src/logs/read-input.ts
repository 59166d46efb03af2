import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { LonghaulError } from "@longhaul/conversation";
import { type OpenedLog, openLog, openLogLines } from "@longhaul/logs";
import type { Terminal } from "../terminal/terminal.ts";
import { reasonOf, type UserFile } from "../terminal/user-file.ts";

/** Reads what the user named as a session log, whatever format it has; `-` is what is piped in. */
export async function readInput(file: UserFile, { readAll }: Pick<Terminal, "readAll">): Promise<OpenedLog> {
  if (file.name !== "-") return readLog(file);
  try {
    return openLog(await readAll());
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Longer files are read line by line, so that they are never held as a whole; most such files are logs with a line for each event. */
const LONG_BYTES = 32 * 1024 * 1024;

/** Reads a file as a session log, whatever format it has. */
export function readLog(file: UserFile, longBytes = LONG_BYTES): OpenedLog {
  const { path } = file;
  try {
    const isLong = statSync(path).size > longBytes;
    return (isLong ? openLogLines(linesIn(path)) : undefined) ?? openLog(readFileSync(path, "utf8"));
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable({ name }: UserFile, cause: unknown): LonghaulError {
  if (cause instanceof LonghaulError) return new LonghaulError(cause.code, `${name}: ${cause.message}`, { cause });
  return new LonghaulError("log.unreadable", `${name} cannot be read: ${reasonOf(cause)}`, { cause });
}

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
