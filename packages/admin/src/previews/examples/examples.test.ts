import { readLog } from "@longhaul/logs";
import { describe, expect, it } from "vitest";
import { examples, findExample } from "./examples.ts";

describe("examples", () => {
  it.each(examples())("$id is a valid request", ({ text, messages }) => {
    const { format, conversation, warnings } = readLog(text);
    expect([format, conversation.messages.length, warnings]).toEqual(["anthropic-messages", messages, []]);
    expect(conversation.messages.at(-1)?.role).toBe("user");
  });

  it("have different ids", () => {
    const ids = examples().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.map((id) => findExample(id).id)).toEqual(ids);
  });

  it("are found by id; an unknown id is rejected", () => {
    expect(() => findExample("none")).toThrow("bug-hunt, outage, planning");
  });
});
