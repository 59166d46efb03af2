import type { StreamEvent } from "@longhaul/conversation/advanced";
import { makeImage, makeToolCall } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { mediaMark } from "../content/media.ts";
import { CLEARED } from "../context-editing/clear.ts";
import { NO_SOURCE } from "../edits/change.ts";
import { argumentMark, OMISSION } from "../passes/marks.ts";
import { SUMMARIZED } from "../passes/operations.ts";
import { consolidatedMark, obsoleteMark, referenceMark, repeatedReadMark } from "../references/mark.ts";
import { marksIn, watchCopies } from "./copied-marks.ts";
import { NOTE_START } from "./notes.ts";
import type { HashedChange, Projection } from "./projection.ts";

const MARKS = {
  reference: referenceMark({ name: "src/app.ts", lines: { first: 12, last: 57 } }),
  "repeated read": repeatedReadMark("src/app.ts"),
  "repeated output": consolidatedMark(3, "npm test"),
  "older version": obsoleteMark("src/app.ts"),
  "left-out argument": argumentMark({ text: "one\ntwo" }),
  "left-out lines": "[lines 12-57 of src/app.ts left out]",
  "left-out output": "[214 lines of npm test output left out]",
  "left-out messages": "[12 messages left out above, 2 of them from the user: read src/app.ts]",
  note: `${NOTE_START} 12 older messages were left out to fit the context window.]`,
  image: mediaMark({ block: makeImage() }),
  cleared: CLEARED,
  "summary of a text": `${SUMMARIZED}12 lines: all tests pass]`,
  omission: OMISSION,
  dots: "...",
};

/** The events of a call with these arguments, in pieces of five characters. */
function callEvents(json: string): StreamEvent[] {
  const pieces = json.match(/[\s\S]{1,5}/g) ?? [];
  return [
    { type: "tool-call-start", index: 1, id: "a", name: "write" },
    ...pieces.map((piece) => ({ type: "tool-call-delta", index: 1, json: piece }) as const),
    { type: "tool-call-end", index: 1 },
  ];
}

describe.each(Object.entries(MARKS))("a copied mark: %s", (_, mark) => {
  const sent = () => ["[another mark left out]", mark];
  const values = { path: "a.ts", edits: [{ old: "x = [1]", new: `first line\n${mark}\nlast line` }], whole: mark };

  it("is counted once for every value in a reply", () => {
    const watch = watchCopies(sent);
    watch.seeReply({ blocks: [{ type: "text", text: mark }, makeToolCall("a", { input: values })] });
    expect(watch.count()).toBe(2);
  });

  it("is counted in a stream, however it is cut", () => {
    const watch = watchCopies(sent);
    for (const event of callEvents(JSON.stringify(values))) watch.see(event);
    expect(watch.count()).toBe(2);
  });

  it("is counted in arguments that are not JSON", () => {
    const watch = watchCopies(sent);
    for (const event of callEvents(`*** Begin Patch\n${mark}\n*** End Patch`)) watch.see(event);
    expect(watch.count()).toBe(1);
  });
});

describe("watchCopies", () => {
  it("does not count ordinary dots and brackets", () => {
    const watch = watchCopies(() => Object.values(MARKS));
    const content = "const all = [...some, ...others]; // [...] and so on ...\n    ...\n[1 line]";
    watch.seeReply({ blocks: [makeToolCall("a", { input: { content } })] });
    expect(watch.count()).toBe(0);
  });

  it("looks for the sent marks only if an argument may contain one", () => {
    const watch = watchCopies(() => {
      throw new Error("not needed");
    });
    watch.seeReply({ blocks: [makeToolCall("a", { input: { path: "src/app.ts" } })] });
    expect(watch.count()).toBe(0);
  });
});

describe("marksIn", () => {
  it("finds the marks of every kind of change, but no text of the conversation", () => {
    const at = { block: 0, path: [], hash: "" };
    const changes: HashedChange[] = [
      {
        kind: "text",
        ...at,
        pieces: [{ from: 0, to: 9 }, { made: "\n[2 lines left out]\n" }, { made: "..." }, { made: "(...)\n" }],
      },
      { kind: "text", ...at, pieces: [{ made: "[8 lines left out, except:\n" }, { from: 0, to: 9 }, { made: "]" }] },
      { kind: "gone", ...at, left: "[image left out]" },
      { kind: "gone", ...at },
      { kind: "input", ...at, input: { path: "a.ts", content: "[84 lines left out]" } },
      { kind: "note", ...at, block: NO_SOURCE, text: "[Note from Longhaul: …\nsrc/a.ts (run)]\n[3 messages left out]" },
    ];
    const projection: Projection = { version: 2, messages: 1, entries: [{ kind: "change", index: 0, changes }] };
    expect(marksIn(projection)).toEqual([
      "[2 lines left out]",
      "...",
      "(...)",
      "[8 lines left out, except:",
      "[image left out]",
      "[84 lines left out]",
      "[Note from Longhaul: …",
      "[3 messages left out]",
    ]);
  });
});
