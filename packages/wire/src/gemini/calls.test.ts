import { type Block, type Message, toolPairs } from "@longhaul/conversation";
import {
  anyRedactedThinking,
  anyThinking,
  makeAssistant,
  makeConversation,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import { openaiChat } from "../openai-chat/index.ts";
import { openaiResponses } from "../openai-responses/index.ts";
import { makeContext, makeRequestOf } from "../testing/make-context.ts";
import {
  adaptCalls,
  attachSignatures,
  dropSignatures,
  isPlaceholder,
  placeholderId,
  replyCallId,
  signCalls,
  unwrapThinking,
  wrapThinking,
} from "./calls.ts";
import { decodeMessage } from "./decode-message.ts";
import { gemini } from "./index.ts";
import { RULES } from "./rules.ts";

const CONTEXT = makeContext({ rules: RULES });

function settle(messages: readonly Message[]): readonly Message[] {
  return adaptCalls(makeRequestOf(makeConversation(messages)), CONTEXT).conversation.messages;
}

describe("adaptCalls", () => {
  it("names every result after its call", () => {
    const calls = makeAssistant([makeToolCall("a"), makeToolCall("b", { name: "list" })]);
    expect(settle([calls, makeUser([makeToolResult("b", "2"), makeToolResult("a", "1")])])).toEqual([
      calls,
      makeUser([makeToolResult("b", "2", { name: "list" }), makeToolResult("a", "1", { name: "read_file" })]),
    ]);
  });

  it("puts results without ids in the order of their calls and keeps other blocks in place", () => {
    const [a, b] = ["gemini_call_r1_0", "gemini_call_r1_1"];
    const calls = makeAssistant([makeToolCall(a), makeToolCall(b)]);
    const results = [makeToolResult(b, "2"), makeText("Note."), makeToolResult(a, "1")];
    expect(settle([calls, makeUser(results)])[1]).toEqual(
      makeUser([
        makeToolResult(a, "1", { name: "read_file" }),
        makeText("Note."),
        makeToolResult(b, "2", { name: "read_file" }),
      ]),
    );
  });

  it("returns the identical request if there is nothing to change", () => {
    const result = makeToolResult("a", "1", { name: "read_file" });
    const request = makeRequestOf(makeConversation([makeAssistant(makeToolCall("a")), makeUser(result)]));
    expect(adaptCalls(request, CONTEXT)).toBe(request);
  });
});

describe("placeholderId", () => {
  it("is the same for a call and its result", () => {
    expect(placeholderId("read_file")).toBe("gemini_call_read_file");
  });
});

describe("replyCallId", () => {
  it("differs between calls and between replies", () => {
    expect(replyCallId("r1", 0, "a")).toBe("gemini_call_r1_0");
    expect(replyCallId("r1", 1, "a")).toBe("gemini_call_r1_1");
    expect(replyCallId("r2", 0, "a")).toBe("gemini_call_r2_0");
  });

  it("depends on the call's content if the reply has no id", () => {
    expect(replyCallId("", 0, "a")).toMatch(/^gemini_call_[0-9a-f]{32}_0$/);
    expect(replyCallId("", 0, "a")).not.toBe(replyCallId("", 0, "b"));
  });
});

describe("isPlaceholder", () => {
  it("distinguishes our ids from others", () => {
    expect([placeholderId("now"), replyCallId("r", 0, ""), "toolu_1", "read_file"].map(isPlaceholder)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("calls without ids", () => {
  const call = (name: string, path: string) => ({ functionCall: { name, args: { path } } });
  const result = (name: string, output: string) => ({ functionResponse: { name, response: { output } } });
  const contents = [
    { role: "user", parts: [{ text: "Go." }] },
    { role: "model", parts: [call("read", "a"), call("list", "b"), call("read", "c")] },
    { role: "user", parts: [result("list", "of b"), result("read", "of a")] },
    { role: "user", parts: [result("read", "of c")] },
    { role: "model", parts: [call("read", "d")] },
    { role: "user", parts: [result("read", "of d")] },
  ];
  const pairs = [
    ["a", "of a"],
    ["b", "of b"],
    ["c", "of c"],
    ["d", "of d"],
  ];

  it.each([anthropicMessages, openaiChat, openaiResponses, gemini].map((codec) => [codec.id, codec] as const))(
    "match their results by name and order, also in %s",
    (_, codec) => {
      const request = gemini.decodeRequest({ contents }, { model: "m" });
      const { body } = codec.encodeRequest(request, { model: "m" });
      const { messages } = codec.decodeRequest(JSON.parse(JSON.stringify(body))).conversation;
      const blockAt = (at?: { message: number; block: number }) => at && messages[at.message]?.blocks[at.block];
      const { pairs: found, orphans } = toolPairs(messages);
      expect(orphans).toEqual([]);
      const read = found.map((pair) => [blockAt(pair.call), blockAt(pair.result)]);
      expect(read).toMatchObject(pairs.map(([path, text]) => [{ input: { path } }, { content: [{ text }] }]));
    },
  );
});

const proof: Block = { type: "thinking", text: "", signature: "s", vendor: "google" };

describe("attachSignatures", () => {
  it("moves a signature to the call after it", () => {
    const messages = [makeAssistant([makeText("Go."), proof, makeToolCall("a"), makeToolCall("b")])];
    expect(attachSignatures(messages, CONTEXT)).toEqual([
      makeAssistant([makeText("Go."), makeToolCall("a", { signature: "s" }), makeToolCall("b")]),
    ]);
  });

  it("drops a signature without a call, and a message that contains nothing else", () => {
    const messages = [makeAssistant([proof, makeText("Go.")]), makeAssistant(proof)];
    expect(attachSignatures(messages, CONTEXT)).toEqual([makeAssistant("Go.")]);
  });

  it("keeps a call's existing signature", () => {
    const signed = makeToolCall("a", { signature: "own" });
    expect(attachSignatures([makeAssistant([proof, signed])], CONTEXT)).toEqual([makeAssistant(signed)]);
  });

  it("keeps Gemini's own parts and messages without signatures", () => {
    const own = decodeMessage({ role: "model", parts: [{ text: "", thought: true, thoughtSignature: "s" }] });
    const messages = [makeUser(), own];
    expect(attachSignatures(messages, CONTEXT)).toBe(messages);
    expect(attachSignatures([...messages, makeAssistant([proof, makeToolCall("a")])], CONTEXT)[1]).toBe(own);
  });
});

describe("dropSignatures", () => {
  const signed = decodeMessage({
    role: "model",
    parts: [
      { text: "Go.", thoughtSignature: "s", partMetadata: { a: 1 } },
      { text: "", thoughtSignature: "s" },
      { functionCall: { id: "c", name: "f", args: {} }, thoughtSignature: "s" },
      { text: "Plain." },
    ],
  });

  it("drops Google's signatures for other vendors", () => {
    const [message] = dropSignatures([signed], makeContext({ rules: RULES, vendor: "acme" }));
    expect(message?.native).toBeUndefined();
    expect(message?.blocks).toEqual([
      { type: "text", text: "Go.", extra: { partMetadata: { a: 1 } } },
      { type: "tool-call", id: "c", name: "f", input: {} },
      signed.blocks[3],
    ]);
  });

  it("changes nothing for Google", () => {
    const messages: readonly Message[] = [signed];
    expect(dropSignatures(messages, CONTEXT)).toBe(messages);
  });
});

describe("signCalls", () => {
  const signing = { rules: RULES, destination: { signedCalls: true } };
  const round = [makeAssistant([makeToolCall("a"), makeToolCall("b")])];

  it("adds Google's placeholder to the first unsigned call of a message, with a warning", () => {
    const context = makeContext(signing);
    expect(signCalls(round, context)).toEqual([
      makeAssistant([makeToolCall("a", { signature: "skip_thought_signature_validator" }), makeToolCall("b")]),
    ]);
    expect(context.warnings()).toMatchObject([{ feature: "tool-call.signature", action: "changed", count: 1 }]);
  });

  it("keeps a round whose first call is signed", () => {
    const messages = [makeAssistant([makeToolCall("a", { signature: "s" }), makeToolCall("b")])];
    expect(signCalls(messages, makeContext(signing))).toBe(messages);
  });

  it("changes nothing for models that do not require it or for another vendor", () => {
    expect(signCalls(round, CONTEXT)).toBe(round);
    expect(signCalls(round, makeContext({ ...signing, vendor: "anthropic" }))).toBe(round);
  });
});

describe("wrapThinking and unwrapThinking", () => {
  it("round-trip thinking", () => {
    fc.assert(
      fc.property(fc.oneof(anyThinking(), anyRedactedThinking()), (block) => {
        expect(unwrapThinking(wrapThinking({ ...block, native: { wire: "x", value: 1 } }))).toEqual(block);
      }),
    );
    const item = { type: "thinking", text: "", signature: "gAAAA-_", id: "rs_1", vendor: "openai" } as const;
    expect(unwrapThinking(wrapThinking(item))).toEqual(item);
  });

  it("survive a client that decodes and encodes base64", () => {
    fc.assert(
      fc.property(anyThinking(), (block) => {
        const sealed = wrapThinking(block);
        const bytes = Buffer.from(sealed, "base64");
        expect(bytes.toString("base64")).toBe(sealed);
        expect(unwrapThinking(bytes.toString("base64url"))).toEqual(block);
      }),
    );
  });

  it("ignore ordinary signatures", () => {
    expect(["c2ln", "longhaul", "longhaul§", "longhaulWzFd", undefined].map(unwrapThinking)).toEqual(
      Array.from({ length: 5 }),
    );
  });
});
