import { makeImage } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { mediaMark } from "../content/media.ts";
import { CLEARED } from "../context-editing/clear.ts";
import { OMISSION } from "../passes/marks.ts";
import { SUMMARIZED } from "../passes/operations.ts";
import { consolidatedMark, obsoleteMark, referenceMark, repeatedReadMark } from "../references/mark.ts";
import { summaryNote } from "../summaries/ranges.ts";
import { isNote, reasonFromMarks } from "./mark-reason.ts";

const pointer = { name: "a.ts", lines: { first: 1, last: 9 } };
const long = "a line of text\n".repeat(100);
const cut = "[93 lines of a.ts left out]";

describe("reasonFromMarks", () => {
  it.each([
    ["reference", referenceMark(pointer)],
    ["reference", repeatedReadMark("a.ts")],
    ["consolidate", consolidatedMark(2, "`ls`")],
    ["obsolete", obsoleteMark("version of a.ts")],
    ["suppress", CLEARED],
    ["truncate", cut],
    ["truncate", "[lines 4-90 of a.ts left out]"],
    ["cover", OMISSION],
    ["truncate", "[214 lines of `averylongprogram...` output left out]"],
    ["drop", mediaMark({ block: makeImage() })],
    ["summarize", `${SUMMARIZED}9 lines: It went well.]`],
  ])("reads %s in %j", (reason, mark) => {
    expect(reasonFromMarks(long, `a line of text ${mark}`)).toBe(reason);
  });

  it("ignores a mark that was there before", () => {
    expect(reasonFromMarks(`${cut} and more`, cut)).toBeUndefined();
    expect(reasonFromMarks(cut, `${cut} ${cut}`)).toBe("truncate");
  });

  it("returns undefined for a change without a mark", () => {
    expect(reasonFromMarks("before", "after")).toBeUndefined();
  });
});

describe("isNote", () => {
  it("distinguishes notes from other text", () => {
    const note =
      "[Note from Longhaul, not from the user or a tool: 2 older messages were left out to fit the context window.]";
    const mark = "[2 messages left out: read a.ts]";
    expect([note, mark, `${note}\n${mark}`].map(isNote)).toEqual([true, true, true]);
    expect([summaryNote("We went on.").parts.join(""), `${mark} and more`, cut].map(isNote)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
