import { describe, expect, it } from "vitest";
import { preludeOf } from "./prelude.ts";

const ids = (
  enabled: boolean,
  deduplicateFileReads: boolean,
  consolidateToolResults: boolean,
  removeObsoleteState: boolean,
) => {
  const { before, after } = preludeOf({
    enabled,
    operations: { deduplicateFileReads, consolidateToolResults, removeObsoleteState },
  });
  const spell = ({ id, isTrial }: { id: string; isTrial?: boolean }) => (isTrial === true ? `${id}?` : id);
  return [before.map(spell), after.map(spell)];
};

describe("preludeOf", () => {
  it("tries references first and makes them last", () => {
    expect(ids(true, true, true, false)).toEqual([["prelude?"], ["references"]]);
  });

  it("takes what is obsolete away for good, before anything points to it", () => {
    expect(ids(true, true, true, true)).toEqual([["obsolete-state", "prelude?"], ["references"]]);
  });

  it("only consolidates where reads stay as they are", () => {
    expect(ids(true, false, true, false)).toEqual([["prelude?"], ["consolidate"]]);
  });

  it("has nothing to do where all switches are off", () => {
    expect(ids(true, false, false, false)).toEqual([[], []]);
    expect(ids(false, true, true, true)).toEqual([[], []]);
  });
});
