import type { Block, Message } from "@longhaul/conversation";
import {
  makeAssistant,
  makeCompaction,
  makeConversation,
  makeDocument,
  makeImage,
  makeOpaque,
  makeRedactedThinking,
  makeSystem,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeFitting, makeRequestOf, type TestFitting } from "../testing/make-fitting.ts";
import { dropForeign } from "./foreign.ts";

function fitted(messages: readonly Message[], fitting: TestFitting): readonly Message[] {
  return dropForeign(makeRequestOf(makeConversation(messages)), fitting).conversation.messages;
}

const OTHER = { rules: { wire: "openai-responses", compaction: false }, vendor: "openai" } as const;

describe("dropForeign", () => {
  it("returns the identical request where everything can be read", () => {
    const messages = [
      makeUser([makeImage(), "a"]),
      makeAssistant([makeThinking(), makeCompaction(), makeOpaque(), "b"]),
    ];
    const request = makeRequestOf(makeConversation(messages));
    expect(dropForeign(request, makeFitting())).toBe(request);
  });

  it("leaves out reasoning that another vendor signed, or nobody, and counts it", () => {
    const fitting = makeFitting();
    const unsigned: Block = { type: "thinking", text: "hm", vendor: "anthropic" };
    const foreign: Block = { type: "thinking", text: "hm", signature: "gAAAA", vendor: "openai" };
    const messages = [
      makeAssistant([makeThinking(), unsigned, foreign, foreign, makeRedactedThinking(), "a"]),
      makeAssistant(foreign),
    ];
    expect(fitted(messages, fitting)).toEqual([makeAssistant([makeThinking(), makeRedactedThinking(), "a"])]);
    expect(fitting.warnings().map(({ feature, count }) => [feature, count])).toEqual([
      ["block.thinking", 1],
      ["block.thinking", 3],
    ]);
  });

  it("shows Google's proof of a call to nobody but Google", () => {
    const native = { wire: "openai-chat", value: {} };
    const messages = [makeAssistant({ ...makeToolCall("a", { signature: "c2ln" }), native })];
    const fitting = makeFitting(OTHER);
    expect(fitted(messages, fitting)).toEqual([makeAssistant(makeToolCall("a"))]);
    expect(fitting.warnings()).toMatchObject([{ feature: "tool-call.signature", action: "dropped" }]);
    expect(fitted(messages, makeFitting({ vendor: "google" }))).toBe(messages);
  });

  it("gives another vendor's summary as text, refuses one that is sealed, and skips one that failed", () => {
    const summary = makeCompaction("The user wants tests.");
    expect(fitted([makeAssistant(summary)], makeFitting(OTHER))).toEqual([
      makeAssistant("Summary of the conversation so far:\n\nThe user wants tests."),
    ]);
    const sealed: Block = { type: "compaction", text: null, encrypted: "gAAAA", vendor: "openai" };
    expect(() => fitted([makeAssistant(sealed)], makeFitting())).toThrow(/block\.compaction: only openai can read/);
    expect(fitted([makeAssistant([makeCompaction(null), "a"])], makeFitting(OTHER))).toEqual([makeAssistant("a")]);
  });

  it("refuses a user's block that the format has no words for, and drops anybody else's", () => {
    expect(() => fitted([makeUser(makeOpaque("container_upload"))], makeFitting(OTHER))).toThrow(
      /block\.container_upload/,
    );
    const fitting = makeFitting(OTHER);
    const result = makeToolResult("a", [makeOpaque("tool_reference"), makeText("x")]);
    expect(
      fitted(
        [makeAssistant([makeOpaque("server_tool_use"), "a"]), makeUser(result), makeSystem(makeOpaque())],
        fitting,
      ),
    ).toEqual([makeAssistant("a"), makeUser(makeToolResult("a", "x"))]);
    expect(fitting.warnings().map(({ feature }) => feature)).toEqual([
      "block.server_tool_use",
      "block.tool_reference",
      "block.search_result",
    ]);
  });

  it("refuses a file that only the client's vendor keeps", () => {
    const image = makeImage({ source: { kind: "file", id: "file_1" } });
    expect(() => fitted([makeUser(image)], makeFitting())).toThrow(/image\.file/);
    expect(() => fitted([makeUser(makeToolResult("a", [image]))], makeFitting())).toThrow(/image\.file/);
    expect(fitted([makeUser(image)], makeFitting({ isNative: true }))).toEqual([makeUser(image)]);
  });

  it("refuses or drops media that the format can't be given, by its table", () => {
    const document = makeDocument("", { source: { kind: "url", url: "https://files.example/a.pdf" } });
    const refusing = makeFitting({ rules: { lacks: { "document.url": "refuse" } } });
    expect(() => fitted([makeUser(document)], refusing)).toThrow(/document\.url/);
    const dropping = makeFitting({ rules: { lacks: { "document.url": "drop" } } });
    expect(fitted([makeUser([document, "a"])], dropping)).toEqual([makeUser("a")]);
    expect(dropping.warnings()).toMatchObject([{ feature: "document.url", action: "dropped" }]);
  });

  it("drops how closely to look, and what is said about a file", () => {
    const fitting = makeFitting({
      rules: { lacks: { "image.detail": "drop", "document.context": "drop", "document.title": "drop" } },
    });
    const source = { kind: "base64" as const, mediaType: "application/pdf", data: "AAAA" };
    const messages = [
      makeUser([makeImage({ detail: "high" }), makeDocument("", { source, title: "t", context: "c" })]),
    ];
    expect(fitted(messages, fitting)).toEqual([makeUser([makeImage(), { type: "document", source }])]);
    expect(fitting.warnings().map(({ feature }) => feature)).toEqual([
      "image.detail",
      "document.title",
      "document.context",
    ]);
  });

  it("drops what no server takes from that role", () => {
    const fitting = makeFitting();
    const messages = [
      makeUser([makeToolCall("a"), makeThinking(), "u"]),
      makeAssistant([makeToolResult("a"), "a"]),
      makeSystem([makeImage(), "s"]),
    ];
    expect(fitted(messages, fitting)).toEqual([makeUser("u"), makeAssistant("a"), makeSystem("s")]);
    expect(fitting.warnings().map(({ feature }) => feature)).toEqual([
      "block.tool-call",
      "block.thinking",
      "block.tool-result",
      "block.image",
    ]);
  });

  it("keeps Claude Code's accounting line for Anthropic only", () => {
    const system = [makeText("x-anthropic-billing-header: cc_version=2"), makeText("You are careful.")];
    const request = makeRequestOf(makeConversation([makeUser()], { system }));
    expect(dropForeign(request, makeFitting())).toBe(request);
    const other = makeFitting(OTHER);
    expect(dropForeign(request, other).conversation.system).toEqual([makeText("You are careful.")]);
    expect(other.warnings()).toMatchObject([{ feature: "system.attribution" }]);
  });

  it("warns of the client's fields that stay behind, but not of bookkeeping", () => {
    const fitting = makeFitting();
    const block = { ...makeText("a"), extra: { citations: [{}], id: "x", logprobs: [], other: null } };
    const message = { ...makeUser(block), extra: { clear_at: "never", role: "developer" } };
    expect(fitted([message], fitting)).toEqual([message]);
    expect(fitting.warnings().map(({ feature }) => feature)).toEqual(["block.text.citations", "message.clear_at"]);
    const native = makeFitting({ isNative: true });
    fitted([message], native);
    expect(native.warnings()).toEqual([]);
  });

  it("warns of no field of a block that is written as it came", () => {
    const fitting = makeFitting();
    const signed: Block = {
      ...makeCompaction(),
      extra: { signature: "s" },
      native: { wire: "anthropic-messages", value: {} },
    };
    const messages = [makeAssistant(signed)];
    expect(fitted(messages, fitting)).toBe(messages);
    expect(fitting.warnings()).toEqual([]);
  });
});
