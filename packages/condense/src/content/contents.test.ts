import { pureHash } from "@longhaul/conversation/advanced";
import {
  anyConversation,
  anyMessyConversation,
  makeAssistant,
  makeImage,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import { textAt } from "../edits/text-position.ts";
import { mergeSplices } from "../passes/operations.ts";
import { apply } from "../rewrite/apply.ts";
import { decompose } from "./contents.ts";

describe("decompose", () => {
  it("finds message text, tool parameters and tool results (FR-SM-001)", () => {
    const messages = [
      makeUser("Go."),
      makeAssistant([
        makeThinking(),
        "I edit.",
        makeToolCall("c", { name: "edit", input: { path: "a.ts", edits: ["x", 1] } }),
      ]),
      makeUser([makeToolResult("c", [{ type: "text", text: "ok" }, makeImage()], { isError: true }), "And?"]),
    ];
    const use = {
      name: "edit",
      input: { path: "a.ts", edits: ["x", 1] },
      callMessage: 1,
      resultMessage: 2,
      isError: true,
    };
    expect(decompose(messages)).toEqual({
      contents: [
        { at: { message: 0, block: 0, path: [] }, from: 0, to: 3, text: "Go.", level: "text", role: "user" },
        { at: { message: 1, block: 1, path: [] }, from: 0, to: 7, text: "I edit.", level: "text", role: "assistant" },
        {
          at: { message: 1, block: 2, path: ["path"] },
          from: 0,
          to: 4,
          text: "a.ts",
          level: "parameters",
          role: "assistant",
          use,
        },
        {
          at: { message: 1, block: 2, path: ["edits", 0] },
          from: 0,
          to: 1,
          text: "x",
          level: "parameters",
          role: "assistant",
          use,
        },
        { at: { message: 2, block: 0, path: [0] }, from: 0, to: 2, text: "ok", level: "result", role: "user", use },
        { at: { message: 2, block: 1, path: [] }, from: 0, to: 4, text: "And?", level: "text", role: "user" },
      ],
      links: [],
      userAuthored: [true, false, true],
    });
  });

  it("gives an open call and an orphaned result their own tool use", () => {
    const messages = [makeUser(makeToolResult("lost", "late", { name: "ls" })), makeAssistant(makeToolCall("open"))];
    expect(decompose(messages).contents.map(({ use }) => use)).toEqual([
      { name: "ls", input: null, callMessage: -1, resultMessage: 0, isError: false },
      { name: "read_file", input: { path: "src/main.ts" }, callMessage: 1, resultMessage: -1, isError: false },
    ]);
  });

  it("returns the position of every content", () => {
    fc.assert(
      fc.property(fc.oneof(anyConversation(), anyMessyConversation()), ({ messages }) => {
        for (const { at, from, to, text } of decompose(messages).contents) {
          const block = messages[at.message]?.blocks[at.block];
          expect(block && textAt(block, at.path)?.slice(from, to)).toBe(text);
        }
      }),
    );
  });

  it("restores the same messages when every content is written back (FR-SM-007)", () => {
    fc.assert(
      fc.property(fc.oneof(anyConversation(), anyMessyConversation()), (conversation) => {
        const { contents } = decompose(conversation.messages);
        const edits = contents.map(({ at, from, to, text }) => {
          return { kind: "splice", at, splices: [{ from, to, text }], reason: "truncate" } as const;
        });
        const draft = apply(openDraft(conversation), mergeSplices(edits), { answers: [], hash: pureHash });
        expect(draft.conversation).toEqual(conversation);
      }),
    );
  });
});
