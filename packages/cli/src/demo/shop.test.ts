import { expect, it } from "vitest";
import { SHOP_PARTS, searchHits, sourceOf, testRun } from "./shop.ts";

const [shipping = SHOP_PARTS[0]] = SHOP_PARTS;
if (shipping === undefined) throw new Error("there is no shop");

it("has sources with numbered lines, which differ from revision to revision in few of them", () => {
  const [one, two] = [sourceOf(shipping, 1), sourceOf(shipping, 2)].map((text) => text.split("\n"));
  expect(one?.[0]).toMatch(/^ {4}1\timport/);
  expect(one?.length).toBe(two?.length);
  const changed = one?.filter((line, index) => line !== two?.[index]).length ?? 0;
  expect(changed).toBeGreaterThan(0);
  expect(changed).toBeLessThan((one?.length ?? 0) / 2);
});

it("runs tests that fail where they are to, with a trace", () => {
  expect(testRun(shipping, 1)).toMatch(/FAIL {2}test\/shipping\.test\.ts.*AssertionError.*1 failed, /s);
  expect(testRun(undefined, 1)).not.toContain("FAIL");
});

it("finds where a figure is used", () => {
  expect(searchHits(shipping)).toContain("src/coupon/coupon.ts:23: const fee = feeForOrder");
});
