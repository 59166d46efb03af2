import { hash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { LonghaulError } from "@longhaul/conversation";
import { type LogReading, type OpenedLog, openLog, openLogLines, typicalOf } from "@longhaul/logs";
import { findModel, loadCatalog, type Model, makeTokenCounters, type TokenCounter } from "@longhaul/models";
import type { Terminal } from "../terminal/terminal.ts";
import { reasonOf, type UserFile } from "../terminal/user-file.ts";

/** The model that a session is measured for. */
export interface SessionModel {
  /** Its name, as the log or the flag says it; absent where neither does. */
  readonly name?: string;
  /** What the catalog knows of it; absent where nobody named one. */
  readonly model?: Model;
  readonly counter: TokenCounter;
  readonly tokenizer: Model["tokenizer"];
  /** What had to be assumed. */
  readonly warning?: string;
}

/** Where the models of sessions are found. Keep one: it holds the vocabularies, and knows messages again. */
export interface SessionModels {
  /** The model of a session: the one that is asked for, else the one that most of its calls went to. */
  modelOf(reading: LogReading, asked?: string): Promise<SessionModel>;
  /** A counter for the same tokenizer that gives so many tokens for one of its encoding. */
  counterAt(model: SessionModel, ratio: number): Promise<TokenCounter>;
}

/** Loads what is known of models. */
export function openModels(): SessionModels {
  const catalog = loadCatalog();
  const counters = makeTokenCounters({ hash: sha256 });
  return {
    async modelOf(reading, asked) {
      const name = asked ?? commonest(reading.calls.flatMap(({ model }) => model ?? [])) ?? reading.model;
      if (name === undefined) {
        const { tokenizer } = findModel(catalog, typicalOf(reading.format).model).model;
        return unnamed(tokenizer, await counters.counterFor(tokenizer));
      }
      const { model, warning } = findModel(catalog, name);
      const counter = await counters.counterFor(model.tokenizer);
      return { name, model, counter, tokenizer: model.tokenizer, ...(warning !== undefined && { warning }) };
    },
    counterAt: ({ tokenizer }, ratio) => counters.counterFor(tokenizer, ratio),
  };
}

/** SHA-256 cut to 128 bits, by the platform: what the gateway uses. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

function unnamed(tokenizer: Model["tokenizer"], counter: TokenCounter): SessionModel {
  const warning = `no model is named; tokens are counted as ${tokenizer} does, and there are no prices (--model names one)`;
  return { counter, tokenizer, warning };
}

/** What is to be said of a session that was read: lines that could not be, and what had to be assumed of its model. */
export function readingWarnings({ warnings }: LogReading, { warning }: SessionModel): string[] {
  const skipped = warnings.map(({ line, message }) => `line ${line}: ${message}`);
  return warning === undefined ? skipped : [...skipped, warning];
}

function commonest(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

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
