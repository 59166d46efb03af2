import { makeConversation, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import type { Edit } from "../edits/edit.ts";
import { makeCounter } from "../testing/counter.ts";
import { editsOf, savingsUntil, spliceSaving } from "./savings.ts";

const at = { message: 0, block: 0, path: [] };
const edit = (from: number): Edit => ({
  kind: "splice",
  at,
  splices: [{ from, to: from + 1, text: "" }],
  reason: "truncate",
});

describe("savingsUntil", () => {
  it("takes what comes first until it is enough, and passes over what saves nothing", () => {
    const asked: number[] = [];
    const savings = savingsUntil(10, [6, 0, -3, 5, 9], (tokens) => {
      asked.push(tokens);
      return { edit: edit(tokens), tokens };
    });
    expect(savings.map(({ tokens }) => tokens)).toEqual([6, 5]);
    expect(asked).toEqual([6, 0, -3, 5]);
  });

  it("takes nothing where nothing is over", () => {
    expect(savingsUntil(0, [1], () => ({ edit: edit(1), tokens: 1 }))).toEqual([]);
    expect(savingsUntil(5, [1], () => undefined)).toEqual([]);
  });
});

it("editsOf makes one edit of all splices of a text", () => {
  expect(editsOf([edit(1), edit(5)].map((of) => ({ edit: of, tokens: 1 })))).toMatchObject([
    { splices: [{ from: 1 }, { from: 5 }] },
  ]);
});

describe("spliceSaving", () => {
  const [content] = decompose(makeConversation([makeUser("x".repeat(100))]).messages).contents;

  it("counts what goes, less what stands in its place", () => {
    const splice = { from: 20, to: 100, text: "four" };
    expect(content && spliceSaving(content, splice, makeCounter())).toEqual({
      edit: { kind: "splice", at, splices: [splice], reason: "truncate" },
      tokens: 19,
    });
  });

  it("knows no saving without a splice", () => {
    expect(content && spliceSaving(content, undefined, makeCounter())).toBeUndefined();
  });
});
