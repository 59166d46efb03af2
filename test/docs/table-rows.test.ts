import { expect, it } from "vitest";
import { tableRows } from "./table-rows.ts";

it("reads the cells of every row but the head", () => {
  const page = "# Title\n\n| code | status |\n|---|--:|\n| `a` | 400 |\n| b |  |\n\nText | more.\n";
  expect(tableRows(page)).toEqual([
    ["`a`", "400"],
    ["b", ""],
  ]);
});
