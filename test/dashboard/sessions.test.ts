import type { EventsAnswer } from "@longhaul/admin/api";
import { openStore } from "@longhaul/store";
import { makeCondensationEvent, makeRequestEvent } from "@longhaul/store/testing";
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
/** The rows of a session, whose links name it in their tooltips, in brackets behind its title if it has one. */
const rowsOfSession = (table: string, name: string) =>
  rowsOf(table).filter({ has: rig.page.locator(`a[title="${name}"], a[title$="(${name})"]`) });
const sessionRow = (name: string) => rowsOfSession("Sessions", name);
const figure = (name: string) => rig.page.locator(".stat", { has: rig.page.getByText(name, { exact: true }) });

/** Leaves the list and returns, so that it is loaded again: without waiting, the address would not change. */
async function reopenList(): Promise<void> {
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
  it("are listed with how full their windows are, and whether they outgrew them", async () => {
    await rig.show("sessions");
    await sessionRow("invoices-one-cent-off").getByText("kept alive").waitFor();
    expect(await rowsOf("Sessions").count()).toBe(5);
    expect(await sessionRow("library-plans").getByText("kept alive").count()).toBe(0);
    expect(await sessionRow("checkout-outage").textContent()).toMatch(/\d+% of 16K/);
  });

  it("appear in the open list", async () => {
    await post(rig, { session: "just-now" }, { messages: [{ role: "user", content: "hello" }] });
    await sessionRow("just-now").waitFor();
  });

  it("open by name, with their turns and condensations", async () => {
    await sessionRow("invoices-one-cent-off").getByRole("link").click();
    await rig.page.locator(".lead", { hasText: "invoices-one-cent-off" }).waitFor();
    await rowsOf("Turns").first().waitFor();
    expect(await rowsOf("Turns").count()).toBe(6);
    expect(await rowsOf("Condensations").count()).toBe(1);
    await rowsOf("Turns").getByText("condensed with middle-out").waitFor();
    expect(await figure("Reused").textContent()).toMatch(/^Reused2turns/);
    const savings = rig.page.getByRole("region", { name: "Savings by mechanism" });
    expect(await savings.textContent()).toMatch(/Deduplication−?\$.*Condensing−?\$.*Summaries−?\$.*prompt cache.*\$/s);
    await rig.page.getByRole("img", { name: "Context size by turn" }).locator("canvas").waitFor();
    const content = rig.page.getByRole("region", { name: "Context window content" });
    expect(await content.locator(".legend li").allTextContents()).toEqual(
      ["System prompt", "Tools", "Text", "Tool calls", "Tool results", "Free"].map((part) =>
        expect.stringContaining(part),
      ),
    );
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });

  it("lead to the comparison of strategies on them", async () => {
    await rig.page.getByRole("link", { name: "Compare strategies" }).click();
    const title = await rig.page.getByLabel("Conversation", { exact: true }).locator("option:checked").textContent();
    expect(title).not.toBe("");
    expect(await rig.page.getByLabel("Conversation", { exact: true }).inputValue()).toMatch(/^request /);
    await rig.show("sessions");
    await sessionRow("invoices-one-cent-off").getByRole("link").click();
    await rowsOf("Turns").first().waitFor();
  });
});

describe("a request", () => {
  it("is compared with the prompt that was sent", async () => {
    await rowsOf("Condensations").getByRole("link").click();
    await rig.page.getByRole("heading", { name: "Request", exact: true }).waitFor();
    await rig.page.getByRole("region", { name: "Condensed with middle-out" }).getByText("applied").first().waitFor();
    const changed = "[data-fate]:not([data-fate=kept])";
    await scrollToRow(rig.page, changed);
    expect(await rowList(rig.page).locator(`${changed} .text-block.removed`).first().textContent()).toMatch(/\w{4}/);
  });

  it("shows a summary and the restored facts", async () => {
    await rig.show(`requests/${await condensedRequest("nightly-incident")}`);
    const condensed = rig.page.getByRole("region", { name: "Condensed with native" });
    await condensed.getByText(/^summarize: \d+ edits?$/).waitFor();
    const checked = condensed.getByText(/of \d+ paths, names, numbers and constraints survived/);
    const putBack = Number((await checked.textContent())?.match(/(\d+) restored/)?.[1]);
    expect(putBack).toBeGreaterThan(0);
    expect(await condensed.locator(".fact-lines li").count()).toBe(putBack);
    await scrollToRow(rig.page, "[data-fate=added]");
    expect(await rig.page.locator("[data-fate=added] .text-block.added").first().textContent()).toMatch(/\w{4}/);
  });

  it("counts the marks that the model copied into its calls", async () => {
    await rig.page.getByText("Copied marks", { exact: true }).waitFor();
    await rig.page.getByText("marks that the model copied into its tool calls").waitFor();
  });

  it("shows shortened texts side by side and inline", async () => {
    await rig.show(`requests/${await condensedRequest("checkout-outage")}`);
    await scrollToRow(rig.page, "[data-fate=shortened]");
    const shortened = rig.page.locator("[data-fate=shortened]").first();
    const [before, after] = [shortened.locator(".text-block.removed"), shortened.locator(".text-block.added")];
    expect((await before.textContent())?.length).toBeGreaterThan((await after.textContent())?.length ?? 0);
    // Unchanged text is on both sides.
    const unchanged = await shortened.locator(".text-block.removed > span").first().textContent();
    expect(await after.textContent()).toContain(unchanged);
    expect(unchanged).toMatch(/\w{4}/);
    await rig.page.getByText("Inline", { exact: true }).click();
    await rig.page.locator("[data-fate=shortened] del").first().waitFor();
    expect(await rig.page.locator(".sides").count()).toBe(0);
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });

  it("links to its session", async () => {
    await rig.page.getByRole("link", { name: "View session" }).click();
    await rig.page.locator(".lead", { hasText: "checkout-outage" }).waitFor();
  });

  it("shows an error for an unknown ID", async () => {
    await rig.show("requests/lh_nothing");
    await rig.page.getByRole("alert").getByText('request "lh_nothing" not found').waitFor();
    expect(rig.complaints.splice(0)).toEqual([expect.stringContaining("404")]);
  });
});

