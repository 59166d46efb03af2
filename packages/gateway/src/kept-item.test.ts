import { describe, expect, it } from "vitest";
import { keptItem } from "./kept-item.ts";

describe("keptItem", () => {
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
  ])("gives %o what it lacks", (item, kept) => {
    expect(keptItem(item, "r_0")).toEqual(kept);
  });

  it("leaves what is complete as it is", () => {
    const item = { id: "msg_1", type: "message", role: "user", status: "incomplete", content: [] };
    expect(keptItem(item, "r_0")).toEqual(item);
  });
});
