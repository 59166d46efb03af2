import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@longhaul/store";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal, type TestUser } from "../testing/terminal.ts";
import { describeKey, limitsAfter } from "./manage-keys.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(root, { recursive: true }));

describe("longhaul keys", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(root, "h"));
  });

  async function call(...args: string[]) {
    const terminal = makeTerminal(home);
    const exit = await run(["keys", ...args], terminal);
    return { exit, output: terminal.output(), errors: terminal.errors() };
  }

  async function callJson(...args: string[]) {
    const { exit, output, errors } = await call(...args, "--json");
    expect([exit, errors]).toEqual([0, ""]);
    return JSON.parse(output);
  }

  it("prints a new key once and stores only its hash", async () => {
    const { exit, output } = await call("create", "laptop");
    const [key = ""] = output.split("\n");
    expect([exit, key]).toEqual([0, expect.stringMatching(/^lh_[0-9A-Za-z]{43}$/)]);
    const listed = await call("list");
    expect(listed.output).toMatch(
      /^Name {4}ID {20}Key {7}Created {5}State {3}Tenant\nlaptop {2}key_\w{16} {2}lh_\w{4}… {2}\d{4}-\d\d-\d\d {2}active\n$/,
    );
    const file = readFileSync(join(home, ".local", "share", "longhaul", "longhaul.db"), "latin1");
    expect([file.includes(key), file.includes(key.slice(7)), file.includes("laptop")]).toEqual([false, false, true]);
  });

  describe("before the first key", () => {
    const settings = () => join(home, ".claude", "settings.json");
    const CONNECTED = '{ "env": { "ANTHROPIC_BASE_URL": "http://127.0.0.1:4141" } }\n';
    beforeEach(() => {
      mkdirSync(join(home, ".claude"));
      writeFileSync(settings(), CONNECTED);
    });

    async function create(user: TestUser, ...flags: string[]) {
      const terminal = makeTerminal(home, {}, user);
      const exit = await run(["keys", "create", "laptop", ...flags], terminal);
      return { exit, output: terminal.output(), errors: terminal.errors(), questions: terminal.questions() };
    }

    const WARNING =
      "Warning: with its first key, the gateway rejects clients that send none. Connected now: Claude Code.";

    it("warns that connected clients will be rejected, and creates nothing on a no", async () => {
      const { output, errors, questions } = await create({ agrees: false });
      expect([errors, questions]).toEqual([`${WARNING}\n`, ["Create it, and give each of them a key of its own?"]]);
      expect(output).toContain("Nothing was created.");
      expect(await callJson("list")).toEqual({ keys: [] });
      expect(readFileSync(settings(), "utf8")).toBe(CONNECTED);
    });

    it.each([
      [{ agrees: true }, []],
      [{}, ["--yes"]],
    ])("gives each connected client a key beside its login: %j %j", async (user, flags) => {
      const { exit, errors } = await create(user, ...flags);
      expect([exit, errors]).toEqual([0, expect.stringContaining('Claude Code got the API key "claude-code" (lh_')]);
      const { env } = JSON.parse(readFileSync(settings(), "utf8"));
      expect(env).toEqual({
        ANTHROPIC_BASE_URL: "http://127.0.0.1:4141",
        ANTHROPIC_CUSTOM_HEADERS: expect.stringMatching(/^x-longhaul-key: lh_[0-9A-Za-z]{43}$/),
        DISABLE_AUTO_COMPACT: "1",
        CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: "10000000",
      });
      const { keys } = await callJson("list");
      expect(keys.map(({ name }: { name: string }) => name).sort()).toEqual(["claude-code", "laptop"]);
      expect((await call("create", "second")).errors).toBe("");
    });

    it("without a terminal creates the key, and prints the commands that give it to clients", async () => {
      const { exit, output, errors } = await create({});
      expect([exit, output]).toEqual([0, expect.stringMatching(/^lh_/)]);
      expect(errors).toContain("  longhaul connect claude-code --write\n");
      expect(readFileSync(settings(), "utf8")).toBe(CONNECTED);
    });

    it("changes no client with --no-clients", async () => {
      const { exit, errors, questions } = await create({ agrees: true }, "--no-clients");
      expect([exit, errors, questions]).toEqual([0, `${WARNING}\n`, []]);
      expect(readFileSync(settings(), "utf8")).toBe(CONNECTED);
    });

    it("leaves a client alone that sends a vendor's key", async () => {
      rmSync(settings());
      const url = "http://127.0.0.1:4141";
      await run(["connect", "codex", "--write", "--yes", "--key", "sk-proj-key-of-a-project"], makeTerminal(home));
      const { errors } = await create({}, "--yes");
      expect(errors).toContain("Codex CLI sends a vendor's key and cannot send a second one");
      expect(readFileSync(join(home, ".codex", "config.toml"), "utf8")).toContain(`${url}/v1`);
    });
  });

  it("lists no keys and creates no file if there is no store", async () => {
    expect(await callJson("list")).toEqual({ keys: [] });
    expect((await call("list")).output).toBe("No API keys. Create one with `longhaul keys create <name>`.\n");
    expect(existsSync(join(home, ".local"))).toBe(false);
  });

  it("stores models, limits, tenant and context settings and prints them as JSON", async () => {
    const file = join(home, "context.yaml");
    writeFileSync(file, "strategy: smart\nthreshold: 50\n");
    const flags = ["--tenant", "team", "--requests-per-minute", "60", "--usd-per-day", "2.5", "--context", file];
    flags.push("--models", "claude-haiku-*, gpt-5");
    const { key, created } = await callJson("create", "ci", ...flags);
    expect(key).toMatch(/^lh_/);
    expect(created).toMatchObject({
      name: "ci",
      tenant: "team",
      models: ["claude-haiku-*", "gpt-5"],
      limits: { requestsPerMinute: 60, usdPerDay: 2.5 },
      context: { strategy: "smart", threshold: 50 },
      used: { usdToday: 0 },
    });
    expect(await callJson("list")).toEqual({ keys: [created] });
    expect(JSON.stringify(created)).not.toContain("hash");
  });

  it("changes only what the flags name", async () => {
    const { created } = await callJson("create", "ci", "--concurrent", "2", "--usd-per-day", "1", "--models", "gpt-*");
    const changed = await callJson("change", "ci", "--name", "build", "--usd-per-day", "none", "--usd-per-month", "9");
    expect(changed).toEqual({ ...created, name: "build", limits: { concurrent: 2, usdPerMonth: 9 } });
    expect((await callJson("change", "build", "--models", "all")).models).toEqual([]);
  });

  it("revokes a key by its ID, or by its name if only one active key has it", async () => {
    const first = await callJson("create", "ci");
    const second = await callJson("create", "ci");
    const ambiguous = await call("revoke", "ci");
    expect(ambiguous).toMatchObject({ exit: 1, errors: expect.stringContaining('2 API keys are named "ci"') });
    expect((await callJson("revoke", first.created.id)).revokedAtMs).toBeGreaterThan(0);
    expect((await callJson("revoke", "ci")).id).toBe(second.created.id);
    expect(await call("revoke", "ci")).toMatchObject({
      exit: 1,
      errors: expect.stringContaining('no active API key has the ID or name "ci"'),
    });
  });

  describe("after the last key", () => {
    const answerOf = async (url: string) => (await fetch(`${url}/v1/models`)).status;

    it("requires keys while revoked ones exist, and none once all are deleted", async () => {
      const gateway = makeTerminal(home, { PORT: "0" });
      const stopped = run(["start"], gateway);
      const url = await gateway.announced;
      await callJson("create", "ci");
      await expect.poll(() => answerOf(url)).toBe(401);
      const revoked = await call("revoke", "ci");
      expect(revoked.output).toContain("No active key is left, so the gateway rejects every request.");
      expect(revoked.output).toContain("`longhaul keys delete --all`");
      expect(await answerOf(url)).toBe(401);
      expect(await call("delete", "--all")).toMatchObject({ exit: 1, errors: expect.stringContaining("use --yes") });
      const deleted = await call("delete", "--all", "--yes");
      expect(deleted.output).toContain('Deleted "ci".\nNo key is left: a gateway on localhost requires none');
      await expect.poll(() => answerOf(url)).toBe(200);
      gateway.stop();
      expect(await stopped).toBe(0);
    });

    it("asks only before the last one is deleted, and takes a revoked one by its name", async () => {
      await callJson("create", "old");
      await callJson("revoke", "old");
      await callJson("create", "new");
      expect((await call("delete", "old")).output).toBe('Deleted "old".\n');
      const terminal = makeTerminal(home, {}, { agrees: false });
      expect(await run(["keys", "delete", "new"], terminal)).toBe(0);
      expect(terminal.questions()).toEqual(["Delete the last API key, so that a gateway on localhost requires none?"]);
      expect(terminal.output()).toBe("Nothing was deleted.\n");
      expect(await call("delete")).toMatchObject({ exit: 1, errors: expect.stringContaining("either a key or --all") });
      expect(await call("delete", "ci")).toMatchObject({ errors: expect.stringContaining("no API key has the ID") });
    });
  });

  it("creates a key while a gateway has the store open", async () => {
    const path = join(home, "own.db");
    const open = await openStore({ path, nowMs: Date.now });
    await callJson("create", "ci", "--store", path);
    expect((await open.keys.list()).map(({ name }) => name)).toEqual(["ci"]);
    await open.close();
  });

  it.each([
    [["create", "ci", "--concurrent", "0"], 1, "limits.concurrent"],
    [["create", "ci", "--concurrent", "many"], 2, "Expected a number, or"],
    [["create", " "], 1, "name"],
    [["create"], 2, "name"],
    [["create", "ci", "--context", "nowhere.yaml"], 1, "cannot read nowhere.yaml"],
    [["create", "ci", "--models", "claude-*,,gpt-5"], 2, "Expected model names separated by commas"],
    [["create", "ci", "--store", ":memory:"], 1, "cannot keep API keys"],
    [["change", "ci", "--name", "x"], 1, 'no active API key has the ID or name "ci"'],
  ])("rejects %j and creates no key", async (args, exit, words) => {
    expect(await call(...args)).toEqual({ exit, output: "", errors: expect.stringContaining(words) });
    expect((await call("list")).output).toBe("No API keys. Create one with `longhaul keys create <name>`.\n");
  });

  it("rejects invalid context settings", async () => {
    const file = join(home, "context.yaml");
    writeFileSync(file, "strategy: none\n");
    expect(await call("create", "ci", "--context", file)).toMatchObject({
      exit: 1,
      errors: expect.stringContaining("context.strategy"),
    });
    writeFileSync(file, "- smart\n");
    expect(await call("create", "ci", "--context", file)).toMatchObject({
      exit: 1,
      errors: expect.stringContaining("must be an object with settings"),
    });
  });
});

