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
import { makeContext, makeRequestOf, type TestContext } from "../testing/make-context.ts";
import { dropForeign, dropForeignFields } from "./foreign.ts";

function adapted(messages: readonly Message[], context: TestContext): readonly Message[] {
  return dropForeign(makeRequestOf(makeConversation(messages)), context).conversation.messages;
}

const OTHER = { rules: { wire: "openai-responses", compaction: false }, vendor: "openai" } as const;

describe("dropForeign", () => {
  it("returns the identical request if the destination can read everything", () => {
    const messages = [
      makeUser([makeImage(), "a"]),
      makeAssistant([makeThinking(), makeCompaction(), makeOpaque(), "b"]),
    ];
    const request = makeRequestOf(makeConversation(messages));
    expect(dropForeign(request, makeContext())).toBe(request);
  });

  it("drops reasoning from another vendor or without a signature, and counts it", () => {
    const context = makeContext();
    const unsigned: Block = { type: "thinking", text: "hm", vendor: "anthropic" };
    const foreign: Block = { type: "thinking", text: "hm", signature: "gAAAA", vendor: "openai" };
    const messages = [
      makeAssistant([makeThinking(), unsigned, foreign, foreign, makeRedactedThinking(), "a"]),
      makeAssistant(foreign),
    ];
    expect(adapted(messages, context)).toEqual([makeAssistant([makeThinking(), makeRedactedThinking(), "a"])]);
    expect(context.warnings().map(({ feature, count }) => [feature, count])).toEqual([
      ["block.thinking", 1],
      ["block.thinking", 3],
    ]);
  });

  it("sends Google's thought signature of a call only to Google", () => {
    const native = { wire: "openai-chat", value: {} };
    const messages = [makeAssistant({ ...makeToolCall("a", { signature: "c2ln" }), native })];
    const context = makeContext(OTHER);
    expect(adapted(messages, context)).toEqual([makeAssistant(makeToolCall("a"))]);
    expect(context.warnings()).toMatchObject([{ feature: "tool-call.signature", action: "dropped" }]);
    expect(adapted(messages, makeContext({ vendor: "google" }))).toBe(messages);
  });

  it("sends another vendor's compaction as text, rejects an encrypted one, and drops a failed one", () => {
    const summary = makeCompaction("The user wants tests.");
    expect(adapted([makeAssistant(summary)], makeContext(OTHER))).toEqual([
      makeAssistant("Summary of the conversation so far:\n\nThe user wants tests."),
    ]);
    const sealed: Block = { type: "compaction", text: null, encrypted: "gAAAA", vendor: "openai" };
    expect(() => adapted([makeAssistant(sealed)], makeContext())).toThrow(/block\.compaction: only openai can read/);
    expect(adapted([makeAssistant([makeCompaction(null), "a"])], makeContext(OTHER))).toEqual([makeAssistant("a")]);
  });

  it("rejects an unsupported block of the user and drops one of any other role", () => {
    expect(() => adapted([makeUser(makeOpaque("container_upload"))], makeContext(OTHER))).toThrow(
      /block\.container_upload/,
    );
    const context = makeContext(OTHER);
    const result = makeToolResult("a", [makeOpaque("tool_reference"), makeText("x")]);
    expect(
      adapted(
        [makeAssistant([makeOpaque("server_tool_use"), "a"]), makeUser(result), makeSystem(makeOpaque())],
        context,
      ),
    ).toEqual([makeAssistant("a"), makeUser(makeToolResult("a", "x"))]);
    expect(context.warnings().map(({ feature }) => feature)).toEqual([
      "block.server_tool_use",
      "block.tool_reference",
      "block.search_result",
    ]);
  });

  it("rejects a file that is stored at the client's vendor", () => {
    const image = makeImage({ source: { kind: "file", id: "file_1" } });
    expect(() => adapted([makeUser(image)], makeContext())).toThrow(/image\.file/);
    expect(() => adapted([makeUser(makeToolResult("a", [image]))], makeContext())).toThrow(/image\.file/);
    expect(adapted([makeUser(image)], makeContext({ isNative: true }))).toEqual([makeUser(image)]);
  });

  it("rejects or drops unsupported media according to the format's table", () => {
    const document = makeDocument("", { source: { kind: "url", url: "https://files.example/a.pdf" } });
    const refusing = makeContext({ rules: { lacks: { "document.url": "refuse" } } });
    expect(() => adapted([makeUser(document)], refusing)).toThrow(/document\.url/);
    const dropping = makeContext({ rules: { lacks: { "document.url": "drop" } } });
    expect(adapted([makeUser([document, "a"])], dropping)).toEqual([makeUser("a")]);
    expect(dropping.warnings()).toMatchObject([{ feature: "document.url", action: "dropped" }]);
  });

  it("drops an image's detail level, and a file's title and context", () => {
    const context = makeContext({
      rules: { lacks: { "image.detail": "drop", "document.context": "drop", "document.title": "drop" } },
    });
    const source = { kind: "base64" as const, mediaType: "application/pdf", data: "AAAA" };
    const messages = [
      makeUser([makeImage({ detail: "high" }), makeDocument("", { source, title: "t", context: "c" })]),
    ];
    expect(adapted(messages, context)).toEqual([makeUser([makeImage(), { type: "document", source }])]);
    expect(context.warnings().map(({ feature }) => feature)).toEqual([
      "image.detail",
      "document.title",
      "document.context",
    ]);
  });

  it("drops blocks that no server accepts from their role", () => {
    const context = makeContext();
    const messages = [
      makeUser([makeToolCall("a"), makeThinking(), "u"]),
      makeAssistant([makeToolResult("a"), "a"]),
      makeSystem([makeImage(), "s"]),
    ];
    expect(adapted(messages, context)).toEqual([makeUser("u"), makeAssistant("a"), makeSystem("s")]);
    expect(context.warnings().map(({ feature }) => feature)).toEqual([
      "block.tool-call",
      "block.thinking",
      "block.tool-result",
      "block.image",
    ]);
  });

  it("keeps Claude Code's billing line only for Anthropic", () => {
    const system = [makeText("x-anthropic-billing-header: cc_version=2"), makeText("You are careful.")];
    const request = makeRequestOf(makeConversation([makeUser()], { system }));
    expect(dropForeign(request, makeContext())).toBe(request);
    const other = makeContext(OTHER);
    expect(dropForeign(request, other).conversation.system).toEqual([makeText("You are careful.")]);
    expect(other.warnings()).toMatchObject([{ feature: "system.attribution" }]);
  });

  it("warns about dropped fields of the client, but not about bookkeeping fields", () => {
    const context = makeContext();
    const block = { ...makeText("a"), extra: { citations: [{}], id: "x", logprobs: [], other: null } };
    const message = { ...makeUser(block), extra: { clear_at: "never", role: "developer" } };
    expect(adapted([message], context)).toEqual([message]);
    expect(context.warnings().map(({ feature }) => feature)).toEqual(["block.text.citations", "message.clear_at"]);
    const native = makeContext({ isNative: true });
    adapted([message], native);
    expect(native.warnings()).toEqual([]);
  });

  it("does not warn about fields of a block that is written as received", () => {
    const context = makeContext();
    const signed: Block = {
      ...makeCompaction(),
      extra: { signature: "s" },
      native: { wire: "anthropic-messages", value: {} },
    };
    const messages = [makeAssistant(signed)];
    expect(adapted(messages, context)).toBe(messages);
    expect(context.warnings()).toEqual([]);
  });
});

