import { openStore, type SessionDescription } from "@longhaul/store";
import { makeRequestEvent } from "@longhaul/store/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, hiddenOnPhone, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";

const DAY_MS = 24 * 3_600_000;

/** Sessions as real clients open them: the user's words are between the client's own. */
const SESSIONS = [
  {
    headers: { "x-claude-code-session-id": "s-1", "user-agent": "claude-cli/2.1.139 (external, cli)" },
    system: "You are Claude Code.\n<env>\nWorking directory: /home/me/shop\n</env>\nCurrent branch: fix/login",
    content: [
      { type: "text", text: "<system-reminder>\nUse the to-do list.\n</system-reminder>" },
      { type: "text", text: "Repair the login button on phones" },
    ],
  },
  {
    headers: {
      "x-claude-code-session-id": "s-1",
      "x-claude-code-agent-id": "a1",
      "user-agent": "claude-cli/2.1.139 (external, cli)",
    },
    system: "You are an agent.\n<env>\nWorking directory: /home/me/shop\n</env>",
    content: [{ type: "text", text: "Find where the button is rendered" }],
  },
  {
    headers: { "session-id": "s-2", "thread-id": "s-2", "user-agent": "codex_cli_rs/0.166.0 (Linux)" },
    system: "You are Codex.\n<environment_context>\n  <cwd>/home/me/api</cwd>\n</environment_context>",
    content: [{ type: "text", text: "Speed up the search index" }],
  },
] as const;

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
  for (const { headers, system, content } of SESSIONS)
    await post(headers, { system, messages: [{ role: "user", content }] });
  // Two one-off requests with the same words.
  for (const _ of [1, 2])
    await post({ "user-agent": "curl/8.5.0" }, { messages: [{ role: "user", content: "Say hello" }] });
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

