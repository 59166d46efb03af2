import type { JsonObject, Message } from "@longhaul/conversation";
import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { editFates } from "./edit-fates.ts";
import { outdatedIn } from "./outdated.ts";

let calls = 0;

function use(name: string, input: JsonObject, result = "ok", isError = false): Message[] {
  const id = `c${calls++}`;
  return [makeAssistant(makeToolCall(id, { name, input })), makeUser(makeToolResult(id, result, { isError }))];
}

function edit(from: string, to: string, { file = "a.ts", isError = false } = {}): Message[] {
  return use("Edit", { file_path: file, old_string: from, new_string: to }, "ok", isError);
}

function run(command: string, result?: string): Message[] {
  return use("Bash", { command }, result);
}

/** Returns the fate of each edit. */
function fatesOf(...messages: Message[][]) {
  const { contents } = decompose(messages.flat());
  const fates = editFates(contents, outdatedIn(contents));
  const edits = new Set(contents.flatMap(({ use: found }) => (found?.name === "Edit" ? [found] : [])));
  return [...edits].map((found) => fates.get(found));
}

describe("editFates", () => {
  it("finds edits that failed", () => {
    expect(fatesOf(edit("one line", "two lines", { isError: true }), edit("one line", "two lines"))).toEqual([
      "failed",
      undefined,
    ]);
  });

  it("finds an edit that a later one undid or replaced, and none of which a line is left", () => {
    const first = edit("one line", "two lines\nthree lines");
    expect(fatesOf(first, edit("two lines\nthree lines", "one line"))).toEqual(["replaced", undefined]);
    expect(fatesOf(first, edit("two lines", "other lines"))).toEqual([undefined, undefined]);
    expect(fatesOf(first, use("Write", { file_path: "a.ts", content: "other lines" }))).toEqual(["replaced"]);
  });

  it("finds a deletion whose lines are back", () => {
    const gone = edit("same line\nold line", "same line");
    expect(fatesOf(gone)).toEqual([undefined]);
    expect(fatesOf(gone, edit("same line", "same line\nold line"))).toEqual(["replaced", undefined]);
  });

  it.each(["git checkout -- a.ts", "git restore a.ts", "cd /repo && git checkout HEAD -- .", "git reset --hard"])(
    "finds an edit that `%s` takes back, unless it was committed",
    (command) => {
      const change = edit("one line", "two lines");
      expect(fatesOf(change, run(command))).toEqual(["replaced"]);
      expect(fatesOf(change, run("git commit -am x", "[main 1234567] x"), run(command))).toEqual([undefined]);
      expect(fatesOf(run(command), change)).toEqual([undefined]);
    },
  );

  it("keeps an edit that `git` takes out of the index alone, or of another file", () => {
    const change = edit("one line", "two lines");
    expect(fatesOf(change, run("git restore --staged a.ts"))).toEqual([undefined]);
    expect(fatesOf(change, run("git checkout -- b.ts"))).toEqual([undefined]);
    expect(fatesOf(change, run("git reset HEAD a.ts"))).toEqual([undefined]);
  });
});
