import type { Block, Message } from "@longhaul/conversation";
import {
  anyRedactedThinking,
  anyThinking,
  makeAssistant,
  makeText,
  makeToolCall,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFitting } from "../testing/make-fitting.ts";
import { decodeMessage } from "./decode-message.ts";
import { dropProofs, joinProofs, openThinking, sealThinking, signCalls } from "./proofs.ts";
import { RULES } from "./rules.ts";

const FITTING = { rules: RULES };

const proof: Block = { type: "thinking", text: "", signature: "s", vendor: "google" };

describe("joinProofs", () => {
  it("puts a proof that stands before its call back on the call", () => {
    const messages = [makeAssistant([makeText("Go."), proof, makeToolCall("a"), makeToolCall("b")])];
    expect(joinProofs(messages, makeFitting(FITTING))).toEqual([
      makeAssistant([makeText("Go."), makeToolCall("a", { signature: "s" }), makeToolCall("b")]),
    ]);
  });

  it("leaves out a proof whose call is gone, and a message that held nothing else", () => {
    const messages = [makeAssistant([proof, makeText("Go.")]), makeAssistant(proof)];
    expect(joinProofs(messages, makeFitting(FITTING))).toEqual([makeAssistant("Go.")]);
  });

  it("keeps the signature that a call already has", () => {
    const signed = makeToolCall("a", { signature: "own" });
    expect(joinProofs([makeAssistant([proof, signed])], makeFitting(FITTING))).toEqual([makeAssistant(signed)]);
  });

  it("leaves Gemini's own parts and messages without proofs alone", () => {
    const own = decodeMessage({ role: "model", parts: [{ text: "", thought: true, thoughtSignature: "s" }] });
    const messages = [makeUser(), own];
    expect(joinProofs(messages, makeFitting(FITTING))).toBe(messages);
    expect(joinProofs([...messages, makeAssistant([proof, makeToolCall("a")])], makeFitting(FITTING))[1]).toBe(own);
  });
});

describe("dropProofs", () => {
  const signed = decodeMessage({
    role: "model",
    parts: [
      { text: "Go.", thoughtSignature: "s", partMetadata: { a: 1 } },
      { text: "", thoughtSignature: "s" },
      { functionCall: { id: "c", name: "f", args: {} }, thoughtSignature: "s" },
      { text: "Plain." },
    ],
  });

  it("shows Google's signatures to nobody else", () => {
    const [message] = dropProofs([signed], makeFitting({ ...FITTING, vendor: "acme" }));
    expect(message?.native).toBeUndefined();
    expect(message?.blocks).toEqual([
      { type: "text", text: "Go.", extra: { partMetadata: { a: 1 } } },
      { type: "tool-call", id: "c", name: "f", input: {} },
      signed.blocks[3],
    ]);
  });

  it("leaves everything as it is for Google", () => {
    const messages: readonly Message[] = [signed];
    expect(dropProofs(messages, makeFitting(FITTING))).toBe(messages);
  });
});

describe("signCalls", () => {
  const signing = { ...FITTING, target: { signedCalls: true } };
  const round = [makeAssistant([makeToolCall("a"), makeToolCall("b")])];

  it("gives the first unsigned call of a message what Google takes instead, and says so", () => {
    const fitting = makeFitting(signing);
    expect(signCalls(round, fitting)).toEqual([
      makeAssistant([makeToolCall("a", { signature: "skip_thought_signature_validator" }), makeToolCall("b")]),
    ]);
    expect(fitting.warnings()).toMatchObject([{ feature: "tool-call.signature", action: "changed", count: 1 }]);
  });

  it("leaves a round alone whose first call is signed", () => {
    const messages = [makeAssistant([makeToolCall("a", { signature: "s" }), makeToolCall("b")])];
    expect(signCalls(messages, makeFitting(signing))).toBe(messages);
  });

  it("does nothing for models that don't demand it, and never for another vendor", () => {
    expect(signCalls(round, makeFitting(FITTING))).toBe(round);
    expect(signCalls(round, makeFitting({ ...signing, vendor: "anthropic" }))).toBe(round);
  });
});

describe("sealThinking and openThinking", () => {
  it("bring thinking back as it was", () => {
    fc.assert(
      fc.property(fc.oneof(anyThinking(), anyRedactedThinking()), (block) => {
        expect(openThinking(sealThinking({ ...block, native: { wire: "x", value: 1 } }))).toEqual(block);
      }),
    );
    const item = { type: "thinking", text: "", signature: "gAAAA-_", id: "rs_1", vendor: "openai" } as const;
    expect(openThinking(sealThinking(item))).toEqual(item);
  });

  it("survive a client that decodes and encodes base64 by itself", () => {
    fc.assert(
      fc.property(anyThinking(), (block) => {
        const sealed = sealThinking(block);
        const bytes = Buffer.from(sealed, "base64");
        expect(bytes.toString("base64")).toBe(sealed);
        expect(openThinking(bytes.toString("base64url"))).toEqual(block);
      }),
    );
  });

  it("leave signatures alone that hold nothing of ours", () => {
    expect(["c2ln", "longhaul", "longhaul§", "longhaulWzFd", undefined].map(openThinking)).toEqual(
      Array.from({ length: 5 }),
    );
  });
});
