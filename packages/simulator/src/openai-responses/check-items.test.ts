import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { checkItems, ENCRYPTED_PREFIX, openSeal } from "./check-items.ts";

const world = makeWorld({});
const check =
  (...items: JsonObject[]) =>
  () =>
    checkItems(items, world);
const user = { role: "user", content: [{ type: "input_text", text: "go" }] };
const answer = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "a" }] };
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: "{}" };
const result = { type: "function_call_output", call_id: "call_1", output: "text" };
const sealed = (kind: string, payload: JsonObject) => `${ENCRYPTED_PREFIX}${world.seals.seal(kind, payload)}`;
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: sealed("reasoning", { tokens: 5 }) };
const compaction = { type: "compaction", encrypted_content: sealed("compaction", { summary: "s" }) };

it("accepts a loop with reasoning and a compaction", () => {
  expect(check(compaction, user, reasoning, call, result, reasoning, answer, user)).not.toThrow();
  expect(check(user, answer, { type: "compaction_trigger" })).not.toThrow();
  expect(openSeal(compaction, "compaction", world)).toEqual({ summary: "s" });
});

it.each<[string, JsonObject[], string, object]>([
  ["nothing", [], "Missing required parameter: 'input'.", { param: "input", code: "missing_required_parameter" }],
  [
    "an item without a type",
    [{ text: "a" }],
    "Missing required parameter: 'input[0].type'.",
    { param: "input[0].type", code: "missing_required_parameter" },
  ],
  [
    "another role",
    [{ role: "tool", content: "x" }],
    "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
    { param: "input[0]", code: "invalid_value" },
  ],
  [
    "the assistant's parts from the user",
    [{ role: "user", content: [{ type: "output_text", text: "a" }] }],
    "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', 'input_file', and 'input_audio'.",
    { param: "input[0].content[0]", code: "invalid_value" },
  ],
  [
    "the user's parts from the assistant",
    [{ role: "assistant", content: [{ type: "input_text", text: "a" }] }],
    "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    { param: "input[0].content[0]", code: "invalid_value" },
  ],
  [
    "another vendor's id",
    [user, { ...call, id: "toolu_1" }, result],
    "Invalid 'input[1].id': 'toolu_1'. Expected an ID that begins with 'fc'.",
    { param: "input[1].id", code: "invalid_value" },
  ],
  [
    "a call without an id",
    [{ ...call, call_id: "" }],
    "Missing required parameter: 'input[0].call_id'.",
    { param: "input[0].call_id", code: "missing_required_parameter" },
  ],
  [
    "a call with a long id",
    [{ ...call, call_id: "x".repeat(65) }],
    "Invalid 'input[0].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    { param: "input[0].call_id", code: "string_above_max_length" },
  ],
  [
    "a result without output",
    [call, { ...result, output: undefined }],
    "Missing required parameter: 'input[1].output'.",
    { param: "input[1].output", code: "missing_required_parameter" },
  ],
  ["a call without a result", [user, call], "No tool output found for function call call_1.", { param: "input" }],
  [
    "a result without a call",
    [user, result],
    "No tool call found for function call output with call_id call_1.",
    { param: "input" },
  ],
  [
    "a result before its call",
    [user, result, call],
    "No tool call found for function call output with call_id call_1.",
    { param: "input" },
  ],
  [
    "reasoning that led to nothing",
    [user, reasoning, user],
    "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    { param: "input" },
  ],
  [
    "foreign reasoning",
    [user, { ...reasoning, encrypted_content: "EqABCDEFG" }, answer],
    "The encrypted content EqABCDEF... could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
    { code: "invalid_encrypted_content" },
  ],
  [
    "a foreign compaction",
    [{ ...compaction, encrypted_content: `${ENCRYPTED_PREFIX}xyz` }, user],
    "The encrypted content gAAAAxyz... could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
    { code: "invalid_encrypted_content" },
  ],
  [
    "a trigger that is not last",
    [{ type: "compaction_trigger" }, user],
    "The 'compaction_trigger' item must be the final input item.",
    { param: "input[0]" },
  ],
])("rejects %s", (_, items, message, details) => {
  expect(check(...items)).toThrow(expect.objectContaining({ status: 400, message, details }));
});

it("requires stored reasoning with the items it led to", () => {
  world.storedItems.set("fc_1", { item: call, requires: "rs_9" });
  expect(check(user, call, result)).toThrow(
    "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_9'.",
  );
  expect(check(user, { ...reasoning, id: "rs_9" }, call, result)).not.toThrow();
  world.storedItems.clear();
});