describe("the list of requests", () => {
  it("filters by result and model", async () => {
    await rig.show("requests");
    await rowsOf("Requests").first().waitFor();
    const all = await rowsOf("Requests").count();
    expect(all).toBe(20);
    await rig.page.getByLabel("Result", { exact: true }).selectOption("Errors only");
    await expect.poll(() => rowsOf("Requests").count()).toBe(1);
    await rowOf("Requests", "upstream.refused").waitFor();
    await rig.page.getByLabel("Model", { exact: true }).selectOption("claude-opus-4-5");
    await rig.page.getByText("No requests match these filters").waitFor();
    await rig.page.getByLabel("Result", { exact: true }).selectOption("Without errors");
    await expect.poll(() => rowsOf("Requests").count()).toBe(4);
    expect(await rowOf("Requests", "condensed with native").count()).toBeGreaterThan(0);
  });

  it("shows new requests in the open list", async () => {
    await rig.show("requests");
    await expect.poll(() => rowsOf("Requests").count()).toBe(20);
    await post(rig, { session: "one-more" }, { messages: [{ role: "user", content: "hello" }] });
    await rowsOfSession("Requests", "one-more").waitFor();
    expect(await rowsOf("Requests").count()).toBe(21);
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });
});

it("deletes a session after a confirmation", async () => {
  await rig.show("sessions/library-plans");
  await rig.page.getByRole("button", { name: "Delete session", exact: true }).click();
  const dialog = rig.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await rig.page.getByRole("button", { name: "Delete session", exact: true }).click();
  expect(await axeFaults(rig.page)).toEqual([]);
  await dialog.getByRole("button", { name: "Delete session" }).click();
  await rig.page.getByText("Session deleted.").waitFor();
  await rowsOf("Sessions").first().waitFor();
  expect(await sessionRow("library-plans").count()).toBe(0);
  expect((await ask<EventsAnswer>(rig, "/events?session=library-plans")).requests).toEqual([]);
});

it("loads more sessions than one page on request", async () => {
  const store = await openStore({ path: rig.storePath, nowMs: Date.now });
  const firstMs = Date.now() - 3_600_000;
  const requests = Array.from({ length: 130 }, (_, index) =>
    makeRequestEvent({ id: `old-${index}`, session: `old-${index}`, tenant: "", atMs: firstMs + index }),
  );
  await store.events.add({ requests, condensations: [] });
  await store.close();
  await reopenList();
  await rig.page.getByRole("button", { name: "Show more" }).click();
  await sessionRow("old-0").first().waitFor();
  expect(await rowsOf("Sessions").count()).toBe(130 + 6);
  expect(await rig.page.getByRole("button", { name: "Show more" }).count()).toBe(0);
});

it("shows what a condensation without a result cost, and a client's own request apart from the turns", async () => {
  const store = await openStore({ path: rig.storePath, nowMs: Date.now });
  const named = { tenant: "", session: "compacting", atMs: Date.now() };
  const turn = makeRequestEvent({ ...named, id: "turn-1", costUsd: 0.5 });
  const title = makeRequestEvent({ ...named, id: "title-1", action: "aside", costUsd: 0.01 });
  const figures = { strategy: "compaction", tokensBefore: 99_000, tokensAfter: 99_000, costUsd: 0.31 };
  const missed = makeCondensationEvent({ ...named, id: "missed-1", requestId: "turn-1", ...figures });
  await store.events.add({ requests: [turn, title], condensations: [missed] });
  await store.close();
  await rig.show("sessions/compacting");
  await rowsOf("Condensations").getByText("compaction (no result)").waitFor();
  expect(await figure("Condensations").textContent()).toBe("Condensations0$0.31 for summaries");
  expect(await figure("Cost").textContent()).toContain("$0.82");
  expect(await figure("Turns").textContent()).toBe("Turns10 failed; 1 request of the client's own");
  await rowsOf("Turns").getByText("client's own, such as a title").waitFor();
  expect(await axeFaults(rig.page)).toEqual([]);
  await rig.show("requests/turn-1");
  await rig.page.getByRole("region", { name: "Condensation with compaction, without a result" }).waitFor();
  expect(await figure("Cost").textContent()).toContain("and $0.31 for summaries");
});

it("links from a session to its sub-agents and back", async () => {
  const store = await openStore({ path: rig.storePath, nowMs: Date.now });
  const named = { tenant: "", atMs: Date.now() };
  const main = makeRequestEvent({ ...named, id: "main-1", session: "main-thread" });
  const child = makeRequestEvent({ ...named, id: "child-1", session: "main-thread:agent", parent: "main-thread" });
  await store.events.add({ requests: [main, child], condensations: [] });
  await store.close();
  await reopenList();
  const group = sessionRow("main-thread").locator("details");
  await group.getByText("1 sub-agent").click();
  await group.getByRole("link", { name: "main-thread:agent" }).waitFor();
  await rig.show("sessions/main-thread");
  await rowsOf("Sub-agents").getByRole("link", { name: "main-thread:agent" }).click();
  await rig.page.getByText("Sub-agent of main-thread").waitFor();
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
  await rig.page.getByRole("link", { name: "main-thread", exact: true }).click();
  await rowsOf("Sub-agents").first().waitFor();
  expect(await rowsOf("Turns").count()).toBe(1);
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
});
