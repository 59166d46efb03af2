import { type JsonObject, textMessage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import type { DecodedEntry } from "../../messages/entries.ts";
import { saidBy } from "../../testing/script.ts";
import { decodeMessage } from "./message.ts";
import { transcribe } from "./transcript.ts";

function makeEntries(...entries: readonly JsonObject[]): DecodedEntry[] {
  return entries.map((entry, index) => ({ line: index + 1, entry, message: decodeMessage(entry)! }));
}

const user = (content: string, fields: JsonObject = {}) => ({ role: "user", content, ...fields });
const reply = (content: string, fields: JsonObject = {}) => ({ role: "assistant", content, ...fields });

describe("transcribe", () => {
  it("knows that the first message stayed before the summary", () => {
    const { messages, calls, compactions } = transcribe(
      makeEntries(
        user("Task."),
        reply("One.", { condenseParent: "x" }),
        user("Two.", { condenseParent: "x" }),
        reply("So far.", { isSummary: true, condenseId: "x" }),
        user("Three."),
        reply("Four."),
      ),
    );
    expect(messages).toHaveLength(5);
    expect(compactions).toMatchObject([{ line: 4, at: 3, keptFrom: 3, summary: "So far." }]);
    expect(calls[1]?.prompt).toMatchObject({ head: 1, from: 3, to: 4, summary: { role: "assistant" } });
  });

  it("takes a truncation marker for a compaction", () => {
    const { compactions, calls } = transcribe(
      makeEntries(
        user("Task."),
        reply("One.", { truncationParent: "t" }),
        user("[hidden]", { isTruncationMarker: true, truncationId: "t" }),
        user("Two."),
        reply("Three."),
      ),
    );
    expect(compactions).toMatchObject([{ summary: "[hidden]", at: 2, keptFrom: 2 }]);
    expect(calls[1]?.prompt).toMatchObject({ head: 1, from: 2, to: 3 });
  });

  it("hides what an earlier summary hid after a later one, too", () => {
    const { calls } = transcribe(
      makeEntries(
        user("Task.", { condenseParent: "x" }),
        user("So far.", { isSummary: true, condenseId: "x", condenseParent: "y" }),
        reply("One.", { condenseParent: "y" }),
        user("So further.", { isSummary: true, condenseId: "y" }),
        reply("Two."),
      ),
    );
    expect(calls.map(({ prompt }) => [prompt.head, prompt.from, prompt.to])).toEqual([
      [undefined, 1, 1],
      [undefined, 2, 2],
    ]);
  });

  it("keeps a summary as a message where what it replaced is gone", () => {
    const { messages, compactions } = transcribe(makeEntries(user("Task."), reply("So far.", { isSummary: true })));
    expect(messages).toHaveLength(2);
    expect(compactions).toEqual([]);
  });

  it("keeps hidden messages in the prompt before they were hidden", () => {
    const { calls } = transcribe(
      makeEntries(
        user("Task.", { condenseParent: "x" }),
        reply("One.", { condenseParent: "x" }),
        user("So far.", { isSummary: true, condenseId: "x" }),
      ),
    );
    expect(calls[0]?.prompt).toEqual({ from: 0, to: 1 });
  });

  it("joins reasoning with the reply that follows it, and keeps it where none does", () => {
    const reasoning = { type: "reasoning", text: "Hm." };
    const { messages, calls } = transcribe(
      makeEntries(user("Task."), reasoning, reply("One."), reasoning, user("Stop."), reasoning),
    );
    expect(saidBy(messages)).toEqual([
      ["user", "text", "Task."],
      ["assistant", "thinking"],
      ["assistant", "text", "One."],
      ["assistant", "thinking"],
      ["user", "text", "Stop."],
      ["assistant", "thinking"],
    ]);
    expect(messages).toHaveLength(5);
    expect(calls).toMatchObject([{ prompt: { from: 0, to: 1 }, reply: 1 }]);
    expect(messages[0]).toMatchObject(textMessage("user", "Task."));
  });
});
