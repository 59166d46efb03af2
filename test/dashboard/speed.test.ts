import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { EventsAnswer } from "@longhaul/admin/api";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { measureWork, rowList } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { ask, post } from "./traffic.ts";

const MAX_BUNDLE_BYTES = 180_000;
const MAX_FIRST_PAINT_MS = 1_000;
/** While the list is scrolled, this percentage of frames needs no more work than `frameMs`. */
const SMOOTH = { percent: 95, frameMs: 50 };
const MAX_NODES = 2_000;

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ contents: { keep: "all" } });
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

it("loads less than 180 KB, compressed", () => {
  const folder = fileURLToPath(new URL("../../.cache/dashboard/", import.meta.url));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    /\.\w+$/.test(entry.name),
  );
  // The documentation is separate.
  const bytes = files
    .filter((entry) => entry.isFile() && !entry.name.startsWith(".") && !`${entry.parentPath}/`.includes("/docs/"))
    .map((entry) => gzipSync(readFileSync(`${entry.parentPath}/${entry.name}`)).length);
  expect(bytes.length).toBeGreaterThan(2);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BUNDLE_BYTES);
});

it("paints after less than a second of work", async () => {
  const workMs = await measureWork(rig.page);
  await rig.page.reload();
  await rig.page.getByRole("heading", { name: "No traffic yet" }).waitFor();
  await expect.poll(firstPaintMs).toBeGreaterThan(0);
  const spentMs = await workMs();
  expect(spentMs).toBeGreaterThan(0);
  expect(spentMs).toBeLessThan(MAX_FIRST_PAINT_MS);
});

it("scrolls smoothly through 2,000 messages before and after", async () => {
  await showLongRequest();
  const frames = await workWhileScrolling();
  const share = (100 * frames.filter((ms) => ms <= SMOOTH.frameMs).length) / frames.length;
  expect(Math.max(...frames)).toBeGreaterThan(0);
  expect(share).toBeGreaterThanOrEqual(SMOOTH.percent);
  expect(await rig.page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(MAX_NODES);
});

it("keeps its scroll position while rows above are measured", async () => {
  await showLongRequest();
  const list = rowList(rig.page);
  // Scrolls into the middle of rows that were never rendered, then up again, so that rows become visible from above.
  await expect
    .poll(() =>
      list.evaluate((element) => {
        const first = Number(element.querySelector("[data-row]")?.getAttribute("data-row"));
        if (Math.abs(first - 900) > 40) element.scrollTop += 100 * (900 - first);
        return first;
      }),
    )
    .toSatisfy((first: number) => Math.abs(first - 900) <= 40);
  await expect.poll(() => list.locator("[aria-busy]").count()).toBe(0);
  const moved = await list.evaluate(async (element) => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const steps: number[] = [];
    for (let step = 0; step < 40; step += 1) {
      await nextFrame();
      const middle = element.getBoundingClientRect().top + 300;
      const row = [...element.querySelectorAll("article")].find((one) => one.getBoundingClientRect().bottom > middle);
      const before = row?.getBoundingClientRect().top ?? 0;
      element.scrollBy(0, -50);
      for (let frame = 0; frame < 3; frame += 1) await nextFrame();
      steps.push((row?.getBoundingClientRect().top ?? 0) - before);
    }
    return steps;
  });
  expect(moved.filter((pixels) => Math.abs(pixels - 50) > 2)).toEqual([]);
});

it("shows an error when rows cannot be loaded, and retries on request", async () => {
  await showLongRequest();
  const list = rowList(rig.page);
  await rig.page.route("**/api/requests/*from=*", (route) => route.abort());
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  const alert = rig.page.getByRole("alert").filter({ hasText: "The gateway is not responding." });
  await alert.waitFor();
  await rig.page.unroute("**/api/requests/*from=*");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => list.locator("[aria-busy]").count()).toBe(0);
  expect(await list.locator("article").count()).toBeGreaterThan(0);
  expect(await alert.count()).toBe(0);
  expect(rig.complaints.splice(0)).toSatisfy((all: string[]) => all.every((one) => one.includes("ERR_FAILED")));
});

async function showLongRequest(): Promise<void> {
  const messages = Array.from({ length: 2_001 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `Message ${index}. ${`Line of ${"words ".repeat(index % 23)}\n`.repeat(1 + (index % 11))}`,
  }));
  expect(await post(rig, { session: "long" }, { messages })).toBe(200);
  const found = async () => (await ask<EventsAnswer>(rig, "/events?session=long")).requests[0]?.id;
  await expect.poll(found).toBeDefined();
  await rig.show("");
  await rig.show(`requests/${await found()}`);
  await rowList(rig.page).getByText("Message 0.").waitFor();
}

function firstPaintMs(): Promise<number> {
  return rig.page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
}

/** Measures the work for each frame while the list is scrolled in steps of half a screen. */
async function workWhileScrolling(): Promise<number[]> {
  const list = rowList(rig.page);
  const frames: number[] = [];
  for (let frame = 0; frame < 60; frame += 1) {
    const workMs = await measureWork(rig.page);
    await list.evaluate(
      (element) =>
        new Promise((resolve) => {
          element.scrollTop += 300;
          requestAnimationFrame(() => requestAnimationFrame(resolve));
        }),
    );
    frames.push(await workMs());
  }
  return frames;
}
