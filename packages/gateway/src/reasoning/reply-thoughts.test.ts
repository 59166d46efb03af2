import type { Block, Reply } from "@longhaul/conversation/advanced";
import { makeText, makeToolCall, makeUsage } from "@longhaul/conversation/testing";
import { collectReply, eventsOf } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { replyThoughts, type ThoughtsOptions } from "./reply-thoughts.ts";

const signed: Block = { type: "thinking", text: "Hm.", signature: "s", vendor: "anthropic" };
const unsigned: Block = { type: "thinking", text: "Hm." };
const redacted: Block = { type: "redacted-thinking", data: "d", vendor: "anthropic" };
const reply: Reply = {
  id: "r",
  model: "m",
  blocks: [signed, makeText("So."), redacted, makeToolCall("a"), unsigned, makeToolCall("b")],
  stopReason: "tool-calls",
  usage: makeUsage(),
  native: { wire: "anthropic-messages", value: {} },
};

/** The reply as the client gets it, whole and as a stream. */
function given(options: ThoughtsOptions): { whole: Reply; streamed: readonly Block[] } {
  const change = replyThoughts(options);
  const seen = change.stream();
  const events = [...eventsOf(reply)].flatMap((event) => seen(event));
  const indexes = events.flatMap((event) => ("index" in event && event.index !== undefined ? [event.index] : []));
  expect([...new Set(indexes)]).toEqual([...new Set(indexes)].map((_, index) => index));
  return { whole: change.whole(reply), streamed: collectReply(events).blocks };
}

const types = (blocks: readonly Block[]) => blocks.map(({ type }) => type);

describe("replyThoughts", () => {
  it("returns the identical answer if its reasoning is not excluded", () => {
    const { whole, streamed } = given({ isExcluded: false, holdsSignatures: false });
    expect(whole).toBe(reply);
    expect(types(streamed)).toEqual(types(reply.blocks));
  });

  it("removes reasoning for clients that cannot send it back", () => {
    const { whole, streamed } = given({ isExcluded: true, holdsSignatures: false });
    expect(types(whole.blocks)).toEqual(["text", "tool-call", "tool-call"]);
    expect(types(streamed)).toEqual(["text", "tool-call", "tool-call"]);
    expect(whole).not.toHaveProperty("native");
  });

  it("keeps the signatures for clients that can", () => {
    const { whole, streamed } = given({ isExcluded: true, holdsSignatures: true });
    expect(whole.blocks[0]).toMatchObject({ type: "thinking", text: "", signature: "s" });
    expect(types(whole.blocks)).toEqual(["thinking", "text", "redacted-thinking", "tool-call", "tool-call"]);
    expect(streamed[0]).toMatchObject({ type: "thinking", text: "", signature: "s" });
  });

  it("keeps the original blocks, whatever the client gets", () => {
    const kept: (readonly Block[])[] = [];
    given({ isExcluded: true, holdsSignatures: false, keep: (blocks) => void kept.push(blocks) });
    expect(kept.map(types)).toEqual([types(reply.blocks), types(reply.blocks)]);
    expect(kept.map(([first]) => first)).toEqual([signed, signed]);
  });
});
