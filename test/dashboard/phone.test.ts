import type { EventsAnswer } from "@longhaul/admin/api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hiddenOnPhone } from "./page.ts";
import { ADMIN_TOKEN, openRig, type Rig } from "./rig.ts";
import { ask, BUSY, post, send, TALKS } from "./traffic.ts";

const LONG = "a-model-with-a-very-long-name-that-no-column-of-a-phone-can-hold-in-one-line-20261118";

let rig: Rig;
beforeAll(async () => {
  const cloud = { kind: "bedrock", region: "eu-west-1", accessKeyId: "an-id", secretAccessKey: "a-secret" };
  rig = await openRig({
    ...BUSY,
    log: { level: "silent" },
    alerts: { webhook: "http://127.0.0.1:9/alerts", webhookSecret: "a-secret-of-the-webhook" },
    upstreams: { simulated: { kind: "simulator" }, "a-cloud-with-a-long-name-in-the-region-eu-west-1": cloud },
    routes: [{ match: LONG, upstream: "simulated", model: `claude-${LONG}` }, ...BUSY.routes],
  });
  await send(rig, TALKS.slice(0, 3));
  await post(rig, { session: "broken", model: "no-such-model" }, { messages: [{ role: "user", content: "hello" }] });
});
afterAll(() => rig.close());

/** Every page of the navigation, and the pages of single things. */
async function routes(): Promise<readonly string[]> {
  const links = await rig.page
    .locator('nav a[href^="#/"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  const { requests } = await ask<EventsAnswer>(rig, "/events?session=checkout-outage");
  const details = [
    "sessions/invoices-one-cent-off",
    `requests/${requests.find(({ origin }) => origin === "new")?.id}`,
    `requests/${(await ask<EventsAnswer>(rig, "/events?failed=yes")).requests[0]?.id}`,
    "strategies/smart",
  ];
  return [...links.map((href) => href?.slice("#/".length) ?? ""), ...details];
}

it("shows every value of every page on a phone", async () => {
  await createKey();
  await rig.page.setViewportSize({ width: 390, height: 800 });
  const all = await routes();
  expect(all).toEqual(expect.arrayContaining(["", "sessions", "requests", "routes", "upstreams", "keys", "settings"]));
  const hidden: Record<string, readonly string[]> = {};
  for (const route of all) {
    await rig.show(route);
    await rig.page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => rig.page.locator("main .loading").count()).toBe(0);
    hidden[route] = await hiddenOnPhone(rig.page);
  }
  expect(hidden).toEqual(Object.fromEntries(all.map((route) => [route, []])));
});

it("finds a value that is cut off", async () => {
  await rig.show("keys");
  await rig.page.getByLabel("API keys", { exact: true }).locator("tbody tr").waitFor();
  await rig.page.locator("td", { hasText: "team" }).evaluate((cell) => {
    Object.assign(cell.style, { overflow: "hidden", maxHeight: "4px" });
  });
  expect(await hiddenOnPhone(rig.page)).toContain("hidden: team");
});

async function createKey(): Promise<void> {
  const models = ["claude-*", LONG];
  const limits = { requestsPerMinute: 60, concurrent: 4, usdPerDay: 20, usdPerMonth: 200 };
  const response = await fetch(`${rig.gateway.adminUrl}/api/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "team", models, limits }),
  });
  expect(response.status).toBe(200);
}
