import type { EventsAnswer } from "@longhaul/admin/api";
import { openStore } from "@longhaul/store";
import { makeRequestEvent } from "@longhaul/store/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, phoneOverflow, rowList, scrollToRow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { ask, BUSY, post, send, TALKS } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig(BUSY);
  await post(rig, { session: "broken", model: "no-such-model" }, { messages: [{ role: "user", content: "hello" }] });
  await send(rig, TALKS);
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const rowsOf = (table: string) => rig.page.getByLabel(table, { exact: true }).locator("tbody tr");
const rowOf = (table: string, words: string) => rowsOf(table).filter({ hasText: words });
const figure = (name: string) => rig.page.locator(".stat", { has: rig.page.getByText(name, { exact: true }) });

/** Leaves the list, so that it is asked for again: changed back at once, the address would leave the page as it is. */
async function listAnew(): Promise<void> {
  await rig.show("");
  await rig.page.getByRole("heading", { name: "Overview" }).waitFor();
  await rig.show("sessions");
}

/** The latest request of a session that was condensed for it. */
async function condensedRequest(session: string): Promise<string> {
  const { requests } = await ask<EventsAnswer>(rig, `/events?session=${session}`);
  return requests.find(({ origin }) => origin === "new")?.id ?? "";
}

describe("sessions", () => {
  it("are listed with how full their windows are, and whether they outlived them", async () => {
    await rig.show("sessions");
    await rowOf("Sessions", "invoices-one-cent-off").getByText("kept alive").waitFor();
    expect(await rowsOf("Sessions").count()).toBe(5);
    expect(await rowOf("Sessions", "library-plans").getByText("kept alive").count()).toBe(0);
    expect(await rowOf("Sessions", "checkout-outage").textContent()).toMatch(/\d+ % of 16K/);
  });

  it("appear while one looks", async () => {
    await post(rig, { session: "just-now" }, { messages: [{ role: "user", content: "hello" }] });
    await rowOf("Sessions", "just-now").waitFor();
  });

  it("open by their name, and tell their turns and condensations", async () => {
    await rig.page.getByRole("link", { name: "invoices-one-cent-off" }).click();
    await rig.page.getByRole("heading", { name: "Session", exact: true }).waitFor();
    await rowsOf("Turns").first().waitFor();
    expect(await rowsOf("Turns").count()).toBe(6);
    expect(await rowsOf("Condensations").count()).toBe(1);
    await rowsOf("Turns").getByText("condensed by middle-out").waitFor();
    expect(await figure("Reused").textContent()).toMatch(/2 ×/);
    await rig.page.getByRole("img", { name: "Context size by turn" }).locator("canvas").waitFor();
    const holds = rig.page.getByRole("region", { name: "What its window holds now" });
    expect(await holds.locator(".legend li").allTextContents()).toEqual(
      ["System", "Tools", "Text", "Calls", "Results", "Free"].map((part) => expect.stringContaining(part)),
    );
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });
});

describe("a request", () => {
  it("is set beside what was sent, part by part", async () => {
    await rowsOf("Condensations").getByRole("link").click();
    await rig.page.getByRole("heading", { name: "Request", exact: true }).waitFor();
    await rig.page.getByRole("region", { name: "Condensed by middle-out" }).getByText("Applied").first().waitFor();
    const changed = "[data-fate]:not([data-fate=kept])";
    await scrollToRow(rig.page, changed);
    expect(await rowList(rig.page).locator(`${changed} .said.removed`).first().textContent()).toMatch(/\w{4}/);
  });

  it("shows a summary, and the facts that were checked", async () => {
    await rig.show(`requests/${await condensedRequest("nightly-incident")}`);
    const condensed = rig.page.getByRole("region", { name: "Condensed by native" });
    await condensed.getByText("summarize 1 ×").waitFor();
    const checked = condensed.getByText(/of \d+ paths, names, numbers and constraints survived/);
    const putBack = Number((await checked.textContent())?.match(/(\d+) w(?:as|ere) put back/)?.[1]);
    expect(putBack).toBeGreaterThan(0);
    expect(await condensed.locator(".fact-lines li").count()).toBe(putBack);
    await scrollToRow(rig.page, "[data-fate=added]");
    expect(await rig.page.locator("[data-fate=added] .said.added").first().textContent()).toMatch(/\w{4}/);
  });

  it("shows shortened texts side by side and inline", async () => {
    await rig.show(`requests/${await condensedRequest("checkout-outage")}`);
    await scrollToRow(rig.page, "[data-fate=shortened]");
    const shortened = rig.page.locator("[data-fate=shortened]").first();
    const [before, after] = [shortened.locator(".said.removed"), shortened.locator(".said.added")];
    expect((await before.textContent())?.length).toBeGreaterThan((await after.textContent())?.length ?? 0);
    // What stayed has no colour: it is on both sides.
    const stayed = await shortened.locator(".said.removed > span").first().textContent();
    expect(await after.textContent()).toContain(stayed);
    expect(stayed).toMatch(/\w{4}/);
    await rig.page.getByText("Inline", { exact: true }).click();
    await rig.page.locator("[data-fate=shortened] del").first().waitFor();
    expect(await rig.page.locator(".sides").count()).toBe(0);
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });

  it("leads back to its session", async () => {
    await rig.page.getByRole("link", { name: "Its session" }).click();
    await rig.page.getByRole("heading", { name: "Session", exact: true }).waitFor();
    await rig.page.locator(".lead", { hasText: "checkout-outage" }).waitFor();
  });

  it("that nobody knows is said to be unknown", async () => {
    await rig.show("requests/lh_nothing");
    await rig.page.getByRole("alert").getByText('request "lh_nothing" not found').waitFor();
    expect(rig.complaints.splice(0)).toEqual([expect.stringContaining("404")]);
  });
});

