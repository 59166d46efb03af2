import { hash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { SessionModel as AnalyzedModel } from "@longhaul/admin/replays";
import { LonghaulError } from "@longhaul/conversation";
import { type LogReading, logDefaults, type OpenedLog, openLog, openLogLines } from "@longhaul/logs";
import { findModel, loadCatalog, type Model, makeTokenCounters, type TokenCounter } from "@longhaul/models";
import type { Terminal } from "../terminal/terminal.ts";
import { reasonOf, type UserFile } from "../terminal/user-file.ts";

export interface SessionModel extends AnalyzedModel {
  readonly tokenizer: Model["tokenizer"];
}

export type SessionModels = ReturnType<typeof openModels>;

/** Finds the models of sessions. Keep one: it holds the vocabularies and caches counts. */
export function openModels() {
  const catalog = loadCatalog();
  const counters = makeTokenCounters({ hash: sha256 });
  return {
    /** Returns the requested model, or else the one that most calls of the session went to. */
    async modelOf(reading: LogReading, requested?: string): Promise<SessionModel> {
      const name = requested ?? commonest(reading.calls.flatMap(({ model }) => model ?? [])) ?? reading.model;
      if (name === undefined) {
        const { model } = findModel(catalog, logDefaults(reading.format).model);
        return unnamed(model, await counters.counterFor(model.tokenizer));
      }
      const { model, warning } = findModel(catalog, name);
      const counter = await counters.counterFor(model.tokenizer);
      const { tokenizer, window: windowTokens } = model;
      return { name, model, counter, tokenizer, windowTokens, ...(warning !== undefined && { warning }) };
    },
  };
}

/** Hashes with SHA-256, truncated to 128 bits as in the gateway. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

function unnamed({ tokenizer, window: windowTokens }: Model, counter: TokenCounter): SessionModel {
  const warning = `the session names no model, so tokens are counted with the ${tokenizer} encoding and costs are unknown; choose a model with --model`;
  return { counter, tokenizer, windowTokens, warning };
}

export function readingWarnings({ warnings }: LogReading, { warning }: SessionModel): string[] {
  const skipped = warnings.map(({ line, message }) => `line ${line}: ${message}`);
  return warning === undefined ? skipped : [...skipped, warning];
}

function commonest(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Reads a session log in any known format; `-` is standard input. */
export async function readInput(file: UserFile, { readAll }: Pick<Terminal, "readAll">): Promise<OpenedLog> {
  if (file.name !== "-") return readLog(file);
  try {
    return openLog(await readAll());
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Longer files are read line by line, so that they are never in memory as a whole; most of them are logs with one line per event. */
const LONG_BYTES = 32 * 1024 * 1024;

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
  return new LonghaulError("log.unreadable", `cannot read ${name}: ${reasonOf(cause)}`, { cause });
}

const CHUNK_BYTES = 1024 * 1024;

/** Yields the lines of a file without their line breaks. Closes the file when the iteration ends. */
export function* linesIn(path: string, chunkBytes = CHUNK_BYTES): Generator<string> {
  const file = openSync(path, "r");
  try {
    const decoder = new StringDecoder("utf8");
    const chunk = Buffer.alloc(chunkBytes);
    // Pieces of the unfinished line: a long line is joined only once.
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
