import type { JsonObject, Message, Usage } from "@longhaul/conversation";
import { anyText } from "@longhaul/conversation/testing";
import fc from "fast-check";

/** A session, independent of any log format. */
export type Script = readonly Step[];

/** One step of a session: a user message, a reply, or tool results. */
export type Step =
  | { readonly kind: "user"; readonly text: string }
  | Reply
  | { readonly kind: "results"; readonly results: readonly { readonly callId: string; readonly text: string }[] };

/** A reply of the model. `hasUnknownBlock` adds an unknown block. */
export interface Reply {
  readonly kind: "reply";
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: JsonObject }[];
  readonly usage: Usage;
  readonly hasUnknownBlock?: boolean;
}

export const UNKNOWN_BLOCK = { type: "hologram", depth: 3 };

export function anyScript(): fc.Arbitrary<Script> {
  return fc.array(anyTurn(), { minLength: 1, maxLength: 3 }).map((turns) => numberCalls(turns.flat()));
}

function anyTurn(): fc.Arbitrary<Step[]> {
  return fc
    .tuple(anyText(), fc.array(anyLoop(), { maxLength: 3 }), anyReply(0))
    .map(([text, loops, last]) => [{ kind: "user", text }, ...loops.flat(), last]);
}

function anyLoop(): fc.Arbitrary<Step[]> {
  return anyReply(3).chain((reply) =>
    fc.array(anyText(), { minLength: reply.calls.length, maxLength: reply.calls.length }).map((texts) => {
      const results = texts.map((text, index) => ({ callId: reply.calls[index]!.id, text }));
      return results.length === 0 ? [reply] : [reply, { kind: "results" as const, results }];
    }),
  );
}

function anyReply(maxCalls: number): fc.Arbitrary<Reply> {
  const call = fc.record({ id: fc.constant(""), name: fc.constantFrom("read", "bash"), input: anyInput() });
  const tokens = fc.nat(100_000);
  return fc.record({
    kind: fc.constant("reply"),
    text: anyText(),
    calls: fc.array(call, { minLength: Math.min(1, maxCalls), maxLength: maxCalls }),
    usage: fc.record({
      inputTokens: tokens,
      cacheReadTokens: tokens,
      cacheWriteTokens: tokens,
      outputTokens: fc.integer({ min: 1, max: 9_000 }),
    }),
  });
}

function anyInput(): fc.Arbitrary<JsonObject> {
  return fc.dictionary(fc.constantFrom("path", "command", "limit"), fc.oneof(anyText(), fc.nat()));
}

/** Gives every call a unique id and every result the id of its call. */
function numberCalls(steps: readonly Step[]): Script {
  let last: string[] = [];
  let count = 0;
  return steps.map((step) => {
    if (step.kind === "results")
      return { ...step, results: step.results.map((result, index) => ({ ...result, callId: last[index]! })) };
    if (step.kind === "user") return step;
    last = step.calls.map(() => `call_${count++}`);
    return { ...step, calls: step.calls.map((call, index) => ({ ...call, id: last[index]! })) };
  });
}

/** Returns the blocks of a script, independent of how a format groups them. `unknownBlock` is the format's form of the unknown block. */
export function scriptBlocks(script: Script, unknownBlock: JsonObject = UNKNOWN_BLOCK): unknown[] {
  return script.flatMap((step): unknown[] => {
    if (step.kind === "user") return [["user", "text", step.text]];
    if (step.kind === "results") return step.results.map(({ callId, text }) => ["user", "result", callId, text]);
    const calls = step.calls.map(({ id, name, input }) => ["assistant", "call", id, name, input]);
    const unknown = step.hasUnknownBlock ? [["assistant", "opaque", UNKNOWN_BLOCK.type, unknownBlock]] : [];
    return [["assistant", "text", step.text], ...unknown, ...calls];
  });
}

/** Returns the blocks of messages in the same form as `scriptBlocks`. */
export function messageBlocks(messages: readonly Message[]): unknown[] {
  return messages.flatMap(({ role, blocks }) =>
    blocks.map((block) => {
      if (block.type === "text") return [role, "text", block.text];
      if (block.type === "tool-call") return [role, "call", block.id, block.name, block.input];
      if (block.type === "opaque") return [role, "opaque", block.kind, block.native.value];
      if (block.type !== "tool-result") return [role, block.type];
      return [
        role,
        "result",
        block.callId,
        block.content.map((part) => (part.type === "text" ? part.text : part)).join(),
      ];
    }),
  );
}
