import type { Message } from "@longhaul/conversation";
import { makeAssistant, makeThinking, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeRecallMemory, needAt, recallOf, sumRecalls } from "./recall.ts";

/** Ten messages; the cut at 4 falls before the second call. */
const session: readonly Message[] = [
  makeUser("Rename parseQuery in src/query/parse.ts, keep user_name, ticket 20417, ref 9f3c2ab."),
  makeAssistant([
    makeThinking("hiddenThought"),
    "I read it.",
    makeToolCall("a", { input: { path: "src/query/parse.ts" } }),
  ]),
  makeUser(
    makeToolResult("a", "  1→export function parseQuery(text: string) {\n  2→  return splitWords(text, user_name);\n}"),
  ),
  makeAssistant("The function parseQuery is used in src/index.ts too."),
  makeAssistant([
    "Now parseQuery becomes readQuery; splitWords stays.",
    makeToolCall("b", {
      name: "edit",
      input: {
        path: "src/query/parse.ts",
        edits: [
          { old: "export function parseQuery(text: string) {", new: "export function readQuery(text: string) {" },
        ],
      },
    }),
  ]),
  makeUser(makeToolResult("b", "ok, see src/index.ts and 20417")),
  makeAssistant([
    "Ticket 20417 again, src/index.ts again, 9f3c2ab at last, réouverture/naïve_name.",
    makeToolCall("c", { input: { path: "no" } }),
  ]),
  makeUser(makeToolResult("c", "fine")),
  makeAssistant("Done."),
  makeUser("Thanks."),
];

describe("needAt", () => {
  it("returns what occurred before the cut and was not supplied again", () => {
    const need = needAt(session, 4);
    expect([...need.references].sort()).toEqual(["9f3c2ab", "parseQuery", "splitWords", "src/query/parse.ts"]);
    expect([...need.quotes]).toEqual(["export function parseQuery(text: string) {"]);
  });
});

describe("recallOf", () => {
  it("finds what the condensed messages contain, ignoring line numbers", () => {
    const need = needAt(session, 4);
    expect(recallOf(need, session.slice(0, 4))).toEqual({ references: { hit: 4, of: 4 }, quotes: { hit: 1, of: 1 } });
    expect(recallOf(need, session.slice(3, 4))).toEqual({ references: { hit: 1, of: 4 }, quotes: { hit: 0, of: 1 } });
    expect(recallOf(need, [])).toEqual({ references: { hit: 0, of: 4 }, quotes: { hit: 0, of: 1 } });
  });

  it("does not count reasoning", () => {
    expect(recallOf({ references: new Set(["hiddenThought"]), quotes: new Set() }, session).references.hit).toBe(0);
  });

  it("treats letters beyond ASCII as part of names", () => {
    const need = { references: new Set(["naïve_name"]), quotes: new Set<string>() };
    expect(recallOf(need, [makeUser("ouverture/naïve_name")]).references.hit).toBe(0);
    const whole = { references: new Set(["ouverture/naïve_name"]), quotes: new Set<string>() };
    expect(recallOf(whole, [makeUser("ouverture/naïve_name")]).references.hit).toBe(1);
  });
});

it("sums recalls as if all needs were one", () => {
  const one = { references: { hit: 1, of: 2 }, quotes: { hit: 0, of: 0 } };
  const other = { references: { hit: 3, of: 3 }, quotes: { hit: 1, of: 4 } };
  expect(sumRecalls([one, other])).toEqual({ references: { hit: 4, of: 5 }, quotes: { hit: 1, of: 4 } });
});

it("finds the same with a cache", () => {
  const memory = makeRecallMemory();
  for (const at of [3, 4, 6]) {
    const need = needAt(session, at);
    expect(needAt(session, at, memory)).toEqual(need);
    expect(recallOf(need, session.slice(1, at), memory)).toEqual(recallOf(need, session.slice(1, at)));
  }
});

it("counts characters, not code units, for quotes", () => {
  const quote = (text: string) => [makeUser(text), makeAssistant([makeToolCall("a", { input: { text } })])];
  expect(needAt(quote("😀".repeat(19)), 1).quotes.size).toBe(0);
  expect(needAt(quote("😀".repeat(20)), 1).quotes.size).toBe(1);
});
