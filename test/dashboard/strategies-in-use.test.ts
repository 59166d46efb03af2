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

it("sets what a condensation cost beside what it was estimated at, as soon as it happened", async () => {
  await rig.show("strategies/native?profile=opus");
  await rig.page.getByText("It has condensed nothing yet").waitFor();
  await send(rig, [{ session: "nightly-incident", example: "outage", model: "claude-opus-4-5", turns: 4 }]);
  const row = rig.page.getByLabel("Estimated and actual cost").locator("tbody tr").first();
  await row.waitFor();
  const [, before, after, estimated = "", actual = "", difference] = await row.locator("td").allInnerTexts();
  expect([before, after]).toEqual([expect.stringMatching(/K$/), expect.stringMatching(/^\d/)]);
  expect(estimated).toMatch(/^\$0\.\d+$/);
  expect(actual).toMatch(/^\$0\.\d+$/);
  // Figures are rounded to what is shown.
  const [foretold, came] = [estimated, actual].map((money) => Number(money.replace("$", "")));
  expect(came).not.toBe(foretold);
  expect(difference).toMatch((came ?? 0) > (foretold ?? 0) ? / % more$/ : / % less$/);
  expect(await axeFaults(rig.page)).toEqual([]);
});

it("previews a real session whose contents are kept", async () => {
  await rig.show("strategies/truncation?profile=opus");
  const choice = rig.page.getByLabel("Tried on");
  const option = choice.locator("option", { hasText: "nightly-incident" });
  await option.waitFor({ state: "attached" });
  await choice.selectOption((await option.getAttribute("value")) ?? "");
  await rig.page.getByText("For claude-opus-4-5: the window holds 16K tokens").waitFor();
  await rig.page.locator(".waterfall").getByText("Applied").first().waitFor();
});
