import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeMessagesRequest } from "../testing/make.ts";
import { checkMessages, checkPairs, checkToolLoop } from "./check-messages.ts";
import { messagesIn } from "./request.ts";

const check =
  (body: JsonObject, betas: readonly string[] = []) =>
  () =>
    checkMessages(makeMessagesRequest(body, betas));
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const use = { type: "tool_use", id: "toolu_1", name: "read", input: {} };
const result = { type: "tool_result", tool_use_id: "toolu_1", content: "text" };
const image = (data: string) => ({ type: "image", source: { type: "base64", media_type: "image/png", data } });

it.each<[string, JsonObject]>([
  ["a tool loop", { messages: [user("go"), assistant([use]), user([result, { type: "text", text: "and?" }])] }],
  ["consecutive messages of one role", { messages: [user("a"), user("b"), assistant("c"), user("d")] }],
  [
    "a system message in the middle",
    { model: "claude-opus-4-8", messages: [user("a"), { role: "system", content: "b" }] },
  ],
  ["an image", { messages: [user([image("aaaa")])] }],
  ["a prefilled reply, on older models", { model: "claude-sonnet-4-5", messages: [user("a"), assistant("b")] }],
  ["results without text", { messages: [user("go"), assistant([use]), user([{ ...result, content: "" }])] }],
])("accepts %s", (_, body) => {
  expect(check(body)).not.toThrow();
});

it.each<[string, JsonObject, string]>([
  [
    "an unknown role",
    { messages: [user("a"), { role: "tool", content: "b" }] },
    "messages.1.role: Input should be 'user' or 'assistant'",
  ],
  [
    "a system message on a model without support",
    { messages: [user("a"), { role: "system", content: "b" }] },
    'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
  ],
  [
    "a conversation that the assistant opens",
    { messages: [assistant("a"), user("b")] },
    'messages: first message must use the "user" role',
  ],
  [
    "an empty message",
    { messages: [user("a"), assistant(""), user("b")] },
    "messages.1: all messages must have non-empty content except for the optional final assistant message",
  ],
  [
    "a message without blocks",
    { messages: [user([])] },
    "messages.0: all messages must have non-empty content except for the optional final assistant message",
  ],
  [
    "an empty text",
    { messages: [user([image("aaaa"), { type: "text", text: "" }])] },
    "messages: text content blocks must be non-empty",
  ],
  [
    "a blank text",
    { messages: [user([{ type: "text", text: " \n" }])] },
    "messages: text content blocks must contain non-whitespace text",
  ],
  [
    "a cached empty text",
    { messages: [user([image("aaaa"), { type: "text", text: "", cache_control: { type: "ephemeral" } }])] },
    "messages.0.content.1.text: cache_control cannot be set for empty text blocks",
  ],
  [
    "a text block without text",
    { messages: [user([{ type: "text" }])] },
    "messages.0.content.0.text.text: Field required",
  ],
  ["an empty system text", { system: [{ type: "text", text: "" }] }, "system: text content blocks must be non-empty"],
  [
    "cached thinking",
    {
      messages: [
        user("a"),
        assistant([{ type: "thinking", thinking: "x", signature: "y", cache_control: {} }]),
        user("b"),
      ],
    },
    "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
  ],
  [
    "a call by the user",
    { messages: [user([use])] },
    "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages",
  ],
  [
    "a call without an id",
    { messages: [user("a"), assistant([{ ...use, id: undefined }])] },
    "messages.1.content.0.tool_use.id: Field required",
  ],
  [
    "a call with a bad id",
    { messages: [user("a"), assistant([{ ...use, id: "call:1" }])] },
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    "a call without a name",
    { messages: [user("a"), assistant([{ ...use, name: "" }])] },
    "messages.1.content.0.tool_use.name: String should have at least 1 character",
  ],
  [
    "a call whose input is not an object",
    { messages: [user("a"), assistant([{ ...use, input: "{}" }])] },
    "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
  ],
  [
    "a prefilled reply",
    { messages: [user("a"), assistant("b")] },
    "This model does not support assistant message prefill. The conversation must end with a user message.",
  ],
  [
    "a prefilled reply with trailing whitespace",
    { model: "claude-sonnet-4-5", messages: [user("a"), assistant("b ")] },
    "messages: final assistant content cannot end with trailing whitespace",
  ],
  [
    "too many images",
    { model: "claude-haiku-4-5", messages: [user(Array.from({ length: 101 }, () => image("aaaa")))] },
    "messages: too many images and documents: 101 + 0 > 100",
  ],
  [
    "a large image",
    { messages: [user([image("a".repeat(8_000_000))])] },
    "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
  ],
])("rejects %s", (_, body, message) => {
  expect(check(body)).toThrow(expect.objectContaining({ status: 400, message }));
});

