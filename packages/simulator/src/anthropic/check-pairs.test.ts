import { expect, it } from "vitest";
import { checkPairs } from "./check-pairs.ts";
import { messagesIn } from "./messages.ts";

const check =
  (...messages: object[]) =>
  () =>
    checkPairs(messagesIn({ messages }));
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id });
const text = { type: "text", text: "x" };
const user = (...content: object[]) => ({ role: "user", content });
const assistant = (...content: object[]) => ({ role: "assistant", content });

it("accepts parallel calls with all their results, in any order, text behind them", () => {
  expect(check(user(text), assistant(text, use("a"), use("b")), user(result("b"), result("a"), text))).not.toThrow();
});

it("accepts results spread over consecutive user messages", () => {
  expect(check(user(text), assistant(use("a"), use("b")), user(result("a")), user(result("b")))).not.toThrow();
});

const unanswered = (at: number, ids: string) =>
  `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;

it.each([
  ["none", check(user(text), assistant(use("a"), use("b")), user(text)), unanswered(1, "a, b")],
  ["one of two", check(user(text), assistant(use("a"), use("b")), user(result("a"))), unanswered(1, "b")],
  ["a later one", check(user(text), assistant(use("a")), user(text), assistant(text), user(text)), unanswered(1, "a")],
  ["one behind a text", check(user(text), assistant(use("a")), user(text, result("a"))), unanswered(1, "a")],
  [
    "one behind a system message",
    check(user(text), assistant(use("a")), { role: "system", content: "x" }, user(result("a"))),
    unanswered(1, "a"),
  ],
  ["the end", check(user(text), assistant(use("a"))), unanswered(1, "a")],
])("refuses calls that are followed by %s", (_, act, message) => {
  expect(act).toThrow(expect.objectContaining({ message }));
});

it("refuses results without their call", () => {
  expect(check(user(result("a")))).toThrow(
    "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
  );
  expect(check(user(text), assistant(use("a")), user(result("a"), result("b")))).toThrow(
    /^messages\.2\.content\.1: unexpected/,
  );
});

it("refuses two results for one call and two calls with one id", () => {
  expect(check(user(text), assistant(use("a")), user(result("a"), result("a")))).toThrow(
    "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
  );
  expect(check(user(text), assistant(use("a"), use("a")), user(result("a")))).toThrow(
    "messages.1.content.1: `tool_use` ids must be unique",
  );
});
