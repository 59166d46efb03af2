import type { Block, Request } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { type KeptThoughts, makeKeptThoughts } from "./kept-thoughts.ts";

const thought = (text: string): Block => ({ type: "thinking", text, signature: `signed ${text}`, vendor: "anthropic" });

/** The blocks of an assistant's message after the client sent it back. */
function putBack(kept: KeptThoughts, blocks: readonly Block[], owner = "me"): readonly Block[] | undefined {
  const results = blocks.flatMap((block) => (block.type === "tool-call" ? [makeToolResult(block.id)] : []));
  const conversation = makeConversation([makeUser("Go."), makeAssistant([...blocks]), makeUser(results)]);
  const request: Request = { model: "m", conversation, stream: false, sampling: {} };
  return kept.putBack(owner, request).conversation.messages[1]?.blocks;
}

describe("kept thoughts", () => {
  const [a, b] = [makeToolCall("a"), makeToolCall("b")];
  const said = [makeText("Let me see."), a, b];

  it("come back before the words and calls that they led to", () => {
    const kept = makeKeptThoughts();
    kept.keep("me", [thought("first"), makeText("Let me see."), a, thought("second"), b]);
    expect(putBack(kept, said)).toEqual([thought("first"), makeText("Let me see."), a, thought("second"), b]);
    expect(putBack(kept, said)).toHaveLength(5);
  });

  it("bring the proof back that stood on the call itself", () => {
    const kept = makeKeptThoughts();
    kept.keep("me", [{ ...a, signature: "proof" }]);
    expect(putBack(kept, [a])).toMatchObject([{ id: "a", signature: "proof" }]);
  });

  it("come in the place of what the client made of them", () => {
    const kept = makeKeptThoughts();
    kept.keep("me", [thought("mine"), a, thought("second"), b]);
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

  it("do so too where a format gives thoughts, words and calls messages of their own", () => {
    const kept = makeKeptThoughts();
    kept.keep("me", [thought("mine"), a]);
    const messages = [
      makeUser("Go."),
      makeAssistant([thought("own")]),
      makeAssistant("Let me see."),
      makeAssistant([a]),
      makeUser([makeToolResult("a")]),
      makeAssistant([thought("later")]),
    ];
    const request: Request = { model: "m", conversation: makeConversation(messages), stream: false, sampling: {} };
    const said = kept.putBack("me", request).conversation.messages.map(({ blocks }) => blocks);
    expect(said.slice(1, 3)).toEqual([[thought("mine")], [makeText("Let me see.")]]);
    expect(said.at(-1)).toEqual([thought("later")]);
    const [, , ...spoken] = messages;
    const silent: Request = { ...request, conversation: makeConversation([makeUser("Go."), ...spoken]) };
    expect(kept.putBack("me", silent).conversation.messages[1]?.blocks).toEqual([
      thought("mine"),
      makeText("Let me see."),
    ]);
  });

  it("never go before a vendor's summary, which must open the conversation", () => {
    const kept = makeKeptThoughts();
    kept.keep("me", [thought("first"), a]);
    const summary: Block = { type: "compaction", text: "So far.", vendor: "anthropic" };
    expect(putBack(kept, [summary, a])).toEqual([summary, thought("first"), a]);
  });

  it("leave alone what is another's, and what nobody takes back", () => {
    const kept = makeKeptThoughts();
    kept.keep("me", [thought("mine"), a]);
    for (const vendor of [undefined, "anthropic", "google", "openai"]) {
      kept.keep("me", [{ type: "thinking", text: "unsigned", ...(vendor && { vendor }) }, b]);
    }
    expect(putBack(kept, [a], "you")).toEqual([a]);
    expect(putBack(kept, [b])).toEqual([b]);
  });

  it("need no proof for servers of chat completions", () => {
    const kept = makeKeptThoughts();
    const plain: Block = { type: "thinking", text: "Hm.", vendor: "openai-compatible" };
    const value = { type: "reasoning.summary", summary: "Hm." };
    const summary: Block = { type: "thinking", text: "Hm.", vendor: "openai", native: { wire: "openai-chat", value } };
    kept.keep("me", [plain, a]);
    kept.keep("me", [summary, b]);
    expect(putBack(kept, [a, b])).toEqual([plain, a, summary, b]);
  });

  it("give the identical request back where there is nothing to put back", () => {
    const request: Request = { model: "m", conversation: makeConversation([makeUser()]), stream: false, sampling: {} };
    const kept = makeKeptThoughts();
    expect(kept.putBack("me", request)).toBe(request);
    kept.keep("me", [thought("x"), a]);
    expect(kept.putBack("me", request)).toBe(request);
  });

  it("take no more room than they may: what was unused for longest goes first", () => {
    const kept = makeKeptThoughts({ maxBytes: 700 });
    const long = thought("x".repeat(100));
    kept.keep("me", [long, a]);
    kept.keep("me", [long, b]);
    putBack(kept, [a]);
    kept.keep("me", [long, makeToolCall("c")]);
    expect([a, b].map((call) => putBack(kept, [call])?.length)).toEqual([2, 1]);
  });
});
