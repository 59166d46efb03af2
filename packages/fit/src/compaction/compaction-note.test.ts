import { expect, it } from "vitest";
import { noteOf } from "./compaction-note.ts";

it.each([
  ["a text", { text: "x" }, "compacted"],
  ["a seal", { text: null, encrypted: "x" }, "compacted"],
  ["neither", { text: null }, "failed"],
  // The API takes no such block back.
  ["an empty text", { text: "" }, "failed"],
])("of a block with %s tells what became of it", (_, fields, kind) => {
  expect(noteOf({ type: "compaction", ...fields }).kind).toBe(kind);
});
