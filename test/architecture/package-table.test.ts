import { expect, it } from "vitest";
import { PACKAGE_TABLE } from "./package-table.ts";

const rules = Object.entries(PACKAGE_TABLE);

it("lets every package import only packages above it, so that there are no cycles", () => {
  const order = rules.map(([name]) => name);
  for (const [name, { mayImport }] of rules) {
    const above = order.slice(0, order.indexOf(name));
    expect(above, name).toEqual(expect.arrayContaining(mayImport.map((entry) => entry.split("/")[0])));
  }
});

it("lets pure packages import only pure ones", () => {
  const pure = rules.filter(([, rule]) => rule.isPure);
  expect(pure.flatMap(([, rule]) => rule.mayImport).every((name) => PACKAGE_TABLE[name]?.isPure)).toBe(true);
});

it("keeps the engine and the wire formats independent", () => {
  expect(PACKAGE_TABLE.condense?.mayImport).not.toContain("wire");
  expect(PACKAGE_TABLE.wire?.mayImport).not.toContain("condense");
});
