import { type JsonObject, textMessage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { parseDocument } from "../../reading/document.ts";
import { messageBlocks } from "../../testing/script.ts";
import { codex, transcribe } from "./codex.ts";

const SESSION = { timestamp: "2026-01-02T03:04:05Z", type: "session_meta", payload: { id: "s", cwd: "/" } };
const TURN = { timestamp: "2026-01-02T03:04:05Z", type: "turn_context", payload: { model: "gpt-5" } };
const text = [SESSION, TURN, { type: "response_item", payload: { role: "user", content: "Hi." } }, TURN]
  .map((line) => JSON.stringify(line))
  .join("\n");

describe("codex", () => {
  it("keeps the session's metadata when a log is written again", () => {
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

  it("returns no system prompt if the log has none, and does not read other logs", () => {
    expect(codex.read(parseDocument(text))?.conversation.system).toEqual([]);
    expect(codex.read(parseDocument('{"a":1}\n{"b":2}'))).toBeUndefined();
  });
});

const item = (payload: JsonObject) => ({ type: "response_item", payload });
const message = (role: string, text: string) =>
  item({ type: "message", role, content: [{ type: role === "assistant" ? "output_text" : "input_text", text }] });
const used = (total: number, output: number) => ({
  type: "event_msg",
  payload: {
    type: "token_count",
    info: { total_token_usage: { total_tokens: total }, last_token_usage: { input_tokens: 10, output_tokens: output } },
  },
});

function read(...lines: readonly JsonObject[]) {
  return transcribe(lines.map((value, index) => ({ line: index + 1, value })));
}

describe("transcribe", () => {
  it("separates two replies by the usage report between them and ignores repeated reports", () => {
    const { messages, calls, sideCalls } = read(
      { type: "turn_context", payload: { model: "gpt-5" } },
      message("user", "Go."),
      message("assistant", "One."),
      used(11, 1),
      used(11, 1),
      message("assistant", "Two."),
      used(23, 2),
      used(40, 7),
    );
    expect(messages).toHaveLength(3);
    expect(calls.map(({ model, usage, reply }) => [model, usage?.outputTokens, reply])).toEqual([
      ["gpt-5", 1, 1],
      ["gpt-5", 2, 2],
    ]);
    expect(sideCalls.map(({ usage }) => usage?.outputTokens)).toEqual([7]);
  });

  it("reconstructs the prompt after a compaction", () => {
    const replaced = { type: "message", role: "user", content: [{ type: "input_text", text: "Go on." }] };
    const { compactions, calls } = read(
      message("user", "Go."),
      message("assistant", "One."),
      { type: "compacted", payload: { message: "So far.", replacement_history: [replaced] } },
      message("user", "Next?"),
      message("assistant", "Two."),
    );
    expect(compactions).toEqual([{ kind: "compaction", line: 3, at: 2, keptFrom: 2, summary: "So far." }]);
    expect(calls[0]?.prompt).toEqual({ from: 0, to: 1 });
    expect(calls[1]?.prompt).toMatchObject({ from: 2, to: 3, summary: { blocks: [{ text: "Go on." }] } });
  });

  it("uses the summary if there is no replacement history", () => {
    const { calls } = read({ type: "compacted", payload: { message: "So far." } }, message("assistant", "Two."));
    expect(calls[0]?.prompt.summary?.blocks).toEqual([{ type: "text", text: "So far." }]);
  });

  it("removes rolled-back turns from the conversation, but keeps their calls", () => {
    const { messages, calls, sideCalls } = read(
      message("user", "<environment_context>\n</environment_context>"),
      message("user", "One?"),
      message("assistant", "One."),
      used(11, 1),
      message("user", "Two?"),
      message("assistant", "Two."),
      used(23, 2),
      { type: "event_msg", payload: { type: "thread_rolled_back", num_turns: 1 } },
      message("user", "Three?"),
      message("assistant", "Three."),
    );
    expect(messageBlocks(messages).map((words) => Array.isArray(words) && words[2])).toEqual([
      "<environment_context>\n</environment_context>",
      "One?",
      "One.",
      "Three?",
      "Three.",
    ]);
    expect(calls.map(({ prompt, reply }) => [prompt.to, reply])).toEqual([
      [2, 2],
      [4, 4],
    ]);
    expect(sideCalls).toMatchObject([{ usage: { outputTokens: 2 } }]);
  });

  it("warns about unreadable items and skips the client's own", () => {
    const { messages, warnings } = read(
      message("user", "Go."),
      item({ type: "ghost_snapshot" }),
      item({ role: "robot" }),
    );
    expect(messages).toHaveLength(1);
    expect(warnings.map(({ line }) => line)).toEqual([3]);
  });
});
