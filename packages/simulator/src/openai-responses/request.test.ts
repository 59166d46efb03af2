import { expect, it } from "vitest";
import { makeWorld } from "../core/world.ts";
import { inputItems, isCall, isResult, partsIn, resolveItems, textsIn, typeOf } from "./request.ts";

const world = makeWorld({});
const reasoning = { id: "rs_1", type: "reasoning", summary: [] };
const message = { id: "msg_1", type: "message", role: "assistant", content: [{ type: "output_text", text: "a" }] };
world.storedItems.set("rs_1", { item: { ...reasoning, encrypted_content: "x" } });
world.stored.set("resp_1", { response: {}, items: [message] });

it("recognizes messages without a type", () => {
  expect([typeOf({ role: "user" }), typeOf({ type: "reasoning" }), typeOf({})]).toEqual(["message", "reasoning", ""]);
});

it("reads a text as a user message", () => {
  expect(inputItems("hi")).toEqual([{ type: "message", role: "user", content: "hi" }]);
  expect(inputItems([message])).toEqual([message]);
});

it("puts the previous response's items first and resolves references", () => {
  const items = resolveItems(
    { previous_response_id: "resp_1", input: [{ type: "item_reference", id: "rs_1" }, reasoning] },
    world,
  );
  const full = { ...reasoning, encrypted_content: "x" };
  expect(items).toEqual([message, full, full]);
});

it("rejects unknown references", () => {
  expect(() => resolveItems({ previous_response_id: "resp_2" }, world)).toThrow(
    expect.objectContaining({
      status: 400,
      message: "Previous response with id 'resp_2' not found.",
      details: { param: "previous_response_id", code: "previous_response_not_found" },
    }),
  );
  expect(() => resolveItems({ input: [{ ...reasoning, id: "rs_2" }] }, world)).toThrow(
    expect.objectContaining({
      status: 404,
      message:
        "Item with id 'rs_2' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
    }),
  );
  expect(() => resolveItems({ conversation: "conv_1" }, world)).toThrow("Conversation with id 'conv_1' not found.");
  expect(() => resolveItems({ conversation: { id: "conv_2" } }, world)).toThrow(
    "Conversation with id 'conv_2' not found.",
  );
});

it("reads parts and texts, calls and results", () => {
  expect(partsIn("a")).toEqual([{ type: "input_text", text: "a" }]);
  expect(textsIn([{ text: "a" }, { refusal: "b" }, { type: "input_image" }])).toEqual(["a", "b"]);
  expect([
    isCall({ type: "function_call" }),
    isCall({ type: "custom_tool_call" }),
    isCall({ type: "message" }),
  ]).toEqual([true, true, false]);
  expect([isResult({ type: "function_call_output" }), isResult({ type: "reasoning" })]).toEqual([true, false]);
});
