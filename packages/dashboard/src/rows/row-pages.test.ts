import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  missingPages,
  openPages,
  PAGE_ROWS,
  withFailure,
  withoutFailures,
  withPage,
  withRequested,
} from "./row-pages.tsx";

describe("pages of rows", () => {
  it("requests only pages that are not loaded", () => {
    const pages = openPages(1_000, ["a", "b"]);
    expect(pages.rows.get(1)).toBe("b");
    expect(missingPages(pages, 0, 50)).toEqual([]);
    expect(missingPages(pages, 150, 450)).toEqual([PAGE_ROWS, 2 * PAGE_ROWS]);
  });

  it("requests nothing beyond the end, and no page twice", () => {
    const pages = withRequested(openPages<string>(250, []), [PAGE_ROWS]);
    expect(missingPages(pages, -5, 9_999)).toEqual([0]);
  });

  it("stores the rows of a page at their indexes", () => {
    const pages = withPage(openPages(1_000, ["a"]), PAGE_ROWS, ["x", "y"]);
    expect([pages.rows.get(0), pages.rows.get(PAGE_ROWS + 1)]).toEqual(["a", "y"]);
  });

  it("requests failed pages again only after withoutFailures", () => {
    const failed = withFailure(withRequested(openPages(1_000, ["a"]), [PAGE_ROWS, 2 * PAGE_ROWS]), PAGE_ROWS);
    expect(missingPages(failed, 0, 600)).toEqual([]);
    expect(missingPages(withoutFailures(failed), 0, 600)).toEqual([PAGE_ROWS]);
    expect(withoutFailures(failed).failed.size).toBe(0);
  });

  it("requests a page for every row in the range", () => {
    fc.assert(
      fc.property(fc.nat(3_000), fc.nat(3_000), fc.nat(500), (count, from, length) => {
        const pages = openPages<string>(count, []);
        const found = missingPages(pages, from, from + length);
        const rows = Array.from({ length }, (_, index) => from + index).filter((row) => row < count);
        for (const row of rows) expect(found.some((page) => page <= row && row < page + PAGE_ROWS)).toBe(true);
      }),
    );
  });
});
