import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { axeFaults } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { BUSY, send } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig(BUSY);
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

it("compares the estimated and actual cost of a condensation as soon as it happens", async () => {
  await rig.show("strategies/native?profile=opus");
  await rig.page.getByText("No condensations yet").waitFor();
  await send(rig, [{ session: "nightly-incident", example: "outage", model: "claude-opus-4-5", turns: 4 }]);
  const row = rig.page.getByLabel("Estimated and actual cost").locator("tbody tr").first();
  await row.waitFor();
  const [, before, after, estimated = "", actual = "", difference] = await row.locator("td").allInnerTexts();
  expect([before, after]).toEqual([expect.stringMatching(/K$/), expect.stringMatching(/^\d/)]);
  expect(estimated).toMatch(/^\$0\.\d+$/);
  expect(actual).toMatch(/^\$0\.\d+$/);
  const [estimatedUsd = 0, actualUsd = 0] = [estimated, actual].map((money) => Number(money.replace("$", "")));
  // Both are rounded, so equal figures may still differ.
  const expected = actualUsd > estimatedUsd ? /\d% more$/ : /\d% less$/;
  expect(difference).toMatch(actualUsd === estimatedUsd ? /^[\d.]+% (?:more|less)$|^as estimated$/ : expected);
  expect(await axeFaults(rig.page)).toEqual([]);
});

it("previews a recorded session", async () => {
  await rig.show("strategies/truncation?profile=opus");
  const choice = rig.page.getByLabel("Conversation");
  const option = choice.locator("option[value^=request]");
  await option.waitFor({ state: "attached" });
  await choice.selectOption((await option.getAttribute("value")) ?? "");
  await rig.page.getByText(/^Tokens counted for claude-opus-4-5\..* Context window: 16K tokens\.$/).waitFor();
  await rig.page.locator(".waterfall").getByText("applied").first().waitFor();
});
