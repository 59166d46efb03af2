import type { Slot } from "@longhaul/condense/advanced";
import { makeText } from "@longhaul/conversation/testing";
import { makeTokenCounters } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { makePrompt } from "../testing/projections.ts";
import { sha256 } from "./known-messages.ts";
import type { Part } from "./parts.ts";
import { messageWriter, writeSlots } from "./write-slots.ts";

const conversation = { system: [], tools: [], messages: [] };
const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");
const prompt = makePrompt({}, "anthropic-messages");
const writing = { conversation, prompt, counter };

const makeKept = (index: number, isChanged = false): Slot => ({
  kind: "kept",
  index,
  message: { role: "user", blocks: [makeText(`message ${index}`)] },
  changes: isChanged ? [{ kind: "gone", block: 1, path: [] }] : [],
  sources: [0],
});

const makeMade = (role: "user" | "system", words: string): Slot => ({
  kind: "made",
  from: 0,
  to: 1,
  message: { role, blocks: [makeText(words)] },
});

const entriesIn = (part: Part | undefined) => JSON.parse(`[${part?.kind === "written" ? part.json : ""}]`);

describe("writeSlots", () => {
  it("names unchanged messages, adjacent ones as one part, also with earlier parts", () => {
    const before: Part[] = [{ kind: "kept", from: 0, to: 2 }];
    expect(writeSlots(before, [makeKept(2), makeKept(3), makeKept(5)], writing)).toEqual([
      { kind: "kept", from: 0, to: 4 },
      { kind: "kept", from: 5, to: 6 },
    ]);
    expect(before).toEqual([{ kind: "kept", from: 0, to: 2 }]);
  });

  it("writes changed messages with their index and their tokens", () => {
    const [part] = writeSlots([], [makeKept(7, true)], writing);
    expect(part).toMatchObject({ kind: "written", raw: 7, tokens: counter.countMessage(makeKept(7).message) });
    expect(entriesIn(part)).toMatchObject([{ role: "user" }]);
  });

  it("allows a cache mark on the last message and on the client's own, and on no other of ours", () => {
    const slots = [makeMade("user", "one"), makeKept(1, true), makeMade("user", "two")];
    expect(writeSlots([], slots, writing).map((part) => "markAt" in part)).toEqual([false, true, true]);
  });

  it("writes a system message as the user's if the model rejects it", () => {
    const refusing = { ...writing, prompt: { ...prompt, takesSystemMessages: false } };
    const roles = [writing, refusing].map((each) => entriesIn(writeSlots([], [makeMade("system", "so far")], each)[0]));
    const text = "<system-reminder>\nso far\n</system-reminder>";
    expect(roles).toMatchObject([[{ role: "system" }], [{ role: "user", content: [{ type: "text", text }] }]]);
  });
});

describe("messageWriter", () => {
  it("separates the entries of one message with commas", () => {
    const result = (id: string) => ({
      type: "tool-result" as const,
      callId: id,
      content: [makeText(id)],
      isError: false,
    });
    const write = messageWriter(conversation, { wire: "openai-chat", vendor: "openai" });
    const entries = JSON.parse(`[${write({ role: "user", blocks: [result("a"), result("b")] })}]`);
    expect(entries).toMatchObject([{ tool_call_id: "a" }, { tool_call_id: "b" }]);
  });
});
