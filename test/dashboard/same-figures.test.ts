import type { SessionDetailAnswer } from "@longhaul/admin/api";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openRig, type Rig } from "./rig.ts";
import { ask, BUSY, send } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig(BUSY);
  await send(rig, [{ session: "night", example: "outage", model: "claude-opus-4-5", turns: 2 }]);
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const figure = (name: string) =>
  rig.page
    .locator(".stat", { has: rig.page.getByText(name, { exact: true }) })
    .locator("dd")
    .first();

it("shows the same cost, summaries included, on every page", async () => {
  const { turns, condensations } = await ask<SessionDetailAnswer>(rig, "/session?session=night");
  const sum = (costs: readonly { readonly costUsd: number }[]) => costs.reduce((all, { costUsd }) => all + costUsd, 0);
  expect(sum(condensations)).toBeGreaterThan(0.001);
  const spent = `$${(sum(turns) + sum(condensations)).toFixed(4)}`;
  await rig.show("");
  await rig.page.reload();
  await expect.poll(() => figure("Cost").textContent()).toBe(spent);
  expect(await rig.page.getByLabel("By model", { exact: true }).locator("tbody tr").allInnerTexts()).toEqual([
    expect.stringContaining(`\t${spent}\t`),
  ]);
  await rig.show("sessions");
  await rig.page.getByLabel("Sessions", { exact: true }).getByText(spent).waitFor();
  await rig.show("sessions/night");
  expect(await figure("Cost").textContent()).toBe(spent);
});
