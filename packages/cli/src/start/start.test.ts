import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal, type TestTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("start", () => {
  it("answers with the simulator until it is stopped, then exits with 0", async () => {
    const terminal = makeTerminal(folder, { PORT: "0" });
    const exit = run(["start"], terminal);
    const url = await terminal.announced;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const body = JSON.stringify({
      model: "claude-opus-4-6",
      max_tokens: 100,
      messages: [{ role: "user", content: "Hello" }],
    });
    const answer = await fetch(`${url}/v1/messages`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", "x-api-key": "any", "anthropic-version": "2023-06-01" },
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { type: "message", role: "assistant" }]);
    expect(answer.headers.get("x-longhaul-simulated")).toBe("true");
    terminal.stop();
    expect(await exit).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it("prints who answers, and that no client is connected, if nothing is configured", async () => {
    const terminal = makeTerminal(mkdtempSync(join(folder, "h")), { PORT: "0" });
    terminal.stop();
    expect(await run(["start"], terminal)).toBe(0);
    expect(terminal.output().trim().split("\n").slice(2)).toEqual([
      "Upstreams: requests that carry their own Anthropic, OpenAI or Gemini key or login go to that vendor; the built-in simulator answers all others",
      "Condensing: on, strategy smart (the default)",
      "Clients: none is connected; `longhaul setup` connects those on this machine",
      "All settings: `longhaul config show`",
      "Stopped.",
    ]);
  });

  it("names the clients that are connected to it", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const file = join(home, "longhaul.yaml");
    writeFileSync(file, "server: { port: 0 }\nupstreams: { sim: { kind: simulator } }\n");
    const terminal = makeTerminal(home);
    const exit = run(["start"], terminal);
    const url = await terminal.announced;
    terminal.stop();
    expect(await exit).toBe(0);
    expect(terminal.output()).toContain(`Configuration: ${file}\nUpstreams: sim (simulator)\nRoutes: none`);
    await run(["connect", "claude-code", "--write", "--yes", "--url", url], makeTerminal(home));
    await run(["connect", "codex", "--write", "--yes", "--url", "http://127.0.0.1:1"], makeTerminal(home));
    const again = makeTerminal(home);
    again.stop();
    expect(await run(["start", "--port", new URL(url).port], again)).toBe(0);
    expect(again.output()).toContain("\nClients: Claude Code\n");
  });

  it("opens even if the key of an earlier run cannot be deleted", async () => {
    const home = mkdtempSync(join(folder, "h"));
    await run(["keys", "create", `claude-code (longhaul run, process 999999999 on ${hostname()})`], makeTerminal(home));
    const database = new DatabaseSync(join(home, ".local", "share", "longhaul", "longhaul.db"));
    for (const act of ["DELETE", "UPDATE"])
      database.exec(`CREATE TRIGGER no_${act} BEFORE ${act} ON keys BEGIN SELECT RAISE(ABORT, 'full'); END`);
    database.close();
    const terminal = makeTerminal(home, { PORT: "0" });
    terminal.stop();
    expect([await run(["start"], terminal), terminal.output()]).toEqual([
      0,
      expect.stringContaining("is listening on"),
    ]);
  });

  it("prints its configuration and logs requests", async () => {
    const terminal = makeTerminal(folder, { PORT: "0", OPENAI_API_KEY: "hush-hush-hush" });
    const exit = run(["start"], terminal);
    await fetch(`${await terminal.announced}/nowhere`);
    terminal.stop();
    expect(await exit).toBe(0);
    const [, dashboard, ...lines] = terminal.output().trim().split("\n");
    expect(dashboard).toMatch(/^Dashboard \(one-time link; .*\): http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    expect(lines.slice(0, 3)).toEqual([
      "Upstreams: openai; with a client's own key or login: anthropic, gemini",
      "Paid with: OPENAI_API_KEY for openai; a client's own key or login is not used there",
      "Condensing: on, strategy smart (the default)",
    ]);
    expect(JSON.parse(lines[5] ?? "")).toMatchObject({ status: 404, error: "route.unknown" });
    expect(lines.at(-1)).toBe("Stopped.");
    expect(terminal.output()).not.toContain("hush");
  });

  it("includes stored settings in the banner", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const environment = { PORT: "0", OPENAI_API_KEY: "hush-hush-hush", LONGHAUL_ADMIN_TOKEN: "token-of-the-admin" };
    const first = makeTerminal(home, environment);
    const running = run(["start"], first);
    const entries = [
      { path: "context.strategy", value: "lossless" },
      { path: "upstreams.demo.kind", value: "simulator" },
    ];
    const changed = await fetch(`${await first.announced}/api/settings`, {
      method: "PATCH",
      body: JSON.stringify({ entries }),
      headers: { "content-type": "application/json", authorization: "Bearer token-of-the-admin" },
    });
    expect(changed.status).toBe(200);
    first.stop();
    expect(await running).toBe(0);
    const second = makeTerminal(home, environment);
    second.stop();
    expect(await run(["start"], second)).toBe(0);
    expect(second.output()).toContain(
      "Configuration: no file; environment variables and defaults, with stored overrides\nUpstreams: openai, demo (simulator); with a client's own key or login: anthropic, gemini\n",
    );
    expect(second.output()).toContain("\nCondensing: on, strategy lossless\n");
  });

  it("prefers the flag to the environment variable", async () => {
    const terminal = makeTerminal(folder, { PORT: "not looked at" });
    terminal.stop();
    expect(await run(["start", "--port", "0"], terminal)).toBe(0);
  });

  it.each(["http", "-1", "65536", "80.5"])("rejects PORT=%j and names the valid range", async (port) => {
    const terminal = makeTerminal(folder, { PORT: port });
    expect(await run(["start"], terminal)).toBe(1);
    const wrong = port === "http" ? '"http"' : port;
    expect(terminal.errors()).toContain(
      `1 error:\n  - server.port: must be an integer from 0 to 65535, not ${wrong} (set by PORT)`,
    );
  });

  it("reads the given configuration file and names every fault in it", async () => {
    const file = join(folder, "given.yaml");
    writeFileSync(file, "server: { port: 0 }\n");
    const terminal = makeTerminal(folder);
    terminal.stop();
    expect(await run(["start", "--config", file], terminal)).toBe(0);
    expect(terminal.output()).toContain(`Configuration: ${file}`);
    writeFileSync(file, "server: { prot: 0 }\nroute: []\n");
    const refused = makeTerminal(folder);
    expect(await run(["start", "--config", file], refused)).toBe(1);
    expect(refused.errors()).toMatch(/2 errors.*- server\.prot: .*- route: unknown setting/s);
  });

  it("keeps its store in the user's data folder, readable only for its owner, and shares it with another gateway", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const terminals = [1, 2].map(() => makeTerminal(home, { PORT: "0" }));
    const exits: Promise<number>[] = [];
    for (const terminal of terminals) {
      exits.push(run(["start"], terminal));
      await terminal.announced;
    }
    for (const { announced } of terminals) expect((await fetch(`${await announced}/readyz`)).status).toBe(200);
    const path = join(home, ".local", "share", "longhaul", "longhaul.db");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
    for (const { stop } of terminals) stop();
    expect(await Promise.all(exits)).toEqual([0, 0]);
    expect(terminals.map((terminal) => terminal.output()).join()).not.toContain("cannot be read or written");
  });

  it.each([
    ["the flag", ["--store", "FILE"], {}],
    ["LONGHAUL_STORE", [], { LONGHAUL_STORE: "FILE" }],
  ])("keeps its store at the path of %s", async (_, args, environment) => {
    const home = mkdtempSync(join(folder, "h"));
    const file = join(home, "other", "kept.db");
    const filled = Object.fromEntries(Object.entries(environment).map(([name]) => [name, file]));
    const terminal = makeTerminal(home, { PORT: "0", ...filled });
    terminal.stop();
    expect(await run(["start", ...args.map((arg) => arg.replace("FILE", file))], terminal)).toBe(0);
    expect([existsSync(file), existsSync(join(home, ".local"))]).toEqual([true, false]);
  });

  it("keeps nothing with a store in memory", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const terminal = makeTerminal(home, { PORT: "0" });
    terminal.stop();
    expect(await run(["start", "--store", ":memory:"], terminal)).toBe(0);
    expect(existsSync(join(home, ".local"))).toBe(false);
  });

  it.each(["2", "0"])("rejects --workers %s with a store in memory", async (count) => {
    const terminal = makeTerminal(folder, { PORT: "0" });
    expect(await run(["start", "--workers", count, "--store", ":memory:"], terminal)).toBe(1);
    expect(terminal.errors()).toContain("several workers need a shared store; set store.path to a file");
  });

  it.each(["-1", "1.5", "many"])("rejects --workers %s", async (count) => {
    const terminal = makeTerminal(folder, { PORT: "0" });
    expect(await run(["start", `--workers=${count}`], terminal)).toBe(2);
    expect(terminal.errors()).toContain("Expected a whole number, 0 or more.");
  });

  it("does not start if the store cannot be opened, and prints the reason", async () => {
    const file = join(folder, "photo.db");
    writeFileSync(file, "This is no database, and it is long enough to be taken for one. ".repeat(20));
    const terminal = makeTerminal(folder, { PORT: "0" });
    expect(await run(["start", "--store", file], terminal)).toBe(1);
    expect(terminal.errors()).toMatch(/photo\.db.*\(store\.damaged\)/);
  });

  it("closes its port if the store cannot be written, and prints the reason", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const file = join(home, "kept.db");
    const first = makeTerminal(home, { PORT: "0" });
    const running = run(["start", "--store", file], first);
    const { port } = new URL(await first.announced);
    first.stop();
    expect(await running).toBe(0);
    const database = new DatabaseSync(file);
    database.exec("create trigger full before insert on sign_ins begin select raise(fail, 'no room is left'); end");
    database.close();
    const terminal = makeTerminal(home, { PORT: port });
    expect(await run(["start", "--store", file], terminal)).toBe(1);
    expect(terminal.errors()).toMatch(/kept\.db.*no room is left/);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });

  it("listens on other addresses only if there are keys", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const refused = makeTerminal(home, { PORT: "0" });
    expect(await run(["start", "--host", "0.0.0.0"], refused)).toBe(1);
    expect(refused.errors()).toMatch(/server\.host: other machines can reach 0\.0\.0\.0.*longhaul keys create/);
    expect(await run(["keys", "create", "first"], makeTerminal(home))).toBe(0);
    const terminal = makeTerminal(home, { PORT: "0" });
    const running = run(["start", "--host", "0.0.0.0"], terminal);
    await terminal.announced;
    terminal.stop();
    expect(await running).toBe(0);
    expect(terminal.output()).toContain("Clients must send an API key of this gateway");
    const listening = /listening on http:\/\/0\.0\.0\.0:(\d+)/.exec(terminal.output())?.[1];
    const dashboard = /Dashboard .*: http:\/\/127\.0\.0\.1:(\d+)/.exec(terminal.output())?.[1];
    expect([listening, dashboard]).toEqual([expect.any(String), expect.any(String)]);
    expect(dashboard).not.toBe(listening);
    expect(await run(["keys", "revoke", "first"], makeTerminal(home))).toBe(0);
    const empty = makeTerminal(home, { PORT: "0", DISABLE_CONTEXT_COMPRESSION: "ja" });
    const stopping = run(["start", "--host", "0.0.0.0"], empty);
    await empty.announced;
    empty.stop();
    expect(await stopping).toBe(0);
    expect(empty.output()).toMatch(/^Warning: every request is rejected: .* all of them are revoked/m);
    expect(empty.output()).toMatch(/^Warning: DISABLE_CONTEXT_COMPRESSION is "ja" and has no effect/m);
  });

  it("exits with 1 if it cannot listen", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const terminal = makeTerminal(home, { PORT: "0" });
    expect(await run(["keys", "create", "first"], makeTerminal(home))).toBe(0);
    expect(await run(["start", "--host", "192.0.2.1"], terminal)).toBe(1);
    expect(terminal.errors()).toContain("longhaul: cannot listen on 192.0.2.1:0");
  });
});