it("accepts compaction blocks only with a beta", () => {
  const messages = [assistant([{ type: "compaction", content: "x" }]), user("go on")];
  expect(check({ messages })).toThrow(
    /^messages\.0\.content\.0: Input tag 'compaction' found using 'type' does not match any of the/,
  );
  expect(check({ messages }, ["compact-2026-01-12"])).not.toThrow();
});

describe("checkPairs", () => {
  const check =
    (...messages: object[]) =>
    () =>
      checkPairs(messagesIn({ messages }));
  const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
  const result = (id: string) => ({ type: "tool_result", tool_use_id: id });
  const text = { type: "text", text: "x" };
  const user = (...content: object[]) => ({ role: "user", content });
  const assistant = (...content: object[]) => ({ role: "assistant", content });

  it("accepts parallel calls with all their results in any order, and text after them", () => {
    expect(check(user(text), assistant(text, use("a"), use("b")), user(result("b"), result("a"), text))).not.toThrow();
  });

  it("accepts results in consecutive user messages", () => {
    expect(check(user(text), assistant(use("a"), use("b")), user(result("a")), user(result("b")))).not.toThrow();
  });

  const unanswered = (at: number, ids: string) =>
    `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;

  it.each([
    ["none", check(user(text), assistant(use("a"), use("b")), user(text)), unanswered(1, "a, b")],
    ["one of two", check(user(text), assistant(use("a"), use("b")), user(result("a"))), unanswered(1, "b")],
    [
      "a later one",
      check(user(text), assistant(use("a")), user(text), assistant(text), user(text)),
      unanswered(1, "a"),
    ],
    ["one after a text", check(user(text), assistant(use("a")), user(text, result("a"))), unanswered(1, "a")],
    [
      "one after a system message",
      check(user(text), assistant(use("a")), { role: "system", content: "x" }, user(result("a"))),
      unanswered(1, "a"),
    ],
    ["the end", check(user(text), assistant(use("a"))), unanswered(1, "a")],
  ])("rejects calls that are followed by %s", (_, act, message) => {
    expect(act).toThrow(expect.objectContaining({ message }));
  });

  it("rejects results without their call", () => {
    expect(check(user(result("a")))).toThrow(
      "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    );
    expect(check(user(text), assistant(use("a")), user(result("a"), result("b")))).toThrow(
      /^messages\.2\.content\.1: unexpected/,
    );
  });

  it("rejects two results for one call, and two calls with one id", () => {
    expect(check(user(text), assistant(use("a")), user(result("a"), result("a")))).toThrow(
      "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
    );
    expect(check(user(text), assistant(use("a"), use("a")), user(result("a")))).toThrow(
      "messages.1.content.1: `tool_use` ids must be unique",
    );
  });
});

describe("checkOpenLoop", () => {
  const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
  const result = (id: string) => ({ role: "user", content: [{ type: "tool_result", tool_use_id: id }] });
  const thought = { type: "thinking", thinking: "x", signature: "y" };
  const user = { role: "user", content: "go" };
  const assistant = (...content: object[]) => ({ role: "assistant", content });
  const check = (messages: object[], thinking: JsonObject) => () =>
    checkToolLoop(makeMessagesRequest({ model: "claude-sonnet-4-5", messages, thinking }));
  const budget = { type: "enabled", budget_tokens: 2_000 };

  it("requires the first reply of the loop to begin with thinking", () => {
    expect(check([user, assistant(use("a")), result("a")], budget)).toThrow(
      /^messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`\. When `thinking` is enabled, a final `assistant` message must start with a thinking block \(preceeding the lastmost set of `tool_use` and `tool_result` blocks\)\./,
    );
    expect(
      check([user, assistant(thought, use("a")), result("a"), assistant(use("b")), result("b")], budget),
    ).not.toThrow();
  });

  it("looks for the thinking after a compaction block", () => {
    const summary = { type: "compaction", content: "x" };
    expect(check([assistant(summary, thought, use("a")), result("a")], budget)).not.toThrow();
    expect(check([assistant(summary, use("a")), result("a")], budget)).toThrow(/^messages\.0\.content\.1\.type: /);
  });

  it("ignores closed loops", () => {
    expect(
      check([user, assistant(use("a")), result("a"), assistant({ type: "text", text: "x" }), user], budget),
    ).not.toThrow();
  });

  it("ignores loops without a budget", () => {
    expect(check([user, assistant(use("a")), result("a")], { type: "disabled" })).not.toThrow();
  });
});
