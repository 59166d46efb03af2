import { describe, expect, it } from "vitest";
import { makePrompt, makeTurn } from "../testing/make.ts";
import { parseBehavior } from "./behavior.ts";
import { type ComposeContext, compose, type Draft, type Limits, limitDraft } from "./compose.ts";
import { makeTokenizer } from "./tokens.ts";

const context: ComposeContext = {
  tokenizer: makeTokenizer(1),
  script: () => undefined,
  summaryTokens: 100,
  thinkTokens: 12,
  seed: "seed",
  maxTokens: 50,
};
const say = (text: string) => makePrompt({ turns: [makeTurn("user", { texts: [text] })] });

it("repeats the user's text", () => {
  expect(compose(say("hello"), context)).toEqual({ text: "You said: hello", calls: [], isRefusal: false });
  expect(compose(makePrompt({ turns: [] }), context).text).toBe("You said nothing.");
  const hidden = "<system-reminder>\nAs you answer, be brief.\n</system-reminder>\nhello";
  expect(compose(say(hidden), context).text).toBe("You said: hello");
});

it("prefers the script to the user's directives", () => {
  const script = () => parseBehavior("say from the script");
  expect(compose(say("simulate: say from the user"), { ...context, script }).text).toBe("from the script");
  expect(compose(say("simulate: say from the user"), context).text).toBe("from the user");
});

it("thinks if thinking is on", () => {
  const prompt = { ...say("hi"), thinks: true };
  expect(compose(prompt, context).thinking?.text).toMatch(/^Read the existing/);
  expect(compose({ ...prompt, thinks: false }, context).thinking).toBeUndefined();
  const redacted = compose({ ...prompt, turns: say("simulate: think 30 redacted").turns }, context);
  expect(redacted.thinking?.isRedacted).toBe(true);
  expect(compose({ ...prompt, turns: say("simulate: think 0").turns }, context).thinking).toBeUndefined();
});

describe("tool loops", () => {
  const user = makeTurn("user", {
    texts: [
      'simulate: call read {"path":"{step}.ts"}\nsimulate: call list\nsimulate: times 2\nsimulate: comment Looking.',
    ],
  });

  it("make the scripted calls step by step, then end", () => {
    const first = compose(makePrompt({ turns: [user] }), context);
    expect(first.calls.map(({ name, input }) => [name, input])).toEqual([
      ["read", { path: "1.ts" }],
      ["list", {}],
    ]);
    expect(first.text).toBe("Looking.");
    const ids = first.calls.map(({ id }) => `call_${id}`);
    expect(new Set(ids).size).toBe(2);
    const round = [makeTurn("assistant", { calls: ids }), makeTurn("user", { results: ids })];
    const second = compose(makePrompt({ turns: [user, ...round] }), { ...context, seed: "second" });
    expect(second.calls[0]?.input).toEqual({ path: "2.ts" });
    expect(second.calls[0]?.id).not.toBe(first.calls[0]?.id);
    const last = second.calls.map(({ id }) => `call_${id}`);
    const third = compose(
      makePrompt({ turns: [user, makeTurn("assistant", { calls: last }), makeTurn("user", { results: last })] }),
      context,
    );
    expect([third.calls, third.text.slice(0, 9)]).toEqual([[], "You said:"]);
  });

  it("make a forced call with example arguments", () => {
    const tools = [
      { name: "a", schema: {} },
      { name: "b", schema: { type: "object", properties: { x: { type: "integer" } } } },
    ];
    expect(compose(makePrompt({ tools, mustCall: "b" }), context).calls).toMatchObject([
      { name: "b", input: { x: 1 } },
    ]);
    expect(compose(makePrompt({ tools, mustCall: "any" }), context).calls).toMatchObject([{ name: "a", input: {} }]);
    expect(compose(makePrompt({ mustCall: "any" }), context).calls).toEqual([]);
  });
});

describe("endings", () => {
  it.each([
    ["summary 30", /^Summary of the conversation/],
    ["words 20", /^Read the existing/],
    ['json {"a":1}', /^\{"a":1\}$/],
    ["empty", /^$/],
    ["garbage", /�/],
    ["refuse", /^I can't help with that\.$/],
  ])("write %s", (line, text) => {
    expect(compose(say(`simulate: ${line}`), context).text).toMatch(text);
  });

  it("mark a refusal", () => {
    expect(compose(say("simulate: refuse"), context).isRefusal).toBe(true);
  });

  it("exceed every limit when they are endless", () => {
    expect(context.tokenizer.count(compose(say("simulate: endless"), context).text)).toBeGreaterThan(context.maxTokens);
  });

  it("follow a schema, or a request for a summary", () => {
    const outputSchema = { type: "object", properties: { ok: { type: "boolean" } } };
    expect(compose({ ...say("hi"), outputSchema }, context).text).toBe('{"ok":true}');
    expect(compose(say("Summarize the conversation."), context).text).toMatch(/^Summary/);
  });
});

const tokenizer = makeTokenizer(1);
const open: Limits = { maxTokens: 1_000, roomTokens: 5_000, stopSequences: [] };
const draft: Draft = { text: "one two three four", calls: [], isRefusal: false };
const call = { id: "s1_a", name: "read", input: { path: "a.ts" } };

it("keeps an answer within its limits unchanged", () => {
  expect(limitDraft(draft, open, tokenizer)).toEqual({ text: draft.text, calls: [], stop: "end", tokens: 5 });
});

it("returns the stop reason", () => {
  expect(limitDraft({ ...draft, calls: [call] }, open, tokenizer)).toMatchObject({ stop: "calls", calls: [call] });
  expect(limitDraft({ ...draft, isRefusal: true }, open, tokenizer).stop).toBe("refusal");
});

it("cuts the text at the request's limit or the window's", () => {
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

it("counts thinking first", () => {
  const thinking = { text: "let me think about it", isRedacted: false };
  const output = limitDraft({ ...draft, thinking }, { ...open, maxTokens: 6 }, tokenizer);
  expect(output.thinking).toEqual({ text: thinking.text, isRedacted: false, tokens: 6 });
  expect([output.text, output.stop]).toEqual(["", "length"]);
});

it("drops calls that do not fit", () => {
  expect(limitDraft({ ...draft, calls: [call, call] }, { ...open, maxTokens: 24 }, tokenizer)).toMatchObject({
    stop: "length",
    calls: [call],
  });
});

it("ends at the first stop sequence", () => {
  const stopped = limitDraft(draft, { ...open, stopSequences: ["four", " three"] }, tokenizer);
  expect(stopped).toMatchObject({ text: "one two", stop: "sequence", stopSequence: " three" });
});
