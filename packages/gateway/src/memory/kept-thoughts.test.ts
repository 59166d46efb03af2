import type { Block, Request } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { type KeptThoughts, makeKeptThoughts, type ReasoningScope } from "./kept-thoughts.ts";

const thought = (text: string): Block => ({ type: "thinking", text, signature: `signed ${text}`, vendor: "anthropic" });

/** The scope of a reply to "Go.". */
const mine: ReasoningScope = { owner: "me", conversation: undefined, sent: makeConversation([makeUser("Go.")]) };

/** The blocks of an assistant's message after the client sent it back. */
function putBack(kept: KeptThoughts, blocks: readonly Block[], owner = "me"): readonly Block[] | undefined {
  const results = blocks.flatMap((block) => (block.type === "tool-call" ? [makeToolResult(block.id)] : []));
  const conversation = makeConversation([makeUser("Go."), makeAssistant([...blocks]), makeUser(results)]);
  const request: Request = { model: "m", conversation, stream: false, sampling: {} };
  return kept.putBack({ ...mine, owner, sent: conversation }, request).conversation.messages[1]?.blocks;
}

describe("stored reasoning", () => {
  const [a, b] = [makeToolCall("a"), makeToolCall("b")];
  const said = [makeText("Let me see."), a, b];

  it("is put back before the text and calls that it led to", () => {
    const kept = makeKeptThoughts();
    kept.keep(mine, [thought("first"), makeText("Let me see."), a, thought("second"), b]);
    expect(putBack(kept, said)).toEqual([thought("first"), makeText("Let me see."), a, thought("second"), b]);
    expect(putBack(kept, said)).toHaveLength(5);
  });

  it("restores the signature of the call itself", () => {
    const kept = makeKeptThoughts();
    kept.keep(mine, [{ ...a, signature: "proof" }]);
    expect(putBack(kept, [a])).toMatchObject([{ id: "a", signature: "proof" }]);
  });

  it("replaces the client's version of it", () => {
    const kept = makeKeptThoughts();
    kept.keep(mine, [thought("mine"), a, thought("second"), b]);
    const own: Block = { type: "thinking", text: "", signature: "own" };
    expect(putBack(kept, [own, makeText("So."), a, b])).toEqual([
      thought("mine"),
      makeText("So."),
      a,
      thought("second"),
      b,
    ]);
    expect(putBack(kept, [own, makeToolCall("c")])).toEqual([own, makeToolCall("c")]);
  });

  it("does so too if a format uses separate messages for reasoning, text and calls", () => {
    const kept = makeKeptThoughts();
    kept.keep(mine, [thought("mine"), a]);
    const messages = [
      makeUser("Go."),
      makeAssistant([thought("own")]),
      makeAssistant("Let me see."),
      makeAssistant([a]),
      makeUser([makeToolResult("a")]),
      makeAssistant([thought("later")]),
    ];
    const request: Request = { model: "m", conversation: makeConversation(messages), stream: false, sampling: {} };
    const said = kept
      .putBack({ ...mine, sent: request.conversation }, request)
      .conversation.messages.map(({ blocks }) => blocks);
    expect(said.slice(1, 3)).toEqual([[thought("mine")], [makeText("Let me see.")]]);
    expect(said.at(-1)).toEqual([thought("later")]);
    const [, , ...spoken] = messages;
    const silent: Request = { ...request, conversation: makeConversation([makeUser("Go."), ...spoken]) };
    expect(kept.putBack({ ...mine, sent: silent.conversation }, silent).conversation.messages[1]?.blocks).toEqual([
      thought("mine"),
      makeText("Let me see."),
    ]);
  });

  it("never precedes a vendor's summary, which must open the conversation", () => {
    const kept = makeKeptThoughts();
    kept.keep(mine, [thought("first"), a]);
    const summary: Block = { type: "compaction", text: "So far.", vendor: "anthropic" };
    expect(putBack(kept, [summary, a])).toEqual([summary, thought("first"), a]);
  });

  it("is not used for another owner, and not stored if no vendor accepts it", () => {
    const kept = makeKeptThoughts();
    kept.keep(mine, [thought("mine"), a]);
    for (const vendor of [undefined, "anthropic", "google", "openai"]) {
      kept.keep(mine, [{ type: "thinking", text: "unsigned", ...(vendor && { vendor }) }, b]);
    }
    expect(putBack(kept, [a], "you")).toEqual([a]);
    expect(putBack(kept, [b])).toEqual([b]);
  });

  it("needs no signature for chat completions servers", () => {
    const kept = makeKeptThoughts();
    const plain: Block = { type: "thinking", text: "Hm.", vendor: "openai-compatible" };
    const value = { type: "reasoning.summary", summary: "Hm." };
    const summary: Block = { type: "thinking", text: "Hm.", vendor: "openai", native: { wire: "openai-chat", value } };
    kept.keep(mine, [plain, a]);
    kept.keep(mine, [summary, b]);
    expect(putBack(kept, [a, b])).toEqual([plain, a, summary, b]);
  });

  it("returns the identical request if there is nothing to put back", () => {
    const request: Request = { model: "m", conversation: makeConversation([makeUser()]), stream: false, sampling: {} };
    const kept = makeKeptThoughts();
    expect(kept.putBack({ ...mine, sent: request.conversation }, request)).toBe(request);
    kept.keep(mine, [thought("x"), a]);
    expect(kept.putBack({ ...mine, sent: request.conversation }, request)).toBe(request);
  });

  it("evicts the least recently used over the limit", () => {
    const kept = makeKeptThoughts({ maxBytes: 700 });
    const long = thought("x".repeat(100));
    kept.keep(mine, [long, a]);
    kept.keep(mine, [long, b]);
    putBack(kept, [a]);
    kept.keep(mine, [long, makeToolCall("c")]);
    expect([a, b].map((call) => putBack(kept, [call])?.length)).toEqual([2, 1]);
  });
});

