import { describe, expect, it } from "vitest";
import { CLEARED } from "../context-editing/clear.ts";
import { SUMMARIZED, SUPPRESSED } from "../passes/operations.ts";
import { missingMarker, truncateHead } from "../passes/shorten.ts";
import { consolidatedMarker, obsoleteMarker, referenceMarker, repeatedReadMarker } from "../references/marker.ts";
import { droppedNote, summaryNote } from "../summaries/ranges.ts";
import { isNote, reasonFromMarkers } from "./marker-reason.ts";

const pointer = { name: "a.ts", lines: { first: 1, last: 9 } };
const long = "a line of text\n".repeat(100);

describe("reasonFromMarkers", () => {
  it.each([
    ["reference", referenceMarker(pointer)],
    ["reference", repeatedReadMarker("a.ts")],
    ["consolidate", consolidatedMarker(2, "`ls`")],
    ["obsolete", obsoleteMarker("version of a.ts")],
    ["suppress", SUPPRESSED],
    ["suppress", CLEARED],
    ["truncate", missingMarker(long)],
    ["truncate", String(truncateHead(long, { maxLines: 3 })?.text)],
    ["summarize", `${SUMMARIZED}It went well.`],
  ])("reads %s in %j", (reason, marker) => {
    expect(reasonFromMarkers(long, `a line of text ${marker}`)).toBe(reason);
  });

  it("ignores a marker that was there before", () => {
    expect(reasonFromMarkers(`${SUPPRESSED} and more`, SUPPRESSED)).toBeUndefined();
    expect(reasonFromMarkers(SUPPRESSED, `${SUPPRESSED} ${SUPPRESSED}`)).toBe("suppress");
  });

  it("returns undefined for a change without a marker", () => {
    expect(reasonFromMarkers("before", "after")).toBeUndefined();
  });
});

describe("isNote", () => {
  it("distinguishes notes from other text", () => {
    const texts = [droppedNote(1), droppedNote(7), summaryNote("We went on.")].map(({ parts }) => parts.join(""));
    expect(texts.map(isNote)).toEqual([true, true, false]);
    expect(isNote("⟨ hello ⟩ and more")).toBe(false);
  });
});
