import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@longhaul/store";
import { makeRequestEvent } from "@longhaul/store/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "s.db");
const at = (day: number) => Date.UTC(2026, 10, day, 12);

beforeAll(async () => {
  const store = await openStore({ path, nowMs: Date.now });
  const known = { tenant: "", branch: "", clientVersion: "2.1" };
  const request = (session: string, day: number, more = {}) =>
    makeRequestEvent({ id: session, session, tenant: "", keyId: "", atMs: at(day), ...more });
  await store.events.add({
    requests: [
      request("a", 1, { costUsd: 5 }),
      request("b", 2, { status: 500, keyId: "k1" }),
      request("c", 3, { model: "gpt-5" }),
      request("b:1", 2, { parent: "b" }),
    ],
    condensations: [],
    descriptions: [
      { ...known, session: "a", title: "Fix the login button on phones", project: "/srv/shop", client: "Claude Code" },
      { ...known, session: "b", title: "Speed up the search", project: "/srv/api", client: "Codex" },
      { ...known, session: "b:1", title: "Find slow queries", project: "/srv/api", client: "Codex" },
      { ...known, session: "c", title: "\u001b[31mRed", project: "", client: "" },
    ],
  });
  await store.keys.create({
    ...{
      id: "k1",
      name: "laptop",
      hash: "h",
      hint: "lh_",
      tenant: "",
      models: [],
      limits: {},
      context: {},
      createdAtMs: 1,
    },
  });
  await store.close();
});

async function call(...args: string[]) {
  const terminal = makeTerminal(folder);
  expect([await run(["sessions", "--store", path, ...args], terminal), terminal.errors()]).toEqual([0, ""]);
  return terminal.output();
}

const named = async (...args: string[]) =>
  JSON.parse(await call("--json", ...args)).sessions.map(({ session }: { session: string }) => session);

describe("sessions", () => {
  it("lists sessions with titles, the latest first and sub-agents below their parent", async () => {
    const [head, ...lines] = (await call()).trimEnd().split("\n");
    expect(head).toMatch(/^Session +Project +Client +Turns +Cost +Last used$/);
    expect(lines).toEqual([
      expect.stringMatching(/^ \[31mRed {2,}1 +\$0\.2500 +11-03 12:00$/),
      expect.stringMatching(/^Speed up the search +api +Codex +1 /),
      expect.stringMatching(/^└ Find slow queries +api +Codex +1 /),
      expect.stringMatching(/^Fix the login button on pho… +shop +Claude Code +1 +\$5\.00 /),
    ]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it.each([
    [["login"], ["a"]],
    [["QUERIES", "slow"], ["b:1"]],
    [["--project", "shop"], ["a"]],
    [
      ["--project", "/srv/api"],
      ["b", "b:1"],
    ],
    [["--client", "Claude Code"], ["a"]],
    [["--model", "gpt-5"], ["c"]],
    [
      ["--key", "laptop"],
      ["b", "b:1"],
    ],
    [["--errors"], ["b", "b:1"]],
    [["--condensed"], []],
    [["--since", "2026-11-03"], ["c"]],
    [["--until", "2026-11-02"], ["a"]],
    [["--sort", "cost", "--limit", "1"], ["a"]],
  ])("filters and sorts with %j", async (args, expected) => {
    expect(await named(...args)).toEqual(expected);
  });

  it("prints that nothing matches, or that there is no database", async () => {
    expect(await call("nowhere")).toBe("No sessions match.\n");
    const empty = join(folder, "empty.db");
    await (await openStore({ path: empty, nowMs: Date.now })).close();
    expect(await call("--store", empty)).toMatch(/^No sessions yet\. Connect a client with `longhaul setup`/);
    expect(await call("--store", empty, "--errors")).toBe("No sessions match.\n");
    expect(await call("--store", join(folder, "none.db"))).toMatch(
      /^No sessions yet: the database .* does not exist\./,
    );
  });

  it("shows a part of the ID where titles are the same, and marks simulated sessions", async () => {
    const same = join(folder, "same.db");
    const store = await openStore({ path: same, nowMs: Date.now });
    const ids = ["0a1b2c3d-1111-4111-8111-111111111111", "demo-1763441234567"];
    const known = { tenant: "", title: "Hello", project: "", branch: "", client: "", clientVersion: "" };
    await store.events.add({
      requests: ids.map((session, index) =>
        makeRequestEvent({
          id: session,
          session,
          tenant: "",
          atMs: at(index + 1),
          upstream: "simulator",
          costUsd: index,
        }),
      ),
      condensations: [],
      descriptions: ids.map((session) => ({ ...known, session })),
    });
    await store.close();
    const lines = (await call("--store", same)).trimEnd().split("\n").slice(1);
    expect(lines).toEqual([
      expect.stringMatching(/^Hello \(41234567\) .* \$1\.00 /),
      expect.stringMatching(/^Hello \(0a1b2c3d\) .* simulated /),
    ]);
  });

  it.each([
    ["--key", "moon"],
    ["--since", "someday"],
    ["--sort", "moon"],
  ])("rejects %s %s", async (...args) => {
    expect(await run(["sessions", "--store", path, ...args], makeTerminal(folder))).not.toBe(0);
  });
});
