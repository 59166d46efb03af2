// The first hour from an empty home: a subscriber, a user with an API key, and one with no credentials. Clients are small programs that
// read the settings of the real ones; the vendor is on loopback and accepts only the user's own credential.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { CLAUDE, CODEX, type Home, makeHomeIn } from "../testing/homes.ts";
import type { TestTerminal } from "../testing/terminal.ts";

const LOGIN = "sk-ant-oat01-subscriber-token";
const API_KEY = "sk-proj-key-of-a-project";
const SETTINGS = '{\n  "theme": "dark"\n}\n';

let root = "";
let vendor: Simulator;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "longhaul-setup-"));
  vendor = await openSimulator({ keys: [LOGIN, API_KEY] });
});
afterEach(() => vendor.reset());
afterAll(async () => {
  await vendor.close();
  rmSync(root, { recursive: true });
});

function makeHome(programs: Readonly<Record<string, string>>): Promise<Home> {
  return makeHomeIn(root, vendor.url, programs);
}

/** Runs a command that starts the gateway, waits for a text, and stops it. */
async function runUntil(
  terminal: TestTerminal,
  text: string,
  args: readonly string[] = ["setup", "--yes"],
): Promise<string> {
  const exit = run(args, terminal);
  await Promise.race([expect.poll(() => terminal.output()).toContain(text), exit]);
  terminal.stop();
  expect([await exit, terminal.errors()]).toEqual([0, ""]);
  return terminal.output();
}

async function makeSubscriber(): Promise<Home> {
  const home = await makeHome({ claude: CLAUDE });
  home.write(".claude/settings.json", SETTINGS);
  home.write(".claude/.credentials.json", LOGIN);
  return home;
}

