import { textMessage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { parseDocument } from "../../reading/document.ts";
import { codex } from "./codex.ts";

const SESSION = { timestamp: "2026-01-02T03:04:05Z", type: "session_meta", payload: { id: "s", cwd: "/" } };
const TURN = { timestamp: "2026-01-02T03:04:05Z", type: "turn_context", payload: { model: "gpt-5" } };
const text = [SESSION, TURN, { type: "response_item", payload: { role: "user", content: "Hi." } }, TURN]
  .map((line) => JSON.stringify(line))
  .join("\n");

describe("codex", () => {
  it("keeps what is said of the session when a log is written again", () => {
    const messages = [textMessage("user", "Hello.")];
    const lines = codex.write(parseDocument(text), { system: [], tools: [], messages }).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      SESSION,
      TURN,
      {
        timestamp: SESSION.timestamp,
        type: "response_item",
        payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Hello." }] },
      },
    ]);
  });

  it("has no system prompt where the log has none, and reads nothing of other logs", () => {
    expect(codex.read(parseDocument(text))?.conversation.system).toEqual([]);
    expect(codex.read(parseDocument('{"a":1}\n{"b":2}'))).toBeUndefined();
  });
});
