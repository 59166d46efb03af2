import { describe, expect, it } from "vitest";
import { continues, itemsIn, listedItem, referenceIn } from "./api.ts";

describe("continues", () => {
  it.each([
    [{ previous_response_id: "resp_1" }, true],
    [{ conversation: { id: "conv_1" } }, true],
    [{ previous_response_id: null, input: "hi" }, false],
  ])("decides whether %j continues a stored response: %s", (body, expected) => {
    expect(continues(body)).toBe(expected);
  });
});

describe("itemsIn and referenceIn", () => {
  it("list the items and find references", () => {
    const items = itemsIn([{ type: "item_reference", id: "a" }, { id: "b" }, { id: "c", role: "user" }, "stray"]);
    expect(items.map(referenceIn)).toEqual(["a", "b", undefined]);
    expect(itemsIn("hi")).toEqual([{ type: "message", role: "user", content: "hi" }]);
    expect([itemsIn(null), itemsIn(undefined)]).toEqual([[], []]);
  });
});

describe("listedItem", () => {
  it.each([
    [
      { role: "user", content: "hi" },
      {
        id: "msg_r_0",
        type: "message",
        status: "completed",
        role: "user",
        content: [{ type: "input_text", text: "hi" }],
      },
    ],
    [
      { role: "assistant", content: "hello", phase: "commentary" },
      {
        id: "msg_r_0",
        type: "message",
        status: "completed",
        role: "assistant",
        phase: "commentary",
        content: [{ type: "output_text", text: "hello", annotations: [] }],
      },
    ],
    [
      { type: "function_call_output", call_id: "c", output: "42" },
      { id: "fco_r_0", type: "function_call_output", status: "completed", call_id: "c", output: "42" },
    ],
    [
      { type: "new_kind", x: 1 },
      { id: "item_r_0", type: "new_kind", status: "completed", x: 1 },
    ],
  ])("adds the missing fields to %o", (item, kept) => {
    expect(listedItem(item, "r_0")).toEqual(kept);
  });

  it("returns a complete item unchanged", () => {
    const item = { id: "msg_1", type: "message", role: "user", status: "incomplete", content: [] };
    expect(listedItem(item, "r_0")).toEqual(item);
  });
});
