import { textMessage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { writeThread } from "./write-thread.ts";

describe("writeThread", () => {
  it("writes a line for each message, in the session's envelope, each following the one before", () => {
    const first = { uuid: "u", sessionId: "s", cwd: "/project", timestamp: "2026-01-02T03:04:05Z", toolUseResult: {} };
    const messages = [textMessage("user", "Hi."), textMessage("assistant", "Hello.")];
    const written = writeThread([{ line: 1, value: first }], { system: [], tools: [], messages });
    const [one, two] = written
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(one).toMatchObject({
      parentUuid: null,
      sessionId: "s",
      cwd: "/project",
      type: "user",
      timestamp: first.timestamp,
    });
    expect(one.uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(two).toMatchObject({ parentUuid: one.uuid, type: "assistant", message: { role: "assistant" } });
    expect("toolUseResult" in one).toBe(false);
  });

  it("names the session's last model in every reply", () => {
    const reply = (model: string) => ({ type: "assistant", message: { role: "assistant", model, content: [] } });
    const thread = ["claude-a", "claude-b", "<synthetic>"].map((model, line) => ({ line, value: reply(model) }));
    const messages = [textMessage("user", "Hi."), textMessage("assistant", "Hello.")];
    const lines = writeThread(thread, { system: [], tools: [], messages }).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).message.model)).toEqual([undefined, "claude-b"]);
  });
});
