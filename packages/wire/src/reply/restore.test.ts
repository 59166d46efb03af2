import type { Reply, StreamEvent } from "@longhaul/conversation/advanced";
import { makeText, makeToolCall, makeUsage } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Restore } from "../codec/codec.ts";
import { runStream } from "../testing/stream.ts";
import { collectReply, eventsOf } from "./collect.ts";
import { NOTHING_TO_RESTORE, restoreReply, restoreStream } from "./restore.ts";

const RESTORE: Restore = {
  toolNames: new Map([["short_1a2b", "a/very/long.name"]]),
  freeTextTools: new Set(["patch"]),
};

const REPLY: Reply = {
  id: "r",
  model: "m",
  blocks: [
    makeText("Go."),
    makeToolCall("a", { name: "short_1a2b" }),
    makeToolCall("b", { name: "patch", input: { input: "*** Begin Patch" } }),
    makeToolCall("c", { name: "read_file" }),
  ],
  stopReason: "tool-calls",
  usage: makeUsage(),
};

const RESTORED = {
  ...REPLY,
  blocks: [
    makeText("Go."),
    makeToolCall("a", { name: "a/very/long.name" }),
    makeToolCall("b", { name: "patch", input: "*** Begin Patch" }),
    makeToolCall("c", { name: "read_file" }),
  ],
};

describe("restoreReply", () => {
  it("restores tool names and free text", () => {
    const native = { wire: "gemini", value: {} };
    expect(restoreReply({ ...REPLY, native }, RESTORE)).toEqual(RESTORED);
  });

  it("returns the identical reply if there is nothing to undo", () => {
    expect(restoreReply(REPLY, NOTHING_TO_RESTORE)).toBe(REPLY);
    const plain = { ...REPLY, blocks: [makeText("Go.")] };
    expect(restoreReply(plain, RESTORE)).toBe(plain);
  });
});

describe("restoreStream", () => {
  it("changes a stream as restoreReply changes a reply", () => {
    expect(collectReply(runStream(restoreStream(RESTORE), eventsOf(REPLY)))).toEqual(RESTORED);
  });

  it("holds wrapped text until its call ends, even with interleaved calls", () => {
    const events: StreamEvent[] = [
      { type: "tool-call-start", index: 0, id: "a", name: "patch" },
      { type: "tool-call-start", index: 1, id: "b", name: "read_file" },
      { type: "tool-call-delta", index: 0, json: '{"inp' },
      { type: "tool-call-delta", index: 1, json: "{}" },
      { type: "tool-call-delta", index: 0, json: 'ut":"x\\n"}' },
      { type: "tool-call-end", index: 1 },
      { type: "tool-call-end", index: 0 },
    ];
    expect(runStream(restoreStream(RESTORE), events)).toEqual([
      { type: "tool-call-start", index: 0, id: "a", name: "patch", freeText: true },
      { type: "tool-call-start", index: 1, id: "b", name: "read_file" },
      { type: "tool-call-delta", index: 1, json: "{}" },
      { type: "tool-call-end", index: 1 },
      { type: "tool-call-delta", index: 0, json: "x\n" },
      { type: "tool-call-end", index: 0 },
    ]);
  });
});