describe("followConfig", () => {
  const root = mkdtempSync(join(tmpdir(), "longhaul-"));
  afterAll(() => rmSync(root, { recursive: true }));
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  const models = (name: string) => `upstreams: { s: { kind: simulator } }\nroutes: [{ match: ${name}, upstream: s }]\n`;

  /** Starts a gateway in its own folder with this configuration. */
  async function startIn({ file, text, args = [] }: { file: string; text?: string; args?: string[] }) {
    const folder = mkdtempSync(join(root, "f"));
    const path = join(folder, file);
    if (text !== undefined) writeFileSync(path, text);
    const terminal = makeTerminal(folder, { PORT: "0" });
    const exit = run(["start", ...args.map((arg) => arg.replace("FILE", path))], terminal);
    closers.push(async () => {
      terminal.stop();
      expect(await exit).toBe(0);
    });
    const url = await terminal.announced;
    const names = async (): Promise<string[]> => {
      const { data } = (await (await fetch(`${url}/v1/models`)).json()) as { data: { id: string }[] };
      return data.map(({ id }) => id);
    };
    return { terminal, path, names, logged: () => logOf(terminal.output()) };
  }

  /** Returns the log lines about the configuration. */
  function logOf(output: string): Record<string, unknown>[] {
    const lines = output.split("\n").filter((line) => line.startsWith("{"));
    return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith("configuration "));
  }

  function lastLine(terminal: TestTerminal) {
    return logOf(terminal.output()).at(-1);
  }

  describe("a configuration file that changes", () => {
    it("takes effect at once, even if an editor replaces it, and is logged", async () => {
      const { terminal, path, names } = await startIn({ file: "longhaul.yaml", text: models("one") });
      expect(await names()).toEqual(["one"]);
      writeFileSync(path, models("two"));
      await expect.poll(names).toEqual(["two"]);
      expect(lastLine(terminal)).toMatchObject({ level: 30, changed: ["routes"], msg: "configuration reloaded" });
      writeFileSync(`${path}~`, `${models("three")}log: { tokens: true }\n`);
      renameSync(`${path}~`, path);
      await expect.poll(names).toEqual(["three"]);
      expect(lastLine(terminal)).toMatchObject({ changed: ["log", "routes"] });
    });

    it("changes nothing if it is invalid, and the log names every invalid key", async () => {
      const { terminal, path, names } = await startIn({
        file: "given.yaml",
        text: models("one"),
        args: ["--config", "FILE"],
      });
      writeFileSync(path, "upstreams: { s: { kind: simulator, apiKey: '${NO_KEY}' } }\nroute: []\n");
      await expect
        .poll(() => lastLine(terminal))
        .toMatchObject({
          level: 50,
          why: expect.stringMatching(
            /2 errors.*upstreams\.s\.apiKey: the variable NO_KEY.*\n {2}- route: unknown setting$/s,
          ),
        });
      rmSync(path);
      await expect.poll(() => lastLine(terminal)?.why).toMatch(/given\.yaml cannot be read/);
      expect(await names()).toEqual(["one"]);
      writeFileSync(path, models("two"));
      await expect.poll(names).toEqual(["two"]);
    });

    it("changes nothing if it was emptied", async () => {
      const { terminal, path, names } = await startIn({ file: "longhaul.yaml", text: models("one") });
      writeFileSync(path, "");
      await expect
        .poll(() => lastLine(terminal))
        .toMatchObject({ why: expect.stringContaining("all routes were removed") });
      expect(await names()).toEqual(["one"]);
    });

    it("logs that a new address needs a restart, unless a flag overrides it", async () => {
      const moved = `server: { host: localhost, port: 4999 }\n${models("one")}`;
      const { terminal, path } = await startIn({ file: "longhaul.yaml", text: models("one") });
      writeFileSync(path, moved);
      await expect
        .poll(() => lastLine(terminal))
        .toMatchObject({
          level: 40,
          changed: ["server"],
          needRestart: ["server.host"],
        });
      const flags = ["--host", "127.0.0.1", "--port", "0"];
      const fixed = await startIn({ file: "longhaul.yaml", text: models("one"), args: flags });
      writeFileSync(fixed.path, moved);
      await expect.poll(() => lastLine(fixed.terminal)).toMatchObject({ level: 30, changed: [] });
    });

    it("is found if there was none at the start", async () => {
      const { path, names } = await startIn({ file: "longhaul.yaml" });
      expect((await names()).length).toBeGreaterThan(1);
      writeFileSync(path, models("one"));
      await expect.poll(names).toEqual(["one"]);
    });

    it("can use the simulator even if it did not at the start", async () => {
      const text = "upstreams: { o: { kind: openai } }\nroutes: [{ match: one, upstream: o }]\n";
      const { path, names } = await startIn({ file: "longhaul.yaml", text });
      writeFileSync(path, models("two"));
      await expect.poll(names).toEqual(["two"]);
    });
  });

  it("reloads its configuration on request, changed or not", async () => {
    const { terminal, logged } = await startIn({ file: "longhaul.yaml", text: models("one") });
    terminal.reload();
    expect(logged()).toMatchObject([{ changed: [], msg: "configuration reloaded" }]);
  });

  it("reloads on SIGHUP and stops on SIGTERM", async () => {
    const folder = mkdtempSync(join(root, "f"));
    const main = fileURLToPath(new URL("../main.ts", import.meta.url));
    const env = { PATH: process.env.PATH, HOME: folder, PORT: "0" };
    const child = spawn(process.execPath, [main, "start"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    const exited = new Promise((resolve) => child.once("exit", resolve));
    closers.push(async () => {
      child.kill();
      await exited;
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    await expect.poll(() => output).toContain("built-in simulator");
    child.kill("SIGHUP");
    await expect.poll(() => logOf(output)).toMatchObject([{ changed: [], msg: "configuration reloaded" }]);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });
});
