import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeMessagesRequest } from "../testing/make-messages-request.ts";
import { checkOpenLoop } from "./check-open-loop.ts";

const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
const result = (id: string) => ({ role: "user", content: [{ type: "tool_result", tool_use_id: id }] });
const thought = { type: "thinking", thinking: "x", signature: "y" };
const user = { role: "user", content: "go" };
const assistant = (...content: object[]) => ({ role: "assistant", content });
const check = (messages: object[], thinking: JsonObject) => () =>
  checkOpenLoop(makeMessagesRequest({ model: "claude-sonnet-4-5", messages, thinking }));
const budget = { type: "enabled", budget_tokens: 2_000 };

it("wants the loop's first reply to begin with thinking", () => {
  expect(check([user, assistant(use("a")), result("a")], budget)).toThrow(
    /^messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`\. When `thinking` is enabled, a final `assistant` message must start with a thinking block \(preceeding the lastmost set of `tool_use` and `tool_result` blocks\)\./,
  );
  expect(
    check([user, assistant(thought, use("a")), result("a"), assistant(use("b")), result("b")], budget),
  ).not.toThrow();
});

it("looks for the thinking behind a summary of what came before", () => {
  const summary = { type: "compaction", content: "x" };
  expect(check([assistant(summary, thought, use("a")), result("a")], budget)).not.toThrow();
  expect(check([assistant(summary, use("a")), result("a")], budget)).toThrow(/^messages\.0\.content\.1\.type: /);
});

it("does not mind closed loops", () => {
  expect(
    check([user, assistant(use("a")), result("a"), assistant({ type: "text", text: "x" }), user], budget),
  ).not.toThrow();
});

it("does not mind without a budget", () => {
  expect(check([user, assistant(use("a")), result("a")], { type: "disabled" })).not.toThrow();
});
