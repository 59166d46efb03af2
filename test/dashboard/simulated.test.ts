import type { EventsAnswer } from "@longhaul/admin/api";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { ask, post, send } from "./traffic.ts";

let rig: Rig;
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));
beforeAll(async () => {
  // The simulator as it answers if nothing is configured.
  rig = await openRig({ upstreams: { simulated: { kind: "simulator", saysSimulated: true } } });
  await send(rig, [{ session: "first-try", example: "planning", turns: 1 }]);
});

it("says on the overview that the simulator answered, and what to do", async () => {
  await rig.show("");
  const notice = rig.page.locator(".notice", { hasText: "The built-in simulator answered" });
  await notice.getByText("simulated", { exact: true }).waitFor();
  expect(await notice.textContent()).toContain("own Anthropic, OpenAI or Gemini key or login");
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
});

it("explains a refusal by the simulator, without words about keys and accounts", async () => {
  await post(rig, { session: "unknown", model: "llama" }, { messages: [{ role: "user", content: "hello" }] });
  await rig.show("");
  const row = rig.page.locator('.attention li[data-kind="error"]');
  await row.getByText("The simulator rejected the request as a vendor would").waitFor();
  expect(await row.textContent()).not.toContain("unpaid");
  expect(await row.locator("q").textContent()).toContain("no model is configured");
});

it("shows on the page of upstreams that the simulator needs no credential", async () => {
  await rig.show("upstreams");
  await rig.page.getByText("no credential", { exact: true }).waitFor();
});

it("marks a simulated request on its page", async () => {
  const { requests } = await ask<EventsAnswer>(rig, "/events?limit=1");
  await rig.show(`requests/${requests[0]?.id}`);
  await rig.page.getByRole("heading", { name: "Request", exact: true }).waitFor();
  await rig.page.locator(".notice .badge", { hasText: "simulated" }).waitFor();
});

it.each(["sessions", "requests"])("marks simulated answers in the list of %s", async (page) => {
  await rig.show(page);
  await rig.page.locator("tbody tr .badge", { hasText: "simulated" }).first().waitFor();
});
