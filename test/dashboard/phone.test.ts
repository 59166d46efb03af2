import type { EventsAnswer } from "@longhaul/admin/api";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { hiddenOnPhone, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { ask, BUSY, post, send, TALKS } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig(BUSY);
  await post(rig, { session: "broken", model: "no-such-model" }, { messages: [{ role: "user", content: "hello" }] });
  await send(rig, TALKS.slice(0, 2));
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

it("shows every value of every page on a phone", async () => {
  const links = await rig.page
    .locator("nav .pages a")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  const { requests } = await ask<EventsAnswer>(rig, "/events?failed=yes");
  const routes = [
    ...links.map((link) => link?.replace(/^#\//, "") ?? ""),
    "sessions/invoices-one-cent-off",
    `requests/${requests[0]?.id}`,
  ];
  expect(routes.length).toBeGreaterThan(12);
  const faults: string[] = [];
  for (const route of routes) {
    await rig.show(route);
    await rig.page.locator("main h1").waitFor();
    await rig.page.locator("main .loading").first().waitFor({ state: "detached" });
    const over = await phoneOverflow(rig.page);
    if (over > 0) faults.push(`${route}: ${over} pixels too wide`);
    faults.push(...(await hiddenOnPhone(rig.page)).map((hidden) => `${route}: ${hidden}`));
  }
  expect(faults).toEqual([]);
});
