import { type Conversation, isJsonObject, type JsonObject, type JsonValue, pureHash } from "@longhaul/conversation";
import type { LogLine } from "../../document.ts";
import { textAt } from "../../fields.ts";
import { writeEntries, writeLines } from "../../write.ts";
import { callRecord } from "./lines.ts";

/** What every line says of the session. */
const ENVELOPE = ["userType", "cwd", "sessionId", "version", "gitBranch"] as const;

/** Writes a thread anew: one line for each message, each following the one before. */
export function writeThread(thread: readonly LogLine[], conversation: Conversation): string {
  const first = thread[0]?.value ?? {};
  const about = Object.fromEntries(
    ENVELOPE.flatMap((field) => (field in first ? [[field, first[field] ?? null]] : [])),
  );
  const timestamp = textAt(first, "timestamp") ?? "1970-01-01T00:00:00.000Z";
  const uuidOf = (index: number) => asUuid(pureHash(`${textAt(first, "sessionId") ?? ""} ${index}`));
  const model = thread.map(({ value }) => callRecord(value)?.model).findLast((name) => name !== undefined);
  const entries = writeEntries("anthropic-messages", conversation).filter(isJsonObject);
  return writeLines(
    entries.map((message, index): JsonObject => {
      const parentUuid: JsonValue = index === 0 ? null : uuidOf(index - 1);
      const isReply = message.role === "assistant";
      const said = isReply && model !== undefined ? { model, ...message } : message;
      const type = isReply ? "assistant" : "user";
      return { parentUuid, isSidechain: false, ...about, type, message: said, uuid: uuidOf(index), timestamp };
    }),
  );
}

/** A hash of 32 digits, spelled as a UUID. */
function asUuid(hash: string): string {
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
