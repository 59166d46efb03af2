// Takes the screenshots of docs/dashboard.md: each page in light and dark, of a gateway with a month of generated traffic and a few
// sessions through the simulator.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { EventsAnswer, NewKeyAnswer } from "@longhaul/admin/api";
import { openStore } from "@longhaul/store";
import { ADMIN_TOKEN, openRig, type Rig } from "../test/dashboard/rig.ts";
import { setup } from "../test/dashboard/set-up.ts";
import { ask, BUSY, post, send, type Talk } from "../test/dashboard/traffic.ts";
import { pastCondensation, pastDescriptions, pastRequests } from "./screenshots-history.ts";

const FOLDER = fileURLToPath(new URL("../docs/screenshots/", import.meta.url));
const QUALITY = 52;

/** A page, and the steps before its screenshot. */
interface Screenshot {
  readonly name: string;
  readonly path: string;
  readonly prepare?: (rig: Rig) => Promise<unknown>;
}

const TALKS: readonly Talk[] = [
  { session: "checkout-outage", example: "outage", model: "claude-haiku-4-5" },
  { session: "library-plans", example: "planning" },
  { session: "nightly-incident", example: "outage", model: "claude-opus-4-5", turns: 9 },
  { session: "invoices-one-cent-off", example: "bug-hunt" },
];

setup();
mkdirSync(FOLDER, { recursive: true });
const rig = await openRig(BUSY);
await take({ name: "first-run", path: "" });
await send(rig, TALKS);
await post(rig, { session: "typo", model: "claude-sonet-4-5" }, { messages: [{ role: "user", content: "Hello" }] });
await addHistory(await makeKeys());
for (const shot of await shots()) await take(shot);
await rig.page.getByRole("button", { name: "Sign out" }).click();
await take({ name: "sign-in", path: "" });
await rig.close();

async function shots(): Promise<readonly Screenshot[]> {
  const { requests } = await ask<EventsAnswer>(rig, "/events?session=checkout-outage");
  const condensed = requests.find(({ origin }) => origin === "new")?.id ?? "";
  return [
    { name: "overview", path: "" },
    { name: "sessions", path: "sessions" },
    { name: "session", path: "sessions/invoices-one-cent-off" },
    { name: "requests", path: "requests" },
    { name: "before-and-after", path: `requests/${condensed}`, prepare: showChange },
    { name: "playground", path: "playground", prepare: tryExample },
    { name: "strategies", path: "strategies" },
    { name: "smart-editor", path: "strategies/smart" },
    { name: "presets", path: "presets" },
    { name: "prompts", path: "prompts" },
    { name: "profiles", path: "profiles" },
    { name: "upstreams", path: "upstreams" },
    { name: "routes", path: "routes" },
    { name: "keys", path: "keys" },
    { name: "settings", path: "settings?search=context" },
  ];
}

async function take({ name, path, prepare }: Screenshot): Promise<void> {
  const { page } = rig;
  await rig.show(path);
  await page.reload();
  await page.waitForLoadState("networkidle").catch(() => undefined);
  await prepare?.(rig);
  for (const theme of ["light", "dark"] as const) {
    await page.evaluate((chosen) => {
      document.documentElement.dataset.theme = chosen;
    }, theme);
    // Previews wait before they send a request.
    await page.waitForTimeout(800);
    await page.locator(".loading").first().waitFor({ state: "detached" });
    const session = await rig.context.newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
    await session.detach();
    writeFileSync(`${FOLDER}${name}-${theme}.webp`, data, "base64");
  }
}

async function showChange({ page }: Rig): Promise<void> {
  const list = page.getByRole("group", { name: "Before and after" });
  await list.locator("article").first().waitFor();
  for (let step = 0; step < 60 && (await list.locator("[data-fate=shortened]").count()) === 0; step += 1) {
    await list.evaluate((element) => element.scrollBy(0, 300));
    await page.waitForTimeout(50);
  }
  await list.locator("[data-fate=shortened]").first().scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
}

async function tryExample({ page }: Rig): Promise<void> {
  await page.getByRole("button", { name: "A bug hunt" }).click();
  await page.getByRole("heading", { name: "Before and after" }).waitFor();
}

async function makeKeys(): Promise<readonly string[]> {
  const created = ["Laptop", "CI", "Desk"].map(async (name, index) => {
    const response = await fetch(`${rig.gateway.adminUrl}/api/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ name, limits: index === 1 ? { usdPerDay: 20, concurrent: 4 } : {} }),
    });
    const answer: NewKeyAnswer = JSON.parse(await response.text());
    return answer.created.id;
  });
  return Promise.all(created);
}

async function addHistory(keyIds: readonly string[]): Promise<void> {
  const store = await openStore({ path: rig.storePath, nowMs: Date.now });
  const requests = pastRequests(keyIds, Date.now());
  await store.events.add({
    requests,
    condensations: requests.flatMap(pastCondensation),
    descriptions: pastDescriptions(requests),
  });
  await store.close();
}
