import { describe, expect, it } from "vitest";
import { isObject, type JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeMessagesRequest } from "../testing/make.ts";
import { checkCompaction, compactionTrigger, makeCompaction, sinceCompaction } from "./compaction.ts";
import { messagesIn } from "./request.ts";

const world = makeWorld({});
const ON_DEMAND = "compact-2026-09-04";
const anchor = { head: "f", content: "s", thinking: "" };
const signed = makeCompaction(world, { summary: "the summary", anchor, isSigned: true });
const plain = makeCompaction(world, { summary: "the summary", anchor, isSigned: false });
const user = { role: "user", content: "go on" };
const assistant = (...content: JsonObject[]) => ({ role: "assistant", content });
const check =
  (body: JsonObject, betas = [ON_DEMAND]) =>
  () =>
    checkCompaction(makeMessagesRequest(body, betas), world);

it("signs on-demand blocks and encrypts threshold blocks", () => {
  expect(signed).toMatchObject({
    type: "compaction",
    content: "the summary",
    encrypted_content: null,
    tool_changes: [],
  });
  expect(typeof signed.signature).toBe("string");
  expect(plain).not.toHaveProperty("signature");
  expect(typeof plain.encrypted_content).toBe("string");
  expect(makeCompaction(world, { summary: "", anchor, isSigned: true })).toEqual({
    type: "compaction",
    content: null,
    encrypted_content: null,
  });
});

it("accepts its own blocks at the beginning", () => {
  expect(check({ messages: [assistant(signed), user] })).not.toThrow();
  expect(check({ messages: [user, assistant(plain, { type: "text", text: "x" }), user] })).not.toThrow();
  expect(check({ messages: [user, assistant({ type: "compaction", content: "by hand" }), user] })).not.toThrow();
  expect(check({ messages: [user, assistant({ type: "compaction", content: null }), user] })).not.toThrow();
});

it.each<[string, JsonObject, string]>([
  ["two blocks", { messages: [assistant(signed), user, assistant(signed), user] }, "compaction_block_ambiguous"],
  ["a block that is not first", { messages: [user, assistant(signed), user] }, "compaction_block_misplaced"],
  [
    "a block in a system message",
    { messages: [user, { role: "system", content: [plain] }] },
    "compaction_block_misplaced",
  ],
  ["a changed summary", { messages: [assistant({ ...signed, content: "else" }), user] }, "compaction_content_mismatch"],
  [
    "a foreign signature",
    { messages: [assistant({ ...signed, signature: "x" }), user] },
    "compaction_signature_invalid",
  ],
  [
    "a foreign seal",
    { messages: [user, assistant({ ...plain, encrypted_content: "x" }), user] },
    "compaction_signature_invalid",
  ],
  [
    "changed tools",
    { messages: [assistant({ ...signed, tool_changes: [{}] }), user] },
    "compaction_tool_changes_mismatch",
  ],
  [
    "a request that ends on a call",
    {
      messages: [user, assistant({ type: "tool_use", id: "a", name: "b", input: {} })],
      compaction: { type: "summarize" },
    },
    "compaction_incomplete_turn",
  ],
  [
    "nothing to summarise",
    { messages: [{ role: "system", content: "x" }], compaction: { type: "summarize" } },
    "compaction_nothing_to_summarize",
  ],
])("rejects %s", (_, body, code) => {
  expect(check(body)).toThrow(expect.objectContaining({ status: 400, details: { code } }));
});

it.each<[string, JsonObject, string, string[]]>([
  [
    "an empty summary",
    { messages: [assistant({ type: "compaction", content: "" }), user] },
    "messages.0.content.0.compaction.content: String should have at least 1 character",
    [ON_DEMAND],
  ],
  [
    "a signed block without its beta",
    { messages: [assistant(signed), user] },
    "messages.0.content.0.compaction.signature: Extra inputs are not permitted",
    ["compact-2026-01-12"],
  ],
  ["another kind", { compaction: { type: "x" } }, "compaction.type: Input should be 'summarize'", [ON_DEMAND]],
  [
    "a model without it",
    { model: "claude-haiku-4-5", compaction: { type: "summarize" } },
    "compaction: on-demand compaction is not supported for this model",
    [ON_DEMAND],
  ],
])("rejects %s", (_, body, message, betas) => {
  expect(check(body, betas)).toThrow(expect.objectContaining({ message }));
});

describe("sinceCompaction", () => {
  it("drops everything that the last block replaces", () => {
    const text = { type: "text", text: "x" };
    const messages = messagesIn({ messages: [user, assistant(text, plain, text), user] });
    expect(sinceCompaction(messages)).toEqual(messagesIn({ messages: [assistant(plain, text), user] }));
  });

  it("ignores a failed block", () => {
    const messages = messagesIn({ messages: [user, assistant({ type: "compaction", content: null }), user] });
    expect(sinceCompaction(messages)).toBe(messages);
  });
});

it("reads the trigger", () => {
  const trigger = (edit: JsonObject) =>
    compactionTrigger({ context_management: { edits: [{ type: "compact_20260112", ...edit }] } });
  expect(trigger({})).toEqual({ tokens: 150_000, pauses: false, instructions: "" });
  expect(
    trigger({ trigger: { type: "input_tokens", value: 60_000 }, pause_after_compaction: true, instructions: "i" }),
  ).toEqual({
    tokens: 60_000,
    pauses: true,
    instructions: "i",
  });
  expect(compactionTrigger({})).toBeUndefined();
  expect(isObject(signed)).toBe(true);
});
