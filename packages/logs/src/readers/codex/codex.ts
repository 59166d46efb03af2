import { type Conversation, isJsonObject, type JsonObject, textBlock } from "@longhaul/conversation";
import { writeEntries, writeLines } from "../../messages/write.ts";
import type { LogDocument } from "../../reading/document.ts";
import { textAt } from "../../reading/fields.ts";
import type { LogReader } from "../../reading/reader.ts";
import type { LogReading } from "../../reading/reading.ts";
import { isOwnLine, readLine } from "./lines.ts";
import { transcribe } from "./transcript.ts";

/** Codex CLI's session log (a rollout): one JSON object per line, the items of the Responses format among them. */
export const codex: LogReader = {
  format: "codex",
  title: "Codex CLI session (JSONL)",
  wire: "openai-responses",
  typicalModel: "gpt-5",
  recognizes,
  read,
  write,
};

function read(document: LogDocument): LogReading | undefined {
  if (!recognizes(document)) return undefined;
  const { instructions, messages, calls, sideCalls, compactions, warnings } = transcribe(document.lines);
  return {
    format: "codex",
    conversation: {
      system: instructions === undefined || instructions === "" ? [] : [textBlock(instructions)],
      tools: [],
      messages,
    },
    calls,
    sideCalls,
    events: compactions,
    warnings: [...document.warnings, ...warnings].sort((a, b) => a.line - b.line),
  };
}

function recognizes({ lines }: LogDocument): boolean {
  return lines.some(({ value }) => isOwnLine(value));
}

/** What is said of the session stays; the history is written anew, in the envelopes of today's version. */
function write({ lines }: LogDocument, conversation: Conversation): string {
  const timestamp = textAt(lines[0]?.value, "timestamp") ?? "1970-01-01T00:00:00.000Z";
  const seal = (type: string, payload: JsonObject) => ({ timestamp, type, payload });
  const first = (kind: "session" | "turn") => lines.filter(({ value }) => readLine(value).kind === kind).slice(0, 1);
  const session = first("session").map(({ value }) => ("payload" in value ? value : seal("session_meta", value)));
  const items = writeEntries("openai-responses", conversation).filter(isJsonObject);
  return writeLines([
    ...session,
    ...first("turn").map(({ value }) => value),
    ...items.map((item) => seal("response_item", item)),
  ]);
}
