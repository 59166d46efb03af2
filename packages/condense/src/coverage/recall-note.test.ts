import type { JsonObject } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anySession } from "../testing/any-session.ts";
import { makeCounter } from "../testing/context.ts";
import { STATE_OF_SUMMARY } from "./digest.ts";
import { recallNote, recallReserve } from "./recall-note.ts";

const counter = makeCounter();
const raw = makeConversation([
  makeUser("Fix parseLine."),
  makeAssistant(
    makeToolCall("a", { name: "Write", input: { file_path: "src/parse.ts", content: "splitWords(lineText)" } }),
  ),
  makeUser(makeToolResult("a", "ok")),
  makeAssistant("- [ ] test it\n- [x] write it"),
  makeUser("Go on."),
]);
const kept = { ...raw, messages: raw.messages.slice(-1) };

describe("recallNote", () => {
  it("lists facts first, then the names that neither they nor the conversation contain", () => {
    expect(recallNote({ raw, kept, maxTokens: 200, counter }).split("\n")).toEqual([
      "State of the work when this note was written; later messages may change it:",
      "Open to-dos: test it.",
      "Files changed: src/parse.ts (created: splitWords, lineText).",
      "Other names left out: parseLine",
    ]);
  });

  it("is empty if nothing is missing", () => {
    const talk = makeConversation([makeUser("Fix parseLine."), makeAssistant("parseLine works.")]);
    expect(recallNote({ raw: talk, kept: talk, maxTokens: 200, counter })).toBe("");
  });

  it("leaves the lists to a summary that has them, unless there are several", () => {
    const after = (summaries: number) => {
      const text = Array(summaries).fill(`${STATE_OF_SUMMARY}\nFiles changed: a.ts.`).join("\n");
      return recallNote({ raw, kept: makeConversation([makeUser(text)]), maxTokens: 200, counter });
    };
    expect([0, 1, 2].map((summaries) => after(summaries).includes("Files changed: src/parse.ts"))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("limits the list of names, however much room there is", () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `nameOfThing${index}`);
    const session = { ...raw, messages: [makeUser(names.join(" ")), ...raw.messages] };
    const [last = ""] = recallNote({ raw: session, kept, maxTokens: 50_000, counter }).split("\n").slice(-1);
    expect(last).toContain("Other names left out: ");
    expect(counter.countText(last)).toBeLessThanOrEqual(1_250);
  });

  it("leaves most of a little room to the facts", () => {
    const use = (id: string, name: string, input: JsonObject) => [
      makeAssistant(makeToolCall(id, { name, input })),
      makeUser(makeToolResult(id, name === "Bash" ? "fatal: no such branch, and nothing to pull from" : "ok")),
    ];
    const files = Array.from({ length: 30 }, (_, index) => [
      ...use(`w${index}`, "Write", { file_path: `src/${index}.ts`, content: "" }),
      ...use(`r${index}`, "Read", { file_path: `lib/${index}.ts` }),
    ]);
    const cause = makeAssistant("The lock was never released because the save failed before it was set.");
    const messages = [...files.flat(), ...use("b", "Bash", { command: "git pull" }), cause, ...raw.messages];
    const text = recallNote({ raw: { ...raw, messages }, kept, maxTokens: 250, counter });
    const facts = text.slice(0, text.indexOf("\nOther names left out:"));
    expect(counter.countText(facts)).toBeGreaterThan(160);
    expect(text).toContain("Other names left out:");
  });

  it("stays within its limit and is deterministic", () => {
    fc.assert(
      fc.property(anySession(), fc.integer({ min: 1, max: 400 }), (any, maxTokens) => {
        const request = { raw: any, kept: { ...any, messages: any.messages.slice(-2) }, maxTokens, counter };
        const text = recallNote(request);
        expect(recallNote(request)).toBe(text);
        expect(text === "" ? 0 : counter.countText(text)).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });
});

describe("recallReserve", () => {
  const reserves = (of: readonly number[], shrinksTo: number) =>
    of.map((tokens) => recallReserve(tokens, tokens / shrinksTo));

  it("is a larger share of the messages, the more of them is left out", () => {
    expect([1, 0.5, 0.25, 0.1, 0.01].map((share) => recallReserve(10_000, 10_000 / share))).toEqual([
      450, 636, 900, 1_423, 2_000,
    ]);
  });

  it("has a maximum, and a minimum that a short conversation has room for", () => {
    expect(reserves([-5, 0, 100, 400, 1_000_000], 0.25)).toEqual([0, 0, 20, 80, 3_500]);
  });
});
