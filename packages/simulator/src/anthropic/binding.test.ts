import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeMessagesRequest } from "../testing/make.ts";
import { checkBinding, signThinking } from "./binding.ts";

const world = makeWorld({});
const BINDING = "thinking-binding-controls-2026-08-01";
const user = (content: unknown) => ({ role: "user", content });

/** A reply of thinking and text, signed like the API's. */
function reply(body: JsonObject, thought: string) {
  const request = makeMessagesRequest({ model: "claude-fable-5-1", ...body });
  const { anchor } = checkBinding(request, world);
  const signature = signThinking(world, { anchor, model: request.model.name, text: thought, tokens: 9 });
  return {
    role: "assistant",
    content: [
      { type: "thinking", thinking: thought, signature },
      { type: "text", text: `after ${thought}` },
    ],
  };
}

const check = (body: JsonObject, betas: readonly string[] = []) =>
  checkBinding(makeMessagesRequest({ model: "claude-fable-5-1", ...body }, betas), world);

const system = "be kind";
const first = [user("one")];
const second = [...first, reply({ system, messages: first }, "a"), user("two")];
const third = [...second, reply({ system, messages: second }, "b"), user("three")];
const mismatch = (path: string) =>
  `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;

describe("a model that binds thinking", () => {
  it("accepts unchanged thinking", () => {
    expect(check({ system, messages: third }).dropped).toEqual([]);
  });

  it("ignores cache marks, another tool choice, and text sent as a block", () => {
    const messages = [user([{ type: "text", text: "one", cache_control: { type: "ephemeral" } }]), ...third.slice(1)];
    const kind = [{ type: "text", text: system, cache_control: { type: "ephemeral" } }];
    expect(check({ system: kind, messages: messages, max_tokens: 7, metadata: { user_id: "u" } }).dropped).toEqual([]);
  });

  it.each([
    ["another system prompt", { system: "be quick", messages: third }, "messages.1.content.0"],
    ["other tools", { system, tools: [{ name: "a" }], messages: third }, "messages.1.content.0"],
    ["an edited message", { system, messages: [user("uno"), ...third.slice(1)] }, "messages.1.content.0"],
    ["a message removed later", { system, messages: third.filter((_, at) => at !== 2) }, "messages.2.content.0"],
    [
      "a gap in the thinking",
      { system, messages: [...third, reply({ system, messages: third }, "c"), user("four")].map(withoutThinkingAt(3)) },
      "messages.5.content.0",
    ],
  ])("rejects %s", (_, body, path) => {
    expect(() => check(body, [BINDING])).toThrow(expect.objectContaining({ status: 400, message: mismatch(path) }));
  });

  it("names the missing header", () => {
    expect(() => check({ system: "x", messages: third })).toThrow(
      `${mismatch("messages.1.content.0")} That setting requires the \`thinking-binding-controls-2026-08-01\` value in the \`anthropic-beta\` header.`,
    );
  });

  it("accepts that leading thinking blocks are omitted", () => {
    const messages = third.map(withoutThinkingAt(1));
    expect(check({ system, messages }).dropped).toEqual([]);
  });

  it("rejects a dropped block that is sent again", () => {
    const stripped = second.map(withoutThinkingAt(1));
    const answered = reply({ system, messages: stripped }, "b");
    expect(check({ system, messages: [...stripped, answered, user("x")] }).dropped).toEqual([]);
    expect(() => check({ system, messages: [...second, answered, user("x")] })).toThrow(
      /^messages\.3\.content\.0: Invalid/,
    );
  });

  it("drops mismatched blocks and everything after them if requested", () => {
    const thinking = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
    const { dropped, messages } = check({ system: "x", thinking, messages: third }, [BINDING]);
    const reason = "prefix_binding_mismatch";
    expect(dropped).toEqual([
      { type: "thinking_dropped", path: "messages.1.content.0", reason },
      { type: "thinking_dropped", path: "messages.3.content.0", reason },
    ]);
    expect(messages[1]?.blocks).toEqual([{ type: "text", text: "after a" }]);
  });

  it("keeps new thinking after dropped thinking valid", () => {
    const thinking = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
    const changed = { system: "x", thinking, messages: third };
    const { anchor } = check(changed, [BINDING]);
    const signature = signThinking(world, { anchor, model: "claude-fable-5-1", text: "c", tokens: 1 });
    const messages = [
      ...third,
      { role: "assistant", content: [{ type: "thinking", thinking: "c", signature }] },
      user("x"),
    ];
    expect(check({ ...changed, messages }, [BINDING]).dropped).toHaveLength(2);
  });

  it("drops another model's thinking silently", () => {
    const messages = third;
    const { dropped } = check({ system, messages, model: "claude-opus-5-5" });
    expect(dropped.map(({ reason }) => reason)).toEqual(["model_binding_mismatch", "model_binding_mismatch"]);
  });

  it("accepts mismatches if binding is not enforced", () => {
    const lenient = makeWorld({ enforcesBinding: false });
    const request = makeMessagesRequest({ model: "claude-fable-5-1", system: "x", messages: third });
    expect(checkBinding(request, lenient).dropped).toEqual([]);
  });
});

describe("a model that does not bind thinking", () => {
  it("accepts thinking from another conversation, and knows its size", () => {
    const body = { model: "claude-opus-4-6", system: "x", messages: [user("uno"), ...third.slice(1)] };
    const { dropped, tokens } = check(body);
    expect([dropped, [...tokens.values()]]).toEqual([[], [9, 9]]);
  });
});

describe("any model", () => {
  const thinking = (block: JsonObject) => [user("a"), { role: "assistant", content: [block] }, user("b")];
  const model = "claude-opus-4-6";

  it("rejects foreign signatures", () => {
    const messages = thinking({ type: "thinking", thinking: "x", signature: "gAAAAA" });
    expect(() => check({ model, messages })).toThrow("messages.1.content.0: Invalid `signature` in `thinking` block");
    const hidden = thinking({ type: "redacted_thinking", data: "x" });
    expect(() => check({ model, messages: hidden })).toThrow(
      "messages.1.content.0: Invalid `data` in `redacted_thinking` block",
    );
  });

  it("rejects changed thinking, with another message in the latest reply", () => {
    const changed = (messages: readonly JsonObject[], at: number) =>
      messages.map((message, index) =>
        index === at ? JSON.parse(JSON.stringify(message).replace('"thinking":"a"', '"thinking":"z"')) : message,
      );
    expect(() => check({ model, messages: changed(third, 1) })).toThrow(
      expect.objectContaining({ message: "messages.1.content.0: Invalid `signature` in `thinking` block" }),
    );
    expect(() => check({ model, messages: changed(second, 1) })).toThrow(
      "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
    );
  });
});

function withoutThinkingAt(index: number) {
  return (message: JsonObject, at: number): JsonObject =>
    at === index && Array.isArray(message.content) ? { ...message, content: message.content.slice(1) } : message;
}
