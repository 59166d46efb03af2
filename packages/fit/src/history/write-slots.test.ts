import type { Slot } from "@longhaul/condense";
import { makeText } from "@longhaul/conversation/testing";
import { makeTokenCounters } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { makePrompt } from "../testing/projections.ts";
import { sha256 } from "./known-messages.ts";
import type { Part } from "./parts.ts";
import { messageSpeller, writeSlots } from "./write-slots.ts";

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
  it("names what stays as it came, neighbours together, also those that were there before", () => {
    const before: Part[] = [{ kind: "kept", from: 0, to: 2 }];
    expect(writeSlots(before, [makeKept(2), makeKept(3), makeKept(5)], writing)).toEqual([
      { kind: "kept", from: 0, to: 4 },
      { kind: "kept", from: 5, to: 6 },
    ]);
    expect(before).toEqual([{ kind: "kept", from: 0, to: 2 }]);
  });

  it("writes what was changed, with the message that it was and what it counts", () => {
    const [part] = writeSlots([], [makeKept(7, true)], writing);
    expect(part).toMatchObject({ kind: "written", raw: 7, tokens: counter.countMessage(makeKept(7).message) });
    expect(entriesIn(part)).toMatchObject([{ role: "user" }]);
  });

  it("leaves room for a cache mark on the last message and on those of the client's, and on no other of ours", () => {
    const slots = [makeMade("user", "one"), makeKept(1, true), makeMade("user", "two")];
    expect(writeSlots([], slots, writing).map((part) => "markAt" in part)).toEqual([false, true, true]);
  });

  it("says as the user what a model does not take from the system", () => {
    const refusing = { ...writing, prompt: { ...prompt, takesSystemMessages: false } };
    const roles = [writing, refusing].map((each) => entriesIn(writeSlots([], [makeMade("system", "so far")], each)[0]));
    const text = "<system-reminder>\nso far\n</system-reminder>";
    expect(roles).toMatchObject([[{ role: "system" }], [{ role: "user", content: [{ type: "text", text }] }]]);
  });
});

describe("messageSpeller", () => {
  it("puts commas between the entries that one message becomes", () => {
    const result = (id: string) => ({
      type: "tool-result" as const,
      callId: id,
      content: [makeText(id)],
      isError: false,
    });
    const spell = messageSpeller(conversation, { wire: "openai-chat", vendor: "openai" });
    const entries = JSON.parse(`[${spell({ role: "user", blocks: [result("a"), result("b")] })}]`);
    expect(entries).toMatchObject([{ tool_call_id: "a" }, { tool_call_id: "b" }]);
  });
});