describe("describeKey", () => {
  const key = {
    id: "key_1",
    name: "laptop",
    hint: "lh_Ab3d…",
    tenant: "key_1",
    models: [],
    limits: {},
    context: {},
    createdAtMs: Date.parse("2026-05-01T10:00:00Z"),
    used: { requestsThisMinute: 3, underWay: 1, usdToday: 0.25, usdThisMonth: 7 },
  };

  it("describes a key without limits in one line", () => {
    expect(describeKey(key)).toBe("laptop  key_1  lh_Ab3d…  2026-05-01  active");
  });

  it("adds tenant, revocation, models, limits with their usage, and settings", () => {
    const limits = { requestsPerMinute: 6_000, concurrent: 4, usdPerDay: 0, usdPerMonth: 100 };
    const context = { strategy: "smart", threshold: 50 };
    const revokedAtMs = Date.parse("2026-06-01T00:00:00Z");
    expect(
      describeKey({ ...key, tenant: "team", models: ["claude-*", "gpt-5"], limits, context, revokedAtMs }).split(
        "\n    ",
      ),
    ).toEqual([
      "laptop  key_1  lh_Ab3d…  2026-05-01  revoked 2026-06-01  team",
      "models: claude-*, gpt-5",
      "3 of 6,000 requests this minute",
      "1 of 4 concurrent requests",
      "$0.2500 of $0 spent today",
      "$7.00 of $100.00 spent this month",
      "context settings: strategy, threshold",
    ]);
  });
});

describe("limitsAfter", () => {
  it("sets, removes and keeps limits", () => {
    const before = { requestsPerMinute: 60, concurrent: 4, usdPerDay: 1 };
    expect(limitsAfter({ requestsPerMinute: 30, usdPerDay: "none", usdPerMonth: 0 }, before)).toEqual({
      requestsPerMinute: 30,
      concurrent: 4,
      usdPerMonth: 0,
    });
    expect(limitsAfter({}, before)).toEqual(before);
  });
});