function makeForeign(extra: Record<string, unknown>, wire = "openai-responses") {
  return makeRequestOf(undefined, { native: { wire, value: {} }, extra: JSON.parse(JSON.stringify(extra)) });
}

describe("dropForeignFields", () => {
  it("drops fields of another format, each with a warning", () => {
    const context = makeContext();
    const adapted = dropForeignFields(makeForeign({ service_tier: "auto", include: [], store: false, n: 1 }), context);
    expect(adapted).not.toHaveProperty("extra");
    expect(context.warnings()).toMatchObject([{ feature: "field.service_tier", action: "dropped" }]);
  });

  it.each([
    ["openai-responses", "previous_response_id", "resp_1"],
    ["openai-chat", "n", 2],
    ["anthropic-messages", "mcp_servers", [{}]],
    ["gemini", "cachedContent", "cachedContents/1"],
  ])("rejects %s's %s, because dropping it would change the reply", (wire, field, value) => {
    expect(() =>
      dropForeignFields(makeForeign({ [field]: value }, wire), makeContext({ rules: { wire: "gemini" } })),
    ).toThrow(
      expect.objectContaining({ code: "request.unsupported", message: expect.stringContaining(`field.${field}`) }),
    );
  });

  it("rejects a nested field", () => {
    const request = makeForeign({ generationConfig: { candidateCount: 2 } }, "gemini");
    expect(() => dropForeignFields(request, makeContext())).toThrow(/^field\.generationConfig\.candidateCount: /);
  });

  it("keeps the fields of the same format", () => {
    const request = makeForeign({ mcp_servers: [{}] }, "anthropic-messages");
    expect(dropForeignFields(request, makeContext({ isNative: true }))).toBe(request);
  });
});
