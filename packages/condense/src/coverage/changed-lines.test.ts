import type { JsonObject } from "@longhaul/conversation";
import { makeAssistant, makeToolCall, makeToolResult } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { rolesIn } from "./changed-lines.ts";

/** Returns the role of each line of a call and its result. */
function rolesOf(name: string, input: JsonObject, result = "updated") {
  const messages = [
    makeAssistant(makeToolCall("a", { name, input })),
    { role: "user" as const, blocks: [makeToolResult("a", result)] },
  ];
  const { contents } = decompose(messages);
  const { roleOf } = rolesIn(contents);
  return contents.flatMap((content) => content.text.split("\n").map((line) => [line, roleOf(content, line)]));
}

describe("rolesIn", () => {
  it("tells the lines that an edit changes from those around them, and from its file", () => {
    const input = { file_path: "a.ts", old_string: "same\n- old item", new_string: "same\n- new item" };
    expect(rolesOf("Edit", input, "  1→same")).toEqual([
      ["a.ts", undefined],
      ["same", "context"],
      ["- old item", "removed"],
      ["same", "context"],
      ["- new item", "added"],
      ["  1→same", "context"],
    ]);
  });

  it("reads both sides of a patch and of a block", () => {
    const patch = "*** Begin Patch\n*** Update File: a.ts\n same\n-old line\n+new line\n*** End Patch";
    const changes = (lines: ReturnType<typeof rolesOf>) =>
      lines.filter(([, role]) => role === "added" || role === "removed");
    expect(changes(rolesOf("apply_patch", { input: patch }))).toEqual([
      ["-old line", "removed"],
      ["+new line", "added"],
    ]);
    const block = "<<<<<<< SEARCH\nsame\nold line\n=======\nsame\nnew line\n>>>>>>> REPLACE";
    expect(changes(rolesOf("apply_diff", { path: "a.ts", diff: block }))).toEqual([
      ["old line", "removed"],
      ["new line", "added"],
    ]);
  });

  it("gives no role to the lines of a whole file", () => {
    expect(rolesOf("Write", { file_path: "a.ts", content: "one line" }).map(([, role]) => role)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
