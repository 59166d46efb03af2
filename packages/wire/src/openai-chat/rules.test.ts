import type { Block, Reasoning, Request } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeRedactedThinking,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { WireDestination } from "../codec/rules.ts";
import { makeContext, makeRequestOf } from "../testing/make-context.ts";
import { adaptLostThinking, RULES } from "./rules.ts";

const PLAIN: Block = { type: "thinking", text: "hm" };
const OWN: Block = { ...PLAIN, native: { wire: "openai-chat", value: "hm" } };

function reads(block: Block, destination: Partial<WireDestination> = {}, isNative = false): boolean {
  const isThought = block.type === "thinking" || block.type === "redacted-thinking";
  return isThought && RULES.acceptsThinking(block, makeContext({ rules: RULES, destination, isNative }));
}

describe("the rules of chat completions", () => {
  it("accept thinking only if the server reads it", () => {
    expect(reads(PLAIN)).toBe(false);
    expect(reads(PLAIN, { thinkingField: "reasoning_content" })).toBe(true);
    expect(reads({ ...PLAIN, text: "" }, { thinkingField: "reasoning_content" })).toBe(false);
    expect(reads(makeThinking(), { thinkingField: "reasoning" })).toBe(false);
    expect(reads({ ...makeThinking(), vendor: "openai" }, { thinkingField: "reasoning" })).toBe(true);
    expect(reads(makeRedactedThinking(), { thinkingField: "reasoning" })).toBe(false);
  });

  it("accept any vendor's details for a server that reads details", () => {
    expect(reads(makeThinking(), { thinkingField: "reasoning_details" })).toBe(true);
    expect(reads(makeRedactedThinking(), { thinkingField: "reasoning_details" })).toBe(true);
    expect(reads(PLAIN, { thinkingField: "reasoning_details" })).toBe(false);
    expect(reads(OWN, { thinkingField: "reasoning_details" })).toBe(true);
  });

  it("reject unsigned details of vendors that require a signature", () => {
    expect(reads({ ...PLAIN, vendor: "google" }, { thinkingField: "reasoning_details" })).toBe(false);
    expect(reads({ ...PLAIN, vendor: "deepseek" }, { thinkingField: "reasoning_details" })).toBe(true);
  });

  it("accept a native client's own thinking unless another vendor signed it", () => {
    expect(reads(OWN, {}, true)).toBe(true);
    expect(reads(OWN, {}, false)).toBe(false);
    expect(reads({ ...OWN, vendor: "anthropic", signature: "s" }, {}, true)).toBe(false);
  });
});

const BUDGET: Reasoning = { mode: "budget", budgetTokens: 2_000 };
const modes = { modes: ["off", "budget", "effort"] } as const;
const thinking = makeThinking("Hm.");

/** A request inside a tool loop whose second call lost its thinking. */
function makeLoop(reasoning: Reasoning | undefined, isClosed = false): Request {
  const messages = [
    makeUser("Go."),
    makeAssistant([thinking, makeToolCall("a")]),
    makeUser(makeToolResult("a")),
    makeAssistant([makeToolCall("b"), makeToolCall("c")]),
    makeUser([makeToolResult("b"), makeToolResult("c")]),
    ...(isClosed ? [makeAssistant("Done."), makeUser("Go on.")] : []),
  ];
  return makeRequestOf(makeConversation(messages), { ...(reasoning && { reasoning }) });
}

function settle(request: Request, destination: Partial<WireDestination>) {
  const context = makeContext({ rules: RULES, destination: { reasoning: modes, ...destination } });
  const settled = adaptLostThinking(request, context);
  return { settled, warnings: context.warnings(), blocks: settled.conversation.messages[3]?.blocks };
}

describe("lost thinking", () => {
  it("is ignored for servers that do not require it", () => {
    const request = makeLoop(BUDGET);
    expect(settle(request, { thinkingField: "reasoning_content" }).settled).toBe(request);
    expect(settle(request, { thinkingField: "reasoning_details" }).settled).toBe(request);
    expect(settle(request, { thinkingField: "reasoning_content", demandsThinking: "in-loop" }).settled).toBe(request);
    expect(settle(request, { demandsThinking: "always" }).settled).toBe(request);
  });

  it("becomes an empty field if only the field is required, unless reasoning is off", () => {
    const destination = { thinkingField: "reasoning_content", demandsThinking: "always" } as const;
    const { settled, blocks, warnings } = settle(makeLoop(undefined, true), destination);
    expect(blocks).toEqual([{ type: "thinking", text: "" }, makeToolCall("b"), makeToolCall("c")]);
    expect(settled.conversation.messages[1]?.blocks).toEqual([thinking, makeToolCall("a")]);
    expect(warnings).toMatchObject([{ feature: "reasoning.lost", action: "changed", count: 1 }]);
    const off = makeLoop({ mode: "off" });
    expect(settle(off, destination).settled).toBe(off);
  });

  it("becomes Google's placeholder if signatures are required", () => {
    const { blocks, warnings } = settle(makeLoop(undefined), { thinkingField: "reasoning_details", signedCalls: true });
    expect(blocks?.[0]).toMatchObject({
      type: "redacted-thinking",
      native: { value: { data: "skip_thought_signature_validator", id: "b", format: "google-gemini-v1", index: 0 } },
    });
    expect(warnings).toMatchObject([{ feature: "reasoning.lost", action: "changed", count: 1 }]);
  });

  it("turns reasoning off at routers to models that require thinking, if it can be turned off", () => {
    const destination = { thinkingField: "reasoning_details", demandsThinking: "always" } as const;
    const { settled, warnings } = settle(makeLoop({ mode: "effort", effort: "high" }, true), destination);
    expect(settled.reasoning).toEqual({ mode: "off" });
    expect(warnings).toMatchObject([{ feature: "reasoning", action: "dropped" }]);
    const request = makeLoop(BUDGET);
    expect(settle(request, { ...destination, reasoning: { modes: ["effort"] } }).settled).toBe(request);
  });

  it("matters to Claude only in the current loop and with a budget", () => {
    const destination = { thinkingField: "reasoning_details", demandsThinking: "in-loop" } as const;
    const thinking = [makeLoop(BUDGET), makeLoop(BUDGET, true), makeLoop({ mode: "adaptive" })];
    expect(thinking.map((request) => settle(request, destination).settled.reasoning?.mode)).toEqual([
      "off",
      "budget",
      "adaptive",
    ]);
  });
});