async function post(headers: Readonly<Record<string, string>>, body: object): Promise<void> {
  const response = await fetch(`${rig.gateway.url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "any", ...headers },
    body: JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 100, ...body }),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

const rows = () => rig.page.getByLabel("Sessions", { exact: true }).locator("tbody tr:not(.group)");
const titles = async () => await rows().locator(".session-cell > a").allTextContents();

describe("the list of sessions", () => {
  it("shows titles, projects, branches, clients and sub-agents, and keeps one-off requests apart", async () => {
    await rig.show("sessions");
    await expect.poll(titles).toHaveLength(4);
    expect((await titles()).toSorted()).toEqual([
      "Repair the login button on phones",
      "Say hello",
      "Say hello",
      "Speed up the search index",
    ]);
    const login = rows().filter({ hasText: "Repair the login" });
    expect(await login.textContent()).toContain("…/me/shop · fix/login · Claude Code 2.1.139");
    await login.getByText("1 sub-agent").click();
    await login.getByRole("link", { name: "Find where the button is rendered" }).waitFor();
  });

  it("finds a session by a word of its first prompt while it is typed", async () => {
    const search = rig.page.getByLabel("Search", { exact: true });
    await search.pressSequentially("LOGIN");
    await expect.poll(titles).toEqual(["Repair the login button on phones"]);
    expect(await search.evaluate((input) => input === document.activeElement)).toBe(true);
    await search.fill("rendered");
    await expect.poll(titles).toEqual(["Find where the button is rendered"]);
    await rows().getByText("sub-agent", { exact: true }).waitFor();
    await search.fill("nothing like this");
    await rig.page.getByText("No sessions match these filters").waitFor();
    await search.fill("");
    await expect.poll(titles).toHaveLength(4);
  });

  it("filters by project and client, and keeps the filter in the address", async () => {
    await rig.page.getByLabel("Project", { exact: true }).selectOption("…/me/api");
    await expect.poll(titles).toEqual(["Speed up the search index"]);
    expect(rig.page.url()).toContain("project=%2Fhome%2Fme%2Fapi");
    await rig.page.reload();
    await expect.poll(titles).toEqual(["Speed up the search index"]);
    await rig.page.getByLabel("Project", { exact: true }).selectOption("All");
    await rig.page.getByLabel("Client", { exact: true }).selectOption("curl");
    await expect.poll(titles).toEqual(["Say hello", "Say hello"]);
    await rig.page.getByLabel("Client", { exact: true }).selectOption("All");
  });

  it("groups by project and by day, and sorts by cost", async () => {
    const groups = rig.page.getByLabel("Sessions", { exact: true }).locator("tr.group");
    await rig.page.getByLabel("Group by", { exact: true }).selectOption("Project");
    await expect.poll(() => groups.allTextContents()).toEqual(["No project", "/home/me/api", "/home/me/shop"]);
    await rig.page.getByLabel("Group by", { exact: true }).selectOption("Day");
    await expect.poll(() => groups.count()).toBe(1);
    await rig.page.getByLabel("Sort by", { exact: true }).selectOption("Cost");
    await expect.poll(() => groups.count()).toBe(0);
    await expect.poll(titles).toHaveLength(4);
  });

  it("filters by an absolute range of dates, which is part of the address", async () => {
    await addOld();
    await rig.show("sessions?from=2026-01-01T00:00Z&to=2026-01-03T00:00Z");
    await expect.poll(titles).toEqual(["An old session"]);
    expect(await rig.page.getByRole("radio", { name: "Custom" }).isChecked()).toBe(true);
    await rig.page.getByText("This hour", { exact: true }).click();
    await expect.poll(titles).toHaveLength(4);
    expect(rig.page.url()).toContain("period=hour");
  });

  it("saves all its rows as CSV and JSON", async () => {
    const csv = await saved("CSV");
    expect(csv.split("\r\n")[0]).toMatch(/^tenant,session,parent,title,project,branch,client,/);
    expect(csv).toContain(",Repair the login button on phones,/home/me/shop,fix/login,Claude Code,2.1.139,");
    const json = JSON.parse(await saved("JSON"));
    expect(json).toHaveLength(4);
  });

  it("is accessible and shows every value on a phone", async () => {
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
    expect(await hiddenOnPhone(rig.page)).toEqual([]);
  });
});

describe("a session's page", () => {
  it("is titled and describes the session", async () => {
    await rig.page.getByRole("link", { name: "Repair the login button on phones" }).click();
    await rig.page.getByRole("heading", { name: "Repair the login button on phones" }).waitFor();
    const about = rig.page.getByRole("region", { name: "About this session" });
    expect(await about.locator("dd").allTextContents()).toEqual(
      expect.arrayContaining(["/home/me/shop", "fix/login", "Claude Code 2.1.139", "claude-sonnet-4-5"]),
    );
    await rig.page.getByLabel("Sub-agents").getByRole("link", { name: "Find where the button is rendered" }).waitFor();
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await hiddenOnPhone(rig.page)).toEqual([]);
  });
});

describe("the list of requests", () => {
  it("names sessions by their titles, without a table wider than the page", async () => {
    await post({}, { messages: [{ role: "user", content: "Explain every step ".repeat(9) }] });
    await rig.show("requests");
    const list = rig.page.getByLabel("Requests", { exact: true });
    await list.getByRole("link", { name: "Explain every step" }).waitFor();
    const scroll = rig.page.locator(".table-scroll");
    expect(await scroll.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await list.getByRole("link", { name: "Speed up the search index" }).click();
    await rig.page.getByRole("heading", { name: "Speed up the search index" }).waitFor();
  });
});

async function addOld(): Promise<void> {
  const store = await openStore({ path: rig.storePath, nowMs: Date.now });
  const atMs = Date.UTC(2026, 0, 1) + DAY_MS / 2;
  const known = { project: "", branch: "", client: "", clientVersion: "" };
  const description: SessionDescription = { tenant: "", session: "old", title: "An old session", ...known };
  const requests = [makeRequestEvent({ id: "old", session: "old", tenant: "", atMs })];
  await store.events.add({ requests, condensations: [], descriptions: [description] });
  await store.close();
}

/** Presses a button of the table's export and returns the file's text. */
async function saved(label: string): Promise<string> {
  const download = rig.page.waitForEvent("download");
  await rig.page.getByRole("group", { name: "Export “Sessions”" }).getByRole("button", { name: label }).click();
  const stream = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