describe("a subscriber without an API key", () => {
  it("gets from nothing to a model's answer with one command, and back", async () => {
    const home = await makeSubscriber();
    const output = await runUntil(home.terminal(), "longhaul setup --undo");
    expect(output).toContain("Claude Code  logged in");
    expect(output).toContain("Claude Code's own login is forwarded to its vendor; nothing to configure");
    expect(output).toContain('+     "ANTHROPIC_BASE_URL": "http://127.0.0.1:');
    expect(output).toMatch(
      /Claude Code: claude-haiku-4-5 answered through Longhaul \(upstream anthropic, [\d.]+ s\)\./,
    );
    expect(output).toContain("Done. Try in another terminal: claude\n");
    expect(vendor.requests()).toHaveLength(1);
    const undone = home.terminal();
    expect(await run(["setup", "--undo", "--yes"], undone)).toBe(0);
    expect(undone.output()).toContain(`Restored ${home.path(".claude/settings.json")}.`);
    expect(readFileSync(home.path(".claude/settings.json"), "utf8")).toBe(SETTINGS);
    expect(readdirSync(home.path(".claude")).sort()).toEqual([".credentials.json", "settings.json"]);
  });

  it("also gets an answer if the gateway has another vendor's key", async () => {
    const home = await makeSubscriber();
    const keys = { OPENAI_API_KEY: API_KEY, OPENAI_BASE_URL: "" };
    const output = await runUntil(home.terminal(keys), "longhaul setup --undo");
    expect(output).toContain("Claude Code's own login is forwarded to its vendor; nothing to configure");
    expect(output).toMatch(/Claude Code: claude-haiku-4-5 answered through Longhaul/);
  });

  it("is not connected to a gateway whose configuration serves only another vendor's models", async () => {
    const home = await makeSubscriber();
    home.write(
      "longhaul.yaml",
      "upstreams: { o: { kind: openai, apiKey: x } }\nroutes: [{ match: '*', upstream: o }]\n",
    );
    const terminal = home.terminal();
    expect(await run(["setup", "--dry-run"], terminal)).toBe(0);
    expect(terminal.output()).toContain("Claude Code  logged in; no upstream serves its models");
    expect(terminal.output()).not.toContain("settings.json");
  });

  it("sees the banner of the gateway before the test request", async () => {
    const home = await makeSubscriber();
    const output = await runUntil(home.terminal(), "longhaul setup --undo");
    expect(output).toMatch(/Longhaul is listening on .*\nClients: Claude Code\n.*sending a test request/s);
  });

  it("sees neither the login in the output nor a copy of it on disk", async () => {
    const home = await makeSubscriber();
    const output = await runUntil(home.terminal(), "longhaul setup --undo");
    const files = readdirSync(home.folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const texts = files
      .filter(({ name }) => name !== ".credentials.json")
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
    for (const text of [output, ...texts]) expect(text).not.toContain(LOGIN);
  });

  it("sees the plan on the first start in a terminal, and is asked once", async () => {
    const home = await makeSubscriber();
    const terminal = { ...home.terminal({}, { agrees: true }), isInteractive: true };
    const exit = run(["start"], terminal);
    await expect.poll(() => terminal.output()).toContain("Done. Try in another terminal: claude");
    terminal.stop();
    expect(await exit).toBe(0);
    expect(terminal.questions()).toEqual(["Write these changes and start the gateway?"]);
  });

  it("can decline and still gets a running gateway, and is not asked again", async () => {
    const home = await makeSubscriber();
    for (const questions of [1, 0]) {
      const terminal = { ...home.terminal({}, { agrees: false }), isInteractive: true };
      const exit = run(["start"], terminal);
      await expect.poll(() => terminal.output()).toContain("Longhaul is listening on");
      terminal.stop();
      expect([await exit, terminal.questions().length]).toEqual([0, questions]);
    }
    expect(readFileSync(home.path(".claude/settings.json"), "utf8")).toBe(SETTINGS);
  });
});

describe("a user with an API key in the environment", () => {
  it("gets an answer from the vendor, with the key only in the environment", async () => {
    const home = await makeHome({ codex: CODEX });
    const output = await runUntil(home.terminal({ OPENAI_API_KEY: API_KEY }), "longhaul setup --undo");
    expect(output).toContain("Codex CLI  API key in OPENAI_API_KEY");
    expect(output).toMatch(/Codex CLI: gpt-5 answered through Longhaul \(upstream openai/);
    expect(output).toContain("Done. Try in another terminal: codex\nGo back");
    expect(readFileSync(home.path(".codex/config.toml"), "utf8")).not.toContain(API_KEY);
    expect(output).not.toContain(API_KEY);
    expect(await run(["setup", "--undo", "--yes"], home.terminal())).toBe(0);
    expect(existsSync(home.path(".codex"))).toBe(false);
  });

  it("sees the plan on the first start in a terminal, and is asked once", async () => {
    const home = await makeHome({ codex: CODEX });
    const terminal = { ...home.terminal({ OPENAI_API_KEY: API_KEY }, { agrees: true }), isInteractive: true };
    const exit = run(["start"], terminal);
    await expect.poll(() => terminal.output()).toContain("Done. Try in another terminal: codex");
    terminal.stop();
    expect([await exit, terminal.questions()]).toEqual([0, ["Write these changes and start the gateway?"]]);
  });

  it("is not asked on the first start with a configuration file that names upstreams", async () => {
    const home = await makeHome({ codex: CODEX });
    home.write("longhaul.yaml", "upstreams:\n  openai:\n    kind: openai\n");
    const terminal = { ...home.terminal({ OPENAI_API_KEY: API_KEY }, { agrees: true }), isInteractive: true };
    const exit = run(["start"], terminal);
    await expect.poll(() => terminal.output()).toContain("Longhaul is listening on");
    terminal.stop();
    expect([await exit, terminal.questions()]).toEqual([0, []]);
  });

  it("keeps a client whose models the key cannot serve as it is", async () => {
    const home = await makeHome({ codex: CODEX });
    const terminal = home.terminal({ ANTHROPIC_API_KEY: "sk-ant-api03-key", ANTHROPIC_BASE_URL: "" });
    expect(await run(["setup", "--dry-run"], terminal)).toBe(0);
    expect(terminal.output()).toContain("Codex CLI  no login or API key; set OPENAI_API_KEY to connect it");
    expect(terminal.output()).not.toContain("config.toml");
  });

  it("keeps Codex with a ChatGPT login as it is, whatever the address of the other vendor", async () => {
    const home = await makeHome({ codex: CODEX });
    home.write(".codex/auth.json", "{}");
    const terminal = home.terminal({ ANTHROPIC_API_KEY: "sk-ant-api03-key" });
    expect(await run(["setup", "--dry-run"], terminal)).toBe(0);
    expect(terminal.output()).toContain("its login works only at the vendor's own address; set OPENAI_API_KEY");
    expect(terminal.output()).not.toContain("config.toml");
  });

  it("connects a client for whose models the configuration has a route of their own", async () => {
    const home = await makeHome({ codex: CODEX });
    const upstream = `kind: anthropic, baseUrl: "${vendor.url}", apiKey: x`;
    home.write(
      "longhaul.yaml",
      `upstreams: { proxy: { ${upstream} } }\nroutes: [{ match: "gpt-*", upstream: proxy }]\n`,
    );
    const terminal = home.terminal();
    expect(await run(["setup", "--dry-run"], terminal)).toBe(0);
    expect(terminal.output()).toContain("Codex CLI  uses the configured upstreams");
  });

  it("reads that the key is used instead of a subscription", async () => {
    const home = await makeSubscriber();
    const terminal = home.terminal({ ANTHROPIC_API_KEY: "sk-ant-api03-key" });
    expect(await run(["setup", "--dry-run"], terminal)).toBe(0);
    expect(terminal.output()).toContain(
      "anthropic: the gateway pays with ANTHROPIC_API_KEY instead of Claude Code's login",
    );
  });
});

describe("setup on a machine where something exists already", () => {
  it("lists the upstream of a key even if no client is installed", async () => {
    const terminal = (await makeHome({})).terminal({ ANTHROPIC_API_KEY: "sk-ant-api03-key" });
    expect(await run(["setup"], terminal)).toBe(0);
    expect(terminal.output()).toContain(
      "Upstreams\n  anthropic: the gateway pays with its API key, and never stores it",
    );
  });

  it("does not ask to start a gateway that is running", async () => {
    const home = await makeSubscriber();
    const gateway = home.terminal();
    const stopped = run(["start"], gateway);
    const url = await gateway.announced;
    const terminal = home.terminal({}, { agrees: false });
    expect(await run(["setup"], terminal)).toBe(0);
    expect(terminal.output()).toContain(`The gateway at ${url} is already running.`);
    expect(terminal.questions()).toEqual(["Write these changes?"]);
    gateway.stop();
    await stopped;
  });

  it("asks the running gateway which clients it serves", async () => {
    const home = await makeHome({ codex: CODEX });
    const gateway = home.terminal({ OPENAI_API_KEY: API_KEY });
    const stopped = run(["start"], gateway);
    await gateway.announced;
    const terminal = home.terminal();
    expect(await run(["setup", "--dry-run"], terminal)).toBe(0);
    expect(terminal.output()).toContain("Codex CLI  uses the configured upstreams");
    expect(terminal.output()).toContain("openai: the gateway pays with its API key, and never stores it");
    const shown = home.terminal();
    expect(await run(["connect", "codex"], shown)).toBe(0);
    expect(shown.errors()).toBe("");
    gateway.stop();
    await stopped;
  });

  it("asks nothing if all is done and nothing can be tested", async () => {
    const home = await makeSubscriber();
    rmSync(home.path("bin/claude"));
    const gateway = home.terminal();
    const stopped = run(["start"], gateway);
    await gateway.announced;
    expect(await run(["setup", "--yes"], home.terminal())).toBe(0);
    const again = home.terminal();
    expect(await run(["setup"], again)).toBe(0);
    expect(again.output()).toContain("Nothing is left to do: Claude Code is connected, and the gateway is running.\n");
    gateway.stop();
    await stopped;
  });

  it("does not claim an answer if no client could be tested", async () => {
    const home = await makeSubscriber();
    rmSync(home.path("bin/claude"));
    const output = await runUntil(home.terminal(), "longhaul setup --undo");
    expect(output).toContain("Claude Code: not tested, because `claude` is not on the PATH.\nDone.\n");
  });
});

describe("a user without credentials", () => {
  it("is not connected to the simulator, and reads what to do", async () => {
    const home = await makeHome({ codex: CODEX });
    home.write(".codex/auth.json", "{}");
    const terminal = home.terminal();
    expect(await run(["setup", "--yes"], terminal)).toBe(0);
    expect(terminal.output()).toContain(
      "Codex CLI  its login works only at the vendor's own address; set OPENAI_API_KEY to connect it",
    );
    expect(terminal.output()).toContain(
      "No client is connected: without a login or an API key, only the built-in simulator",
    );
    expect(readdirSync(home.path(".codex"))).toEqual(["auth.json"]);
  });

  it("without a client reads how to connect others, and where the demo is", async () => {
    const terminal = (await makeHome({})).terminal();
    expect(await run(["setup"], terminal)).toBe(0);
    expect(terminal.output()).toMatch(/No client was found\..*longhaul demo --fast/s);
  });
});

describe("setup", () => {
  it("writes nothing with --dry-run, without an answer, or with a no", async () => {
    const home = await makeSubscriber();
    const dry = home.terminal();
    expect(await run(["setup", "--dry-run"], dry)).toBe(0);
    expect(dry.output()).toMatch(
      /Then\n {2}Start the gateway at http:\S+, in this terminal\.\n {2}Let `claude` send one/,
    );
    expect(dry.output()).toContain("Dry run: nothing was written, started or sent.");
    const mute = home.terminal();
    expect(await run(["setup"], mute)).toBe(1);
    expect(mute.errors()).toContain("use --yes to write without asking");
    const no = home.terminal({}, { agrees: false });
    expect(await run(["setup"], no)).toBe(0);
    expect(no.output()).toContain("Nothing was written, started or sent.");
    expect(readFileSync(home.path(".claude/settings.json"), "utf8")).toBe(SETTINGS);
  });

  it.skipIf(process.platform === "win32")("plans an autostart even if no client can be connected", async () => {
    const home = await makeHome({});
    const terminal = home.terminal();
    expect(await run(["setup", "--autostart", "--dry-run"], terminal)).toBe(0);
    expect(terminal.output()).toMatch(/Then\n {2}Start the gateway at http:\S+, as a service that starts at login\.\n/);
    expect(terminal.output()).toMatch(/No client was found\..*Dry run: nothing was written/s);
    const gateway = home.terminal();
    const stopped = run(["start"], gateway);
    await gateway.announced;
    const beside = home.terminal({}, { agrees: false });
    expect(await run(["setup", "--autostart"], beside)).toBe(0);
    expect(beside.output()).toContain("is already running; the service takes over when it stops.\n");
    expect(beside.questions()).toEqual(["Write these changes?"]);
    gateway.stop();
    await stopped;
  });

  it("reads of no deleted key if the settings with a key of the user's own stay as they are", async () => {
    const home = await makeSubscriber();
    const created = home.terminal();
    await run(["keys", "create", "laptop", "--json"], created);
    expect(await run(["connect", "claude-code", "--write", "--yes"], home.terminal())).toBe(0);
    const settings = readFileSync(home.path(".claude/settings.json"), "utf8");
    home.write(".claude/settings.json", settings.replace(/lh_\w{43}/, JSON.parse(created.output()).key));
    const dry = home.terminal();
    expect(await run(["setup", "--dry-run"], dry)).toBe(0);
    expect(dry.output()).toContain("Dry run");
    expect(dry.output()).not.toMatch(/settings\.json|will be deleted/);
  });

  it("reads that a client without a login needs the key in its own terminal, too", async () => {
    const claude = CLAUDE.replace(/^const login = .*$/m, "const login = process.env.ANTHROPIC_API_KEY;");
    const home = await makeHome({ claude });
    const output = await runUntil(home.terminal({ ANTHROPIC_API_KEY: API_KEY }), "longhaul setup --undo");
    expect(output).toContain("claude\nClaude Code needs ANTHROPIC_API_KEY in that terminal, too, because");
  });

  it("starts a client without a login or key of its own if the gateway pays", async () => {
    const claude = CLAUDE.replace(/^const login = .*$/m, "const login = env.ANTHROPIC_AUTH_TOKEN;");
    const home = await makeHome({ claude });
    const upstream = `{ kind: anthropic, baseUrl: "${vendor.url}", apiKey: ${API_KEY} }`;
    home.write("longhaul.yaml", `upstreams: { a: ${upstream} }\nroutes: [{ match: "*", upstream: a }]\n`);
    const output = await runUntil(home.terminal(), "longhaul setup --undo");
    expect(output).toMatch(/Claude Code: claude-haiku-4-5 answered through Longhaul/);
    expect(readFileSync(home.path(".claude/settings.json"), "utf8")).toContain('"ANTHROPIC_AUTH_TOKEN": "longhaul"');
    home.write(".claude/.credentials.json", LOGIN);
    const dry = home.terminal();
    expect(await run(["setup", "--dry-run"], dry)).toBe(0);
    expect(dry.output()).toContain('-     "ANTHROPIC_AUTH_TOKEN"');
  });

  it("reports a client whose request fails, and keeps the way back", async () => {
    const home = await makeSubscriber();
    home.write(".claude/.credentials.json", "sk-ant-oat01-expired-token");
    const output = await runUntil(home.terminal(), "longhaul setup --undo");
    expect(output).toMatch(/Claude Code: the test request failed with status 401 \(auth\.\w+|upstream\.\w+\)/);
    expect(output).toContain("The clients are connected, but no model answered; see above.");
    const gateway = home.terminal();
    const running = run(["start"], gateway);
    await gateway.announced;
    const terminal = home.terminal();
    expect(await run(["doctor"], terminal)).toBe(1);
    expect(terminal.output()).toMatch(
      /✗ upstream anthropic: rejected the login or API key of the latest request \(status 401, \S+ UTC\).*\n {4}→ log in again/,
    );
    gateway.stop();
    await running;
  });

  it("uses a gateway that is already running, and ends", async () => {
    const home = await makeSubscriber();
    const gateway = home.terminal();
    const running = run(["start"], gateway);
    await gateway.announced;
    const terminal = home.terminal();
    expect(await run(["setup", "--yes"], terminal)).toBe(0);
    expect(terminal.output()).toContain("Done. Try: claude\n");
    gateway.stop();
    expect(await running).toBe(0);
  });

  it("asks before it sends a test request for clients that are already connected", async () => {
    const home = await makeSubscriber();
    const gateway = home.terminal();
    const running = run(["start"], gateway);
    await gateway.announced;
    expect(await run(["setup", "--yes"], home.terminal())).toBe(0);
    const again = home.terminal({}, { agrees: false });
    expect(await run(["setup"], again)).toBe(0);
    expect(again.questions()).toEqual(["Test the connected clients?"]);
    expect(vendor.requests()).toHaveLength(1);
    gateway.stop();
    await running;
    const stopped = home.terminal({}, { agrees: false });
    expect(await run(["setup"], stopped)).toBe(0);
    expect(stopped.questions()).toEqual(["Start the gateway?"]);
    expect(vendor.requests()).toHaveLength(1);
  });

  it("finds a client that points at a gateway that no longer runs", async () => {
    const home = await makeSubscriber();
    await runUntil(home.terminal(), "longhaul setup --undo");
    const terminal = home.terminal();
    expect(await run(["doctor", "--offline"], terminal)).toBe(1);
    expect(terminal.output()).toMatch(
      /✗ client claude-code: Claude Code points at http:\S+, where no gateway is running\n.*connect claude-code --undo/,
    );
  });

  it("undoes nothing if nothing was done", async () => {
    const terminal = (await makeHome({})).terminal();
    expect(await run(["setup", "--undo", "--yes"], terminal)).toBe(0);
    expect(terminal.output()).toContain("Nothing to undo");
  });
});