describe("the list of requests", () => {
  it("has errors alone, or one model's", async () => {
    await rig.show("requests");
    await rowsOf("Requests").first().waitFor();
    const all = await rowsOf("Requests").count();
    expect(all).toBe(20);
    await rig.page.getByLabel("Result", { exact: true }).selectOption("Errors only");
    await expect.poll(() => rowsOf("Requests").count()).toBe(1);
    await rowOf("Requests", "upstream.refused").waitFor();
    await rig.page.getByLabel("Model", { exact: true }).selectOption("claude-opus-4-5");
    await rig.page.getByText("No request is like that").waitFor();
    await rig.page.getByLabel("Result", { exact: true }).selectOption("Without errors");
    await expect.poll(() => rowsOf("Requests").count()).toBe(4);
    expect(await rowOf("Requests", "condensed by native").count()).toBeGreaterThan(0);
  });

  it("grows by requests that come while one looks", async () => {
    await rig.show("requests");
    await expect.poll(() => rowsOf("Requests").count()).toBe(20);
    await post(rig, { session: "one-more" }, { messages: [{ role: "user", content: "hello" }] });
    await rowOf("Requests", "one-more").waitFor();
    expect(await rowsOf("Requests").count()).toBe(21);
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });
});

it("forgets a session, once it was asked whether it is meant", async () => {
  await rig.show("sessions/library-plans");
  await rig.page.getByRole("button", { name: "Forget", exact: true }).click();
  const dialog = rig.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await rig.page.getByRole("button", { name: "Forget", exact: true }).click();
  expect(await axeFaults(rig.page)).toEqual([]);
  await dialog.getByRole("button", { name: "Forget it" }).click();
  await rig.page.getByText("The session was forgotten.").waitFor();
  await rowsOf("Sessions").first().waitFor();
  expect(await rowOf("Sessions", "library-plans").count()).toBe(0);
  expect((await ask<EventsAnswer>(rig, "/events?session=library-plans")).requests).toEqual([]);
});

it("shows more sessions where there are more than a page", async () => {
  const store = await openStore({ path: rig.storePath, nowMs: Date.now });
  const firstMs = Date.now() - 3_600_000;
  const requests = Array.from({ length: 130 }, (_, index) =>
    makeRequestEvent({ id: `old-${index}`, session: `old-${index}`, tenant: "", atMs: firstMs + index }),
  );
  await store.events.add({ requests, condensations: [] });
  await store.close();
  await listAnew();
  await rig.page.getByRole("button", { name: "Show more" }).click();
  await rowOf("Sessions", "old-0").first().waitFor();
  expect(await rowsOf("Sessions").count()).toBe(130 + 6);
  expect(await rig.page.getByRole("button", { name: "Show more" }).count()).toBe(0);
});

it("leads from a session to its sub-agents and back", async () => {
  const store = await openStore({ path: rig.storePath, nowMs: Date.now });
  const named = { tenant: "", atMs: Date.now() };
  const main = makeRequestEvent({ ...named, id: "main-1", session: "main-thread" });
  const child = makeRequestEvent({ ...named, id: "child-1", session: "main-thread:agent", parent: "main-thread" });
  await store.events.add({ requests: [main, child], condensations: [] });
  await store.close();
  await listAnew();
  await rowOf("Sessions", "main-thread:agent").getByText("sub-agent", { exact: true }).waitFor();
  await rig.show("sessions/main-thread");
  await rowsOf("Sub-agents").getByRole("link", { name: "main-thread:agent" }).click();
  await rig.page.getByText("A sub-agent of main-thread").waitFor();
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
  await rig.page.getByRole("link", { name: "main-thread", exact: true }).click();
  await rowsOf("Sub-agents").first().waitFor();
  expect(await rowsOf("Turns").count()).toBe(1);
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
});