describe("a call with a guessable id", () => {
  const call = makeToolCall("call_0");
  const report = (result: string) => [
    makeUser("Report."),
    makeAssistant([makeToolCall("call_a")]),
    makeUser([makeToolResult("call_a", result)]),
  ];
  const thinkingOf = (result: string, more: Partial<ReasoningScope> = {}): ReasoningScope => ({
    ...mine,
    sent: makeConversation(report(result)),
    ...more,
  });
  const next = (result: string, more: Partial<ReasoningScope> = {}, said = call) => {
    const conversation = makeConversation([
      ...report(result),
      makeAssistant([said]),
      makeUser([makeToolResult(said.id)]),
    ]);
    const request: Request = { model: "m", conversation, stream: false, sampling: {} };
    return { request, thinking: { ...mine, sent: conversation, ...more } };
  };
  const thoughtsIn = (kept: KeptThoughts, { request, thinking }: ReturnType<typeof next>) =>
    kept.putBack(thinking, request).conversation.messages[3]?.blocks.filter(({ type }) => type === "thinking");

  it("gets its reasoning only after the identical messages", () => {
    const kept = makeKeptThoughts();
    kept.keep(thinkingOf("monday"), [thought("mine"), call]);
    expect(thoughtsIn(kept, next("monday"))).toEqual([thought("mine")]);
    expect(thoughtsIn(kept, next("tuesday"))).toEqual([]);
    expect(thoughtsIn(kept, next("monday", {}, { ...call, input: { other: true } }))).toEqual([]);
    const { request, thinking } = next("monday");
    const changed = { ...thinking, sent: { ...thinking.sent, system: [makeText("You know a secret.")] } };
    expect(thoughtsIn(kept, { request, thinking: changed })).toEqual([]);
  });

  it("gets it in the named session after the client cleared a result", () => {
    const kept = makeKeptThoughts();
    kept.keep(thinkingOf("monday", { conversation: "s" }), [thought("mine"), call]);
    expect(thoughtsIn(kept, next("[cleared]", { conversation: "s" }))).toEqual([thought("mine")]);
    expect(thoughtsIn(kept, next("monday", { conversation: "t" }))).toEqual([]);
    expect(thoughtsIn(kept, next("monday"))).toEqual([]);
  });

  it("is matched by its position among calls with the same id, also in a condensed request", () => {
    const kept = makeKeptThoughts();
    kept.keep(thinkingOf("monday"), [thought("first"), call]);
    const rounds = (count: number) =>
      Array.from({ length: count }, () => [
        makeAssistant([makeToolCall("call_0")]),
        makeUser([makeToolResult("call_0")]),
      ]).flat();
    const sent = makeConversation([...report("monday"), ...rounds(1)]);
    kept.keep({ ...mine, sent }, [thought("second"), call]);
    const whole = makeConversation([...report("monday"), ...rounds(2)]);
    const fitted = makeConversation([makeUser("In short."), ...rounds(1)]);
    const back = (conversation: typeof whole) =>
      kept
        .putBack({ ...mine, sent: whole }, { model: "m", conversation, stream: false, sampling: {} })
        .conversation.messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "thinking"));
    expect(back(whole)).toEqual([thought("first"), thought("second")]);
    expect(back(fitted)).toEqual([thought("second")]);
  });
});
