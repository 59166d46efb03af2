import { anyText } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endItem, itemDelta, type OpenItem, startItem } from "./stream-items.ts";

const ITEM = { serial: "r_2", place: 2, text: "" } as const;

describe("itemDelta", () => {
  it("writes valid JSON fields for any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText(), fc.string()),
        fc.constantFrom("text", "thinking", "function", "custom"),
        (text, kind) => {
          const { data } = itemDelta({ ...ITEM, kind: kind as OpenItem["kind"] }, text);
          expect(JSON.parse(`{${data.fields}}`)).toMatchObject({ output_index: 2, delta: text });
        },
      ),
    );
  });

  it("opens a summary part only before its first text", () => {
    expect(itemDelta({ ...ITEM, kind: "thinking" }, "a").events).toMatchObject([
      { type: "response.reasoning_summary_part.added" },
    ]);
    expect(itemDelta({ ...ITEM, kind: "thinking", text: "a" }, "b").events).toEqual([]);
  });
});

describe("startItem and endItem", () => {
  it.each<[OpenItem["kind"], readonly string[], readonly string[], string]>([
    [
      "text",
      ["output_item.added", "content_part.added"],
      ["output_text.done", "content_part.done", "output_item.done"],
      "msg_r_2",
    ],
    [
      "thinking",
      ["output_item.added"],
      ["reasoning_summary_text.done", "reasoning_summary_part.done", "output_item.done"],
      "rs_r_2",
    ],
    ["function", ["output_item.added"], ["function_call_arguments.done", "output_item.done"], "fc_r_2"],
    ["custom", ["output_item.added"], ["custom_tool_call_input.done", "output_item.done"], "ctc_r_2"],
  ])("return the events around %s", (kind, starts, ends, id) => {
    const item: OpenItem = { ...ITEM, kind, text: "said", callId: "1", name: "f" };
    expect(startItem(item).map(({ type }) => type)).toEqual(starts.map((type) => `response.${type}`));
    const { events, whole } = endItem(item, { signature: "sealed" });
    expect(events.map(({ type }) => type)).toEqual(ends.map((type) => `response.${type}`));
    expect(whole.id).toBe(id);
    expect(events.at(-1)).toEqual({ type: "response.output_item.done", output_index: 2, item: whole });
  });

  it.each(["function", "custom"] as const)("split the namespace of a %s from its name", (kind) => {
    const item: OpenItem = { ...ITEM, kind, callId: "1", name: "notes/find" };
    const fields = { name: "find", namespace: "notes" };
    expect([startItem(item)[0]?.item, endItem(item, {}).whole]).toMatchObject([fields, fields]);
  });

  it("keep the vendor's id and tag another vendor's signature", () => {
    const { whole, events } = endItem(
      { ...ITEM, kind: "thinking", id: "rs_own", vendor: "google" },
      { signature: "AAAA" },
    );
    expect(whole).toEqual({ id: "rs_own", type: "reasoning", summary: [], encrypted_content: "longhaul/google/AAAA" });
    expect(events).toHaveLength(1);
  });
});
