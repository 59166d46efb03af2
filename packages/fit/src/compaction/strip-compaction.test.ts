import {
  type Block,
  type CompactionBlock,
  NO_USAGE,
  type Reply,
  type StopReason,
  textBlock,
} from "@longhaul/conversation/advanced";
import { codecOf } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import type { CompactionNote } from "./strip-compaction.ts";
import { noteOf, stripReply } from "./strip-compaction.ts";

const block: CompactionBlock = { type: "compaction", text: "what was said", encrypted: "seal", vendor: "anthropic" };
const thinking: Block = { type: "thinking", text: "hm", signature: "s", vendor: "anthropic" };
const call: Block = { type: "tool-call", id: "c", name: "read", input: {} };

function makeReply(blocks: readonly Block[], stopReason: StopReason = "end"): Reply {
  return { id: "m", model: "claude-opus-4-6", blocks, stopReason, usage: NO_USAGE };
}

function strip(reply: Reply) {
  const notes: CompactionNote[] = [];
  return { reply: stripReply(reply, (note) => void notes.push(note)), notes };
}

describe("stripReply", () => {
  it("removes the block and reports it", () => {
    const { reply, notes } = strip(makeReply([block, thinking, textBlock("yes")]));
    expect(reply).toEqual(makeReply([thinking, textBlock("yes")]));
    expect(notes).toEqual([{ kind: "compacted", block }]);
  });

  it("returns the identical reply if there is no block", () => {
    const reply = makeReply([textBlock("yes")]);
    expect(strip(reply)).toEqual({ reply, notes: [] });
    expect(strip(reply).reply).toBe(reply);
  });

  it("reports a failed compaction, and one that only its vendor can read", () => {
    const failed: CompactionBlock = { type: "compaction", text: null };
    const sealed: CompactionBlock = { type: "compaction", text: null, encrypted: "seal" };
    const { notes } = strip(makeReply([failed, sealed, textBlock("yes")]));
    expect(notes).toEqual([{ kind: "failed" }, { kind: "compacted", block: sealed }]);
  });

  it.each<[string, Block[], StopReason, boolean]>([
    ["thinking alone", [thinking], "end", true],
    ["nothing at all", [], "end", true],
    ["blank text", [textBlock(" \n")], "end", true],
    ["a call", [thinking, call], "tool-calls", false],
    ["text", [textBlock("x")], "end", false],
    ["a refusal", [], "refusal", false],
    ["thinking that was cut off", [thinking], "length", false],
  ])("reports after %s whether the answer stayed empty", (_, blocks, stopReason, isEmpty) => {
    const { notes } = strip(makeReply([block, ...blocks], stopReason));
    expect(notes.some(({ kind }) => kind === "empty-answer")).toBe(isEmpty);
  });

  it("reports no empty answer without a compaction", () => {
    expect(strip(makeReply([thinking])).notes).toEqual([]);
  });

  it("keeps every other field of a Messages reply unchanged", () => {
    const body = {
      id: "m",
      type: "message",
      role: "assistant",
      model: "claude-opus-4-6",
      content: [
        { type: "compaction", content: "what was said", encrypted_content: "seal" },
        { type: "text", text: "yes", citations: null },
      ],
      stop_reason: "end_turn",
      stop_sequence: null,
      stop_details: null,
      usage: { input_tokens: 3, output_tokens: 4, iterations: [{ type: "compaction", input_tokens: 9 }] },
      something_new: 1,
    };
    const codec = codecOf("anthropic-messages");
    const { reply } = strip(codec.decodeReply(body));
    expect(codec.encodeReply(reply)).toEqual({ ...body, content: [body.content[1]] });
  });

  it("removes items from a Responses reply", () => {
    const native = {
      wire: "openai-responses",
      value: { id: "r", output: [{ type: "compaction" }, { type: "message" }] },
    };
    const { reply } = strip({ ...makeReply([block, textBlock("yes")]), native });
    expect(reply.native?.value).toEqual({ id: "r", output: [{ type: "message" }] });
  });
});

it.each([
  ["a text", { text: "x" }, "compacted"],
  ["a seal", { text: null, encrypted: "x" }, "compacted"],
  ["neither", { text: null }, "failed"],
  // The API rejects it.
  ["an empty text", { text: "" }, "failed"],
])("reports a block with %s", (_, fields, kind) => {
  expect(noteOf({ type: "compaction", ...fields }).kind).toBe(kind);
});
