import { readLog } from "@longhaul/logs";
import { expect, it } from "vitest";
import { buildExample } from "./example-builder.ts";

it("builds a body whose tool uses decode with their results", () => {
  const tool = { name: "read", description: "Reads.", inputs: ["path"] };
  const body = buildExample("Be brief.", [tool])
    .user("Go.")
    .use("I read.", ["read", { path: "a" }], "A.")
    .assistant("Done.")
    .body();
  const { format, conversation, model } = readLog(JSON.stringify(body));
  expect([format, model]).toEqual(["anthropic-messages", "claude-sonnet-4-5"]);
  expect(conversation.tools).toMatchObject([{ name: "read", inputSchema: { required: ["path"] } }]);
  expect(conversation.messages.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([
    ["text"],
    ["text", "tool-call"],
    ["tool-result"],
    ["text"],
  ]);
  const [, call, result] = conversation.messages;
  expect(call?.blocks[1]).toMatchObject({ id: "toolu_0001", name: "read" });
  expect(result?.blocks[0]).toMatchObject({ callId: "toolu_0001" });
});

it("has no tools field without tools", () => {
  expect(buildExample("Be brief.").user("Go.").body()).not.toHaveProperty("tools");
});
