import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { JsonObject, JsonValue, Reply, WireId } from "@longhaul/conversation/advanced";
import { codecNamed, type WireEvent, writeSse } from "@longhaul/wire";

/** The content of a recorded reply, independent of its format. */
export interface Expected {
  readonly text?: string;
  /** Number of text blocks. @default one, if there is any text */
  readonly texts?: number;
  readonly thinking?: string;
  readonly calls?: readonly (readonly [name: string, input: JsonValue])[];
  /** Calls of free-text tools. */
  readonly freeText?: readonly (readonly [name: string, input: string])[];
  readonly stop?: Reply["stopReason"];
  /** Tokens of the whole prompt, of its cached part, and of the reply. */
  readonly usage?: readonly [prompt: number, cached: number, output: number];
  /** The status, if the reply is an error. */
  readonly error?: number;
}

/** One recorded reply: streamed, complete, or both. */
export interface Recording {
  readonly name: string;
  readonly wire: WireId;
  readonly expected: Expected;
  readonly stream?: readonly Frame[];
  readonly whole?: JsonObject;
}

/** A server-sent event, or a comment between two of them. */
export type Frame = WireEvent | { readonly comment: string };

/** Returns the text of a stream. */
export function writeFrames(frames: readonly Frame[]): string {
  return frames.map((frame) => ("comment" in frame ? `${frame.comment}\n\n` : writeSse(frame))).join("");
}

/**
 * Reads all recordings. A file contains one server's recordings: a line `wire:`, then for each recording its name after `#`, a line
 * `expect:`, the `data:` lines and comments of its stream, and `whole:` for the complete reply. Fields in a line `head:` belong to each
 * event after it.
 */
export function readRecordings(): readonly Recording[] {
  const folder = new URL("replies/", import.meta.url);
  return readdirSync(folder).flatMap((file) =>
    readFile(basename(file, ".txt"), readFileSync(new URL(file, folder), "utf8")),
  );
}

function readFile(server: string, text: string): readonly Recording[] {
  const [head = "", ...records] = text.split(/^# /m);
  const { id: wire } = codecNamed(afterName(head.trim(), "wire:"));
  return records.map((record) => readRecord(server, wire, record.trimEnd().split("\n")));
}

function readRecord(server: string, wire: WireId, [title = "", ...lines]: readonly string[]): Recording {
  const frames: Frame[] = [];
  let shared: JsonObject = {};
  let event: string | undefined;
  for (const line of lines) {
    if (line.startsWith("head: ")) shared = JSON.parse(afterName(line, "head:"));
    if (line.startsWith("event: ")) event = afterName(line, "event:");
    if (line.startsWith(":")) frames.push({ comment: line });
    if (!line.startsWith("data: ")) continue;
    frames.push(readEvent(afterName(line, "data:"), { wire, shared, event }));
    event = undefined;
  }
  const line = (name: string) => lines.find((each) => each.startsWith(name));
  const whole = line("whole:");
  return {
    name: `${server}: ${title}`,
    wire,
    expected: JSON.parse(afterName(line("expect:") ?? "", "expect:")),
    ...(frames.length > 0 && { stream: frames }),
    ...(whole !== undefined && { whole: JSON.parse(afterName(whole, "whole:")) }),
  };
}

function readEvent(
  data: string,
  { wire, shared, event }: { wire: WireId; shared: JsonObject; event: string | undefined },
): WireEvent {
  if (data === "[DONE]") return { data };
  const value: JsonObject = { ...shared, ...JSON.parse(data) };
  const isNamed = wire === "anthropic-messages" || wire === "openai-responses";
  const name = event ?? (isNamed ? String(value.type) : undefined);
  return { data: JSON.stringify(value), ...(name !== undefined && { event: name }) };
}

function afterName(line: string, name: string): string {
  if (!line.startsWith(name)) throw new Error(`expected a line "${name}" before: ${line.slice(0, 60)}`);
  return line.slice(name.length).trim();
}
