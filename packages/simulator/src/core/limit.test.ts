import { expect, it } from "vitest";
import type { Draft } from "./compose.ts";
import { type Limits, limitDraft } from "./limit.ts";
import { makeTokenizer } from "./tokens.ts";

const tokenizer = makeTokenizer(1);
const open: Limits = { maxTokens: 1_000, roomTokens: 5_000, stopSequences: [] };
const draft: Draft = { text: "one two three four", calls: [], isRefusal: false };
const call = { id: "s1_a", name: "read", input: { path: "a.ts" } };

it("leaves an answer within its limits as it is", () => {
  expect(limitDraft(draft, open, tokenizer)).toEqual({ text: draft.text, calls: [], stop: "end", tokens: 5 });
});

it("says why it ended", () => {
  expect(limitDraft({ ...draft, calls: [call] }, open, tokenizer)).toMatchObject({ stop: "calls", calls: [call] });
  expect(limitDraft({ ...draft, isRefusal: true }, open, tokenizer).stop).toBe("refusal");
});

it("cuts the text at the request's limit or at the window's", () => {
  expect(limitDraft(draft, { ...open, maxTokens: 2 }, tokenizer)).toMatchObject({
    stop: "length",
    text: "one two ",
    tokens: 2,
  });
  expect(limitDraft(draft, { ...open, roomTokens: 2 }, tokenizer)).toMatchObject({ stop: "window", text: "one two " });
  expect(limitDraft(draft, { ...open, maxTokens: 0 }, tokenizer)).toMatchObject({
    stop: "length",
    text: "",
    tokens: 0,
  });
});

it("spends the limit on thinking first", () => {
  const thinking = { text: "let me think about it", isRedacted: false };
  const output = limitDraft({ ...draft, thinking }, { ...open, maxTokens: 6 }, tokenizer);
  expect(output.thinking).toEqual({ text: thinking.text, isRedacted: false, tokens: 6 });
  expect([output.text, output.stop]).toEqual(["", "length"]);
});

it("leaves out calls that don't fit", () => {
  expect(limitDraft({ ...draft, calls: [call, call] }, { ...open, maxTokens: 24 }, tokenizer)).toMatchObject({
    stop: "length",
    calls: [call],
  });
});

it("ends at the first stop sequence", () => {
  const stopped = limitDraft(draft, { ...open, stopSequences: ["four", " three"] }, tokenizer);
  expect(stopped).toMatchObject({ text: "one two", stop: "sequence", stopSequence: " three" });
});
