import { expect, it } from "vitest";
import { demoSteps, SHOP_PARTS, type Step, searchHits, sourceOf, TOOLS, testRun } from "./session.ts";

function first(count: number): Step[] {
  const taken: Step[] = [];
  for (const step of demoSteps()) {
    if (taken.length === count) break;
    taken.push(step);
  }
  return taken;
}

it("starts with a user message, calls only its own tools, and never ends", () => {
  const session = first(300);
  expect(session).toHaveLength(300);
  expect(session[0]?.userText).toBe(SHOP_PARTS[0]?.task);
  const names = new Set(TOOLS.map(({ name }) => name));
  expect(session.flatMap(({ reply }) => ("tool" in reply && !names.has(reply.tool) ? [reply.tool] : []))).toEqual([]);
});

it("has user messages only after the model has ended its turn", () => {
  const session = first(300);
  const interrupted = session.filter(({ userText }, index) => {
    const before = session[index - 1];
    return userText !== undefined && before !== undefined && "tool" in before.reply;
  });
  expect(interrupted).toEqual([]);
});

it("contains no text that looks like a request for a summary", () => {
  expect(JSON.stringify(first(300))).not.toMatch(/summar/i);
});

const [shipping = SHOP_PARTS[0]] = SHOP_PARTS;
if (shipping === undefined) throw new Error("there is no shop");

it("has sources with numbered lines, and few changes between revisions", () => {
  const [one, two] = [sourceOf(shipping, 1), sourceOf(shipping, 2)].map((text) => text.split("\n"));
  expect(one?.[0]).toMatch(/^ {4}1\timport/);
  expect(one?.length).toBe(two?.length);
  const changed = one?.filter((line, index) => line !== two?.[index]).length ?? 0;
  expect(changed).toBeGreaterThan(0);
  expect(changed).toBeLessThan((one?.length ?? 0) / 2);
});

it("prints a stack trace for the failing test", () => {
  expect(testRun(shipping, 1)).toMatch(/FAIL {2}test\/shipping\.test\.ts.*AssertionError.*1 failed, /s);
  expect(testRun(undefined, 1)).not.toContain("FAIL");
});

it("lists the uses of a value", () => {
  expect(searchHits(shipping)).toContain("src/coupon/coupon.ts:23: const fee = feeForOrder");
});
