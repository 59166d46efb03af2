import type { Block } from "@longhaul/conversation";
import { makeThinking } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeContext } from "../testing/make-context.ts";
import { encodeName, joinName, RULES } from "./rules.ts";

function reads(block: Block): boolean {
  const isThought = block.type === "thinking" || block.type === "redacted-thinking";
  return isThought && RULES.acceptsThinking(block, makeContext({ rules: RULES }));
}

describe("the rules of Responses", () => {
  it("accept only reasoning that OpenAI encrypted or that a native client refers to", () => {
    expect(reads({ type: "thinking", text: "", signature: "gAAAA", vendor: "openai" })).toBe(true);
    expect(reads({ type: "redacted-thinking", data: "gAAAA", vendor: "openai" })).toBe(true);
    expect(reads({ type: "thinking", text: "hm", vendor: "openai" })).toBe(false);
    const native = { wire: "openai-responses", value: { type: "reasoning", id: "rs_1" } };
    expect(reads({ type: "thinking", text: "hm", id: "rs_1", vendor: "openai", native })).toBe(true);
    expect(reads(makeThinking())).toBe(false);
  });
});

it.each([
  [{ name: "exec" }, "exec"],
  [{ name: "js", namespace: "mcp__node_repl" }, "mcp__node_repl/js"],
])("joins %j into one name and splits it again", (fields, joined) => {
  const { name, namespace } = { namespace: undefined, ...fields };
  expect(joinName(name, namespace)).toBe(joined);
  expect(encodeName(joined)).toEqual(fields);
});

it("ignores an empty namespace", () => {
  expect([joinName("exec", ""), joinName("exec", null)]).toEqual(["exec", "exec"]);
  expect(encodeName("/exec")).toEqual({ name: "/exec" });
});
