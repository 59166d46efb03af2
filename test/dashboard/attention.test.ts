import { createServer } from "node:http";
import type { EventsAnswer } from "@longhaul/admin/api";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, hiddenOnPhone, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { ask, post } from "./traffic.ts";

const OVERLOADED = { type: "error", error: { type: "overloaded_error", message: "The service is overloaded." } };

/** An upstream that always fails. */
const failing = createServer((request, response) => {
  request.resume();
  response.writeHead(529, { "content-type": "application/json" }).end(JSON.stringify(OVERLOADED));
});

let rig: Rig;
beforeAll(async () => {
  await new Promise<void>((resolve) => failing.listen(0, "127.0.0.1", resolve));
  const address = failing.address();
  const port = typeof address === "object" ? address?.port : undefined;
  rig = await openRig({
    contents: { keep: "all" },
    context: { strategy: "full-history" },
    models: { "gpt-4o": { window: 10_000 } },
    upstreams: {
      simulated: { kind: "simulator" },
      flaky: { kind: "anthropic", baseUrl: `http://127.0.0.1:${port}`, apiKey: "k", maxRetries: 0 },
    },
    routes: [
      { match: "claude-opus-*", upstream: "flaky" },
      { match: "*", upstream: "simulated" },
    ],
  });
  await post(rig, { session: "calm" }, { messages: [{ role: "user", content: "hello" }] });
});
afterAll(async () => {
  await rig.close();
  await new Promise((resolve) => failing.close(resolve));
});
afterEach(() => expect(rig.complaints).toEqual([]));

const attention = () => rig.page.getByRole("region", { name: "Needs attention" });
const row = (kind: string) => attention().locator(`li[data-kind=${kind}]`);

/** A text of about this many tokens. */
const textOf = (tokens: number) => "word ".repeat(tokens);

describe("needs attention", () => {
  it("is empty while all is well, below one line of health", async () => {
    await rig.show("");
    await attention().getByText("Nothing needs attention.").waitFor();
    const health = await rig.page.locator(".health").textContent();
    expect(health).toMatch(/^Healthy2 upstreams, none failing/);
    expect(health).toContain("Real models");
  });

  it("lists a session at 90% of its window, which links to it", async () => {
    const messages = [{ role: "user", content: `Read this. ${textOf(8_000)}` }];
    expect(await post(rig, { session: "full", model: "gpt-4o" }, { messages })).toBe(200);
    await row("window")
      .getByRole("link", { name: /^Read this\. word/ })
      .waitFor();
    expect(await row("window").textContent()).toMatch(/fills 9\d% of its window of 10K tokens/);
  });

  it("lists a session whose prompt cache stopped hitting", async () => {
    const model = "claude-haiku-4-5";
    const turn = async (system: string, words: string) => {
      const marked = [{ type: "text", text: system, cache_control: { type: "ephemeral" } }];
      const body = { system: marked, messages: [{ role: "user", content: words }] };
      expect(await post(rig, { session: "cached", model }, body)).toBe(200);
    };
    for (const words of ["one", "two"]) await turn(textOf(6_000), words);
    expect(await attention().locator("li[data-kind=cache]").count()).toBe(0);
    for (const words of ["three", "four"]) await turn(`At ${words}. ${textOf(6_000)}`, words);
    await row("cache")
      .getByText(/no longer reads its prompt cache \(before: >?9[\d.]+% of the prompt\)/)
      .waitFor();
  });

  it("lists a failing upstream with its message and a remedy, which links to its failed requests", async () => {
    for (const _ of [1, 2, 3])
      await post(
        rig,
        { session: "down", model: "claude-opus-4-5" },
        { messages: [{ role: "user", content: "hello" }] },
      );
    await row("upstream").getByText("The service is overloaded.").waitFor();
    expect(await row("upstream").textContent()).toMatch(/flaky failed 3 times in the last hour/);
    expect(await row("upstream").textContent()).toContain("add a second upstream");
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
    expect(await hiddenOnPhone(rig.page)).toEqual([]);
    await row("upstream").getByRole("link").click();
    const failed = rig.page.getByLabel("Requests", { exact: true }).locator("tbody tr");
    await expect.poll(() => failed.count()).toBe(3);
    expect(await hiddenOnPhone(rig.page)).toEqual([]);
  });
});

describe("a failed request", () => {
  it("shows what the upstream said and what to do", async () => {
    await rig.page
      .getByLabel("Requests", { exact: true })
      .locator("tbody tr")
      .first()
      .getByRole("link")
      .first()
      .click();
    const error = rig.page.getByRole("region", { name: "Error" });
    await error.getByText("The service is overloaded.").waitFor();
    expect(await error.textContent()).toContain("flaky said");
    expect(await error.textContent()).toContain("What to do");
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await hiddenOnPhone(rig.page)).toEqual([]);
  });
});

describe("a recorded request", () => {
  it("is copied as curl without a key", async () => {
    const { requests } = await ask<EventsAnswer>(rig, "/events?session=calm");
    await rig.show(`requests/${requests[0]?.id}`);
    await rig.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await rig.page.getByRole("button", { name: "Copy as curl" }).click();
    await rig.page.getByText("Copied. Set LONGHAUL_API_KEY").waitFor();
    const command = await rig.page.evaluate(() => navigator.clipboard.readText());
    expect(command).toContain(`curl '${rig.gateway.url}/v1/messages'`);
    expect(command).toContain("$LONGHAUL_API_KEY");
    expect(command).toContain('"content":"hello"');
    expect(command).not.toContain("x-api-key");
  });

  it("is sent again on request", async () => {
    await rig.page.getByRole("button", { name: "Resend" }).click();
    expect(await axeFaults(rig.page)).toEqual([]);
    await rig.page.getByRole("dialog").getByRole("button", { name: "Resend" }).click();
    await rig.page.getByText("Resent. The gateway answered with status 200.").waitFor();
    await expect.poll(async () => (await ask<EventsAnswer>(rig, "/events?session=calm")).requests.length).toBe(2);
  });
});

describe("a figure of the overview", () => {
  it("links to the rows behind it, in the same range", async () => {
    await rig.show("?period=week");
    const errors = rig.page.locator(".stat", { has: rig.page.getByText("Errors", { exact: true }) });
    await errors.getByRole("link", { name: "3", exact: true }).click();
    await expect.poll(() => rig.page.url()).toContain("requests?period=week&failed=yes");
    await expect.poll(() => rig.page.getByLabel("Requests", { exact: true }).locator("tbody tr").count()).toBe(3);
  });

  it("shows percentiles of added latency and first byte", async () => {
    await rig.show("?from=2026-01-01T00:00Z&to=2036-01-01T00:00Z");
    for (const name of ["Added latency", "First byte"]) {
      const stat = rig.page.locator(".stat", { has: rig.page.getByRole("button", { name, exact: true }) });
      expect(await stat.locator(".detail").textContent()).toMatch(/^p95 [\d.]+ m?s, p99 [\d.]+ m?s$/);
    }
  });
});
