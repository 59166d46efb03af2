import { describe, expect, it } from "vitest";
import * as logs from "./index.ts";
import { logDefaults, READERS } from "./read-log.ts";

function errorOf(read: () => unknown): Error {
  try {
    read();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}

describe("readLog", () => {
  it.each([
    ["claude-code", '{"type":"user","uuid":"u","message":{"role":"user","content":"Hi."}}'],
    ["codex", '{"type":"response_item","payload":{"type":"message","role":"user","content":"Hi."}}'],
    ["codex", '{"id":"s","timestamp":"2025-01-01"}\n{"type":"message","role":"user","content":[]}'],
    ["gemini-cli", '{"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"user","content":"Hi."}]}'],
    ["gemini-cli", '{"sessionId":"s","projectHash":"p"}\n{"id":"1","type":"user","content":"Hi."}'],
    ["gemini", '{"contents":[{"role":"user","parts":[{"text":"Hi."}]}]}'],
    ["gemini", '[{"parts":[{"text":"Hi."}]}]'],
    ["gemini", '{"history":[{"role":"user","parts":[{"text":"Hi."}]}]}'],
    ["openai-responses", '{"model":"m","input":"Hi."}'],
    ["openai-responses", '[{"type":"function_call_output","call_id":"c","output":"1"}]'],
    ["openai-responses", '[{"role":"user","content":[{"type":"input_text","text":"Hi."}]}]'],
    ["pi", '{"type":"session","id":"s","cwd":"/"}\n{"type":"message","message":{"role":"user","content":"Hi."}}'],
    ["roo", '[{"role":"user","content":"Hi.","ts":1}]'],
    ["roo", '[{"role":"user","content":[{"type":"text","text":"<task>\\nHi.\\n</task>"}]}]'],
    ["roo", '{"version":1,"messages":[{"role":"assistant","content":[],"modelInfo":{"id":"m"}}]}'],
    ["openai-chat", '{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi."}]}'],
    ["openai-chat", '[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a/b"}}]}]'],
    [
      "openai-chat",
      '{"tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"user","content":"Hi."}]}',
    ],
    ["openai-chat", '[{"role":"assistant","content":null,"tool_calls":[]}]'],
    ["anthropic-messages", '{"system":"Be brief.","messages":[{"role":"user","content":"Hi."}]}'],
    ["anthropic-messages", '[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}]'],
    ["anthropic-messages", '{"model":"m","messages":[{"role":"user","content":"<task>Hi.</task>"}]}'],
  ])("detects the format %s: %s", (format, text) => {
    const reading = logs.readLog(text);
    expect([reading.format, reading.conversation.messages.length]).toEqual([format, 1]);
  });

  it("names the problem and the supported logs", () => {
    const { message } = errorOf(() => logs.readLog("# A diary\nDear log"));
    expect(message).toContain('it is not JSON and starts with "# A diary\\nDear log"');
    for (const { title } of READERS) expect(message).toContain(title);
  });

  it("reports an empty text", () => {
    expect(errorOf(() => logs.readLog("\n")).message).toContain("it is empty");
  });

  it("reports JSON without messages", () => {
    expect(errorOf(() => logs.readLog('{"a":1}')).message).toContain("JSON without messages in a known format");
  });
});

describe("openLogLines", () => {
  it("reads a log line by line like its text", () => {
    const text = '{"type":"user","uuid":"u","message":{"role":"user","content":"Hi."}}\nbroken';
    expect(logs.openLogLines(text.split("\n"))?.reading).toEqual(logs.readLog(text));
  });

  it("returns undefined if the lines are not a log", () => {
    expect(logs.openLogLines(["{", '"messages": []', "}"])).toBeUndefined();
  });
});

describe("a single reader", () => {
  it("names its own format if it cannot read a text", () => {
    expect(errorOf(() => logs.readLogAs("pi", "[]")).message).toContain('not a log in the format "pi session (JSONL)"');
  });

  it.each(["anthropic-messages", "openai-chat", "roo"] as const)("reads an ambiguous text as %s", (format) => {
    expect(logs.readLogAs(format, '[{"role":"user","content":"Hi."}]').format).toBe(format);
  });
});

describe("READERS", () => {
  it("contains each format once", () => {
    expect(new Set(READERS.map(({ format }) => format)).size).toBe(READERS.length);
  });
});

describe("logDefaults", () => {
  it.each([
    ["claude-code", { wire: "anthropic-messages", model: "claude-sonnet-4-5" }],
    ["codex", { wire: "openai-responses", model: "gpt-5" }],
    ["gemini-cli", { wire: "gemini", model: "gemini-2.5-pro" }],
    ["openai-chat", { wire: "openai-chat", model: "gpt-5" }],
  ] as const)("says how logs of %s are sent", (format, typical) => {
    expect(logDefaults(format)).toEqual(typical);
  });
});
