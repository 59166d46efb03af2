import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { axeFaults } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { BUSY, send } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig(BUSY);
  await send(rig, [{ session: "nightly-incident", example: "outage", model: "claude-opus-4-5", turns: 4 }]);
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

async function strategyNow(): Promise<unknown> {
  const { settings } = await rig.page.evaluate(async () => (await fetch("/api/settings")).json());
  return settings.find(({ path }: { path: string }) => path === "context.strategy")?.value;
}

it("compares all strategies on a stored session, applies one and undoes it from the toast", async () => {
  await rig.show("strategies");
  const choice = rig.page.getByLabel("Conversation");
  const option = choice.locator("option[value^=request]");
  await option.waitFor({ state: "attached" });
  await choice.selectOption((await option.getAttribute("value")) ?? "");
  await rig.page.getByRole("button", { name: "Compare strategies" }).click();
  await rig.page.getByText(/^Recommended: .+ It costs|^Recommended: .+ The session fits/).waitFor();
  const table = rig.page.getByLabel("Strategies on this session");
  const rows = table.locator("tbody tr");
  expect(await rows.count()).toBe(10);
  const costs = await rows.locator("td:nth-child(2)").allInnerTexts();
  expect(costs.every((cost) => /\$\d/.test(cost))).toBe(true);
  expect(await axeFaults(rig.page)).toEqual([]);
  const before = await strategyNow();
  const other = rows.filter({ has: rig.page.getByRole("button", { name: "Use this" }) }).last();
  await other.getByRole("button", { name: "Use this" }).click();
  await rig.page.getByRole("button", { name: "Undo" }).waitFor();
  expect(await strategyNow()).not.toBe(before);
  await rig.page.getByRole("button", { name: "Undo" }).click();
  await rig.page.getByText(/is used again\.$/).waitFor();
  expect(await strategyNow()).toBe(before);
});

it("can be cancelled", async () => {
  await rig.show("strategies");
  await rig.page.getByRole("button", { name: "Compare strategies" }).click();
  await rig.page.getByRole("button", { name: "Cancel" }).click();
  await rig.page.getByRole("button", { name: "Compare strategies" }).waitFor();
});

it("pins a dropped message from the comparison of before and after, and undoes it", async () => {
  const { requests } = await rig.page.evaluate(async () => (await fetch("/api/events?limit=50")).json());
  const condensed = requests.find(({ origin }: { origin: string }) => origin === "new");
  await rig.show(`requests/${condensed.id}`);
  await rig.page.getByRole("button", { name: "Next change" }).click();
  await rig.page.getByText(/^Change 1 of \d+$/).waitFor();
  const changed = rig.page.locator("article.row-part:not([data-fate=kept]):not([data-fate=added])").first();
  await changed.getByRole("button", { name: "Always keep this" }).click();
  await changed.getByRole("button", { name: "Pinned" }).waitFor();
  await rig.page.getByRole("button", { name: "Undo" }).click();
  await changed.getByRole("button", { name: "Always keep this" }).waitFor();
});
