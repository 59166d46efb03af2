import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { makeKey } from "@longhaul/admin";
import { openStore } from "@longhaul/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sweepRunKeys } from "../gateway/run-key.ts";
import { run } from "../program.ts";
import { changedTerminal } from "../terminal/terminal.ts";
import { freePort } from "../testing/homes.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((_, response) => response.end('{"status":"ok"}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** A program that prints its arguments and variables, and exits with the code in its first argument. */
function install(name: string): void {
  const file = join(folder, name);
  const script = `#!/bin/sh\necho "$@" > ${file}.args\nenv > ${file}.env\ncase "$1" in exit) exit $2;; kill) kill -9 $$;; esac\n`;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
}

async function call(...args: string[]) {
  const terminal = makeTerminal(folder, { PATH: `${folder}:/usr/bin:/bin` });
  const exit = await run(["run", ...args], terminal);
  return { exit, errors: terminal.errors() };
}

describe("run", () => {
  it("starts a client with its variables and the arguments after its name", async () => {
    install("claude");
    expect(await call("--url", url, "--key", "k", "claude-code", "-p", "hi", "--key", "own")).toEqual({
      exit: 0,
      errors: "",
    });
    expect(readFileSync(join(folder, "claude.args"), "utf8")).toBe("-p hi --key own\n");
    const environment = readFileSync(join(folder, "claude.env"), "utf8");
    expect(environment).toContain(`ANTHROPIC_BASE_URL=${url}\n`);
    expect(environment).toContain("ANTHROPIC_AUTH_TOKEN=k\n");
    expect(environment).toContain("DISABLE_AUTO_COMPACT=1\n");
    expect(environment).toContain("CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE=10000000\n");
  });

  it("leaves out a -- before the client's arguments", async () => {
    install("claude");
    await call("--url", url, "claude-code", "--", "-p", "hi");
    expect(readFileSync(join(folder, "claude.args"), "utf8")).toBe("-p hi\n");
  });

  it("starts a client with the client's own arguments", async () => {
    install("codex");
    expect(await call("--url", url, "codex", "exec", "hi")).toEqual({ exit: 0, errors: "" });
    expect(readFileSync(join(folder, "codex.args"), "utf8")).toBe(
      `-c model_provider=longhaul -c model_providers.longhaul={name="Longhaul",base_url="${url}/v1",wire_api="responses",env_key="LONGHAUL_KEY"} exec hi\n`,
    );
    expect(readFileSync(join(folder, "codex.env"), "utf8")).toContain("LONGHAUL_KEY=longhaul\n");
  });

  it("exits with the client's exit code", async () => {
    install("claude");
    expect((await call("--url", url, "claude-code", "exit", "7")).exit).toBe(7);
    expect((await call("--url", url, "claude-code", "kill")).exit).toBe(137);
  });

  /** A client that asks the gateway one question and keeps the answer. */
  function installAsker(home: string): string {
    const file = join(home, "claude");
    const body = { model: "claude-sonnet-4-5", max_tokens: 50, messages: [{ role: "user", content: "hi" }] };
    const ask = `const [name, value = ""] = (process.env.ANTHROPIC_CUSTOM_HEADERS ?? "x-none: 1").split("\\n").at(-1).split(": ");
      fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", headers: { "content-type": "application/json",
      "anthropic-version": "2023-06-01", "x-api-key": "any", [name]: value }, body: JSON.stringify(${JSON.stringify(body)}) })`;
    const script = `${ask}.then((answer) => answer.text()).then(console.log)`;
    writeFileSync(
      file,
      `#!/bin/sh\n${process.execPath} -e '${script}' > ${file}.answer\necho $ANTHROPIC_BASE_URL > ${file}.url\nenv > ${file}.env\n`,
    );
    chmodSync(file, 0o755);
    return file;
  }

  it("gives the client a key while it runs, if the gateway requires keys", async () => {
    const home = mkdtempSync(join(folder, "k"));
    const file = installAsker(home);
    await run(["keys", "create", "laptop"], makeTerminal(home));
    const own = { PATH: `${home}:/usr/bin:/bin`, PORT: await freePort(), ANTHROPIC_CUSTOM_HEADERS: "x-mine: 1" };
    expect(await run(["run", "claude-code"], makeTerminal(home, own))).toBe(0);
    expect(readFileSync(`${file}.answer`, "utf8")).toContain("[Simulated answer:");
    expect(readFileSync(`${file}.env`, "utf8")).toContain("ANTHROPIC_CUSTOM_HEADERS=x-mine: 1\nx-longhaul-key: lh_");
    const listed = makeTerminal(home);
    await run(["keys", "list", "--json"], listed);
    expect(JSON.parse(listed.output()).keys.map(({ name }: { name: string }) => name)).toEqual(["laptop"]);
  });

  describe("with a gateway that requires keys", () => {
    const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

    async function keysIn(home: string): Promise<{ name: string; revokedAtMs?: number }[]> {
      const listed = makeTerminal(home);
      await run(["keys", "list", "--json"], listed);
      return JSON.parse(listed.output()).keys;
    }

    /** Starts `longhaul run` in another process, with a client that waits until a file exists. */
    async function startRun(home: string) {
      const script = `#!/bin/sh\ntrap '' HUP\ntouch ${home}/started\nwhile [ ! -e ${home}/end ]; do sleep 0.05; done\n`;
      writeFileSync(join(home, "claude"), script, { mode: 0o755 });
      rmSync(join(home, "started"), { force: true });
      const env = { HOME: home, PATH: `${home}:/usr/bin:/bin`, PORT: await freePort() };
      const child = spawn(process.execPath, [MAIN, "run", "claude-code"], { cwd: home, env, stdio: "ignore" });
      const ended = new Promise<number | string | null>((resolve) =>
        child.once("exit", (code, signal) => resolve(code ?? signal)),
      );
      await expect.poll(() => existsSync(join(home, "started")), { timeout: 20_000 }).toBe(true);
      return { child, ended, end: () => writeFileSync(join(home, "end"), "") };
    }

    it("deletes the client's key if the terminal is closed, once the client exits", async () => {
      const home = mkdtempSync(join(folder, "k"));
      await run(["keys", "create", "laptop"], makeTerminal(home));
      const { child, ended, end } = await startRun(home);
      expect(await keysIn(home)).toHaveLength(2);
      child.kill("SIGHUP");
      end();
      expect(await ended).toBe(0);
      expect((await keysIn(home)).map(({ name }) => name)).toEqual(["laptop"]);
    });

    it("deletes the key of a run that was killed with the next run, but none that is in use", async () => {
      const home = mkdtempSync(join(folder, "k"));
      await run(["keys", "create", "laptop"], makeTerminal(home));
      const killed = await startRun(home);
      killed.child.kill("SIGKILL");
      expect(await killed.ended).toBe("SIGKILL");
      const names = async () => (await keysIn(home)).map(({ name }) => name);
      expect(await names()).toContainEqual(expect.stringContaining(`(longhaul run, process ${killed.child.pid} on`));
      const running = await startRun(home);
      expect(await names()).toHaveLength(2);
      await sweepRunKeys(makeTerminal(home));
      expect(await names()).toContainEqual(expect.stringContaining(`(longhaul run, process ${running.child.pid} on`));
      killed.end();
      expect(await running.ended).toBe(0);
      expect(await names()).toEqual(["laptop"]);
    });

    it("only revokes its key if the user deleted all others meanwhile, so that the gateway stays closed", async () => {
      const home = mkdtempSync(join(folder, "k"));
      await run(["keys", "create", "laptop"], makeTerminal(home));
      const { ended, end } = await startRun(home);
      await run(["keys", "delete", "laptop"], makeTerminal(home));
      end();
      expect(await ended).toBe(0);
      const keys = await keysIn(home);
      expect(keys).toMatchObject([{ name: expect.stringContaining("longhaul run"), revokedAtMs: expect.any(Number) }]);
    });

    it("deletes the key of a run whose process number another process has got since", async () => {
      const home = mkdtempSync(join(folder, "k"));
      const path = join(home, ".local", "share", "longhaul", "longhaul.db");
      const store = await openStore({ path, nowMs: Date.now });
      for (const [client, createdAtMs] of [["own", Date.now()] as const, ["earlier", 1] as const]) {
        const name = `${client} (longhaul run, process ${process.pid} on ${hostname()})`;
        await store.keys.create(makeKey({ name, limits: {}, context: {}, createdAtMs }).stored);
      }
      await store.close();
      await sweepRunKeys(makeTerminal(home));
      expect((await keysIn(home)).map(({ name }) => name)).toEqual([expect.stringMatching(/^own /)]);
    });

    it("stops its own gateway if the key cannot be stored", async () => {
      const home = mkdtempSync(join(folder, "k"));
      installAsker(home);
      await run(["keys", "create", "laptop"], makeTerminal(home));
      const terminal = makeTerminal(home, { PATH: `${home}:/usr/bin:/bin`, PORT: await freePort() });
      const path = join(home, ".local", "share", "longhaul", "longhaul.db");
      // The message appears when the gateway is open and the key is not yet stored.
      const breaking = changedTerminal(terminal, {
        writeError: (text) => {
          terminal.writeError(text);
          const database = new DatabaseSync(path);
          database.exec("CREATE TRIGGER full BEFORE INSERT ON keys BEGIN SELECT RAISE(ABORT, 'full'); END");
          database.close();
        },
      });
      await run(["run", "claude-code"], breaking).catch(() => 1);
      const [own = ""] = /http:\S+(?=\.\n)/.exec(terminal.errors()) ?? [];
      expect(own).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      await expect(fetch(own)).rejects.toThrow();
    });
  });

  it("starts a gateway for the client if none is running, and stops it when the client exits", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const file = installAsker(home);
    const port = await freePort();
    const terminal = makeTerminal(home, { PATH: `${home}:/usr/bin:/bin`, PORT: port });
    expect(await run(["run", "claude-code"], terminal)).toBe(0);
    const own = readFileSync(`${file}.url`, "utf8").trim();
    expect(terminal.errors()).toBe(
      `No gateway is running at http://127.0.0.1:${port}: this one runs until the client exits, at ${own}.\nLonghaul: 1 request, answered by the built-in simulator, which costs nothing. Details: \`longhaul sessions\`\n`,
    );
    expect(terminal.output()).toBe("");
    expect(readFileSync(`${file}.answer`, "utf8")).toContain("[Simulated answer:");
    await expect(fetch(own)).rejects.toThrow();
    const after = makeTerminal(home);
    expect(await run(["sessions"], after)).toBe(0);
    expect(after.output()).toContain("simulated");
  });

  describe("with a client that is connected to another gateway", () => {
    /** Connects Claude Code, and installs a program in its place that keeps the settings it gets. */
    function connect(env: Record<string, string>) {
      const home = mkdtempSync(join(folder, "c"));
      mkdirSync(join(home, ".claude"));
      writeFileSync(join(home, ".claude", "settings.json"), JSON.stringify({ env }));
      const kept = join(home, "kept.json");
      writeFileSync(join(home, "claude"), `#!/bin/sh\necho "$@" > ${kept}.args\ncat "$2" > ${kept}\n`, { mode: 0o755 });
      const start = async (...args: string[]) => {
        const terminal = makeTerminal(home, { PATH: `${home}:/usr/bin:/bin`, PORT: await freePort() });
        return { exit: await run(["run", ...args], terminal), errors: terminal.errors() };
      };
      return { home, start, settings: () => JSON.parse(readFileSync(kept, "utf8")).env, args: `${kept}.args` };
    }

    it("starts one of its own if that one is down, and overrides the client's settings with it", async () => {
      const connected = `http://127.0.0.1:${await freePort()}`;
      const { start, settings, args } = connect({ ANTHROPIC_BASE_URL: connected, ANTHROPIC_AUTH_TOKEN: "lh_old" });
      const { exit, errors } = await start("claude-code", "-p", "hi");
      expect(exit).toBe(0);
      const { ANTHROPIC_BASE_URL: own, ...others } = settings();
      expect(errors).toBe(`No gateway is running at ${connected}: this one runs until the client exits, at ${own}.\n`);
      expect(others).toEqual({
        ANTHROPIC_AUTH_TOKEN: "",
        CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: "10000000",
        DISABLE_AUTO_COMPACT: "1",
      });
      const [, file = "", ...given] = readFileSync(args, "utf8").trim().split(" ");
      expect([existsSync(file), given]).toEqual([false, ["-p", "hi"]]);
    });

    it("overrides its settings with the gateway at --url and its key", async () => {
      const { start, settings } = connect({ ANTHROPIC_BASE_URL: "https://gateway.example.invalid" });
      expect(await start("--url", url, "--key", "lh_new", "claude-code")).toEqual({ exit: 0, errors: "" });
      expect(settings()).toMatchObject({ ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: "lh_new" });
    });

    it("sends no key of that gateway to another one, and keeps the user's headers", async () => {
      const { start, settings } = connect({
        ANTHROPIC_BASE_URL: "https://gateway.example.invalid",
        ANTHROPIC_CUSTOM_HEADERS: "x-team: blue\nX-Longhaul-Key: lh_old",
      });
      expect(await start("--url", url, "claude-code")).toEqual({ exit: 0, errors: "" });
      expect(settings().ANTHROPIC_CUSTOM_HEADERS).toBe("x-team: blue");
    });

    it("leaves its settings alone if they point at the gateway that is used", async () => {
      const { start, args } = connect({ ANTHROPIC_BASE_URL: url });
      expect((await start("claude-code", "-p", "/dev/null")).exit).toBe(0);
      expect(readFileSync(args, "utf8")).toBe("-p /dev/null\n");
    });

    it("starts none if that one is on another machine, and says that it does not answer", async () => {
      const { home, start, args } = connect({ ANTHROPIC_BASE_URL: "http://127.0.0.1:4141" });
      const remote = "http://gateway.invalid";
      await run(["connect", "claude-code", "--write", "--yes", "--url", remote], makeTerminal(home));
      expect(await start("claude-code")).toEqual({
        exit: 1,
        errors: expect.stringContaining(
          `Claude Code is connected to the gateway at ${remote}, which does not answer; use another one with --url, or go back to this machine's with \`longhaul connect claude-code --undo\``,
        ),
      });
      expect(existsSync(args)).toBe(false);
    });
  });

  it("starts no gateway for a client that is not installed", async () => {
    const terminal = makeTerminal(folder, { PATH: "/usr/bin:/bin", PORT: await freePort() });
    expect(await run(["run", "opencode"], terminal)).toBe(1);
    expect(terminal.errors()).toBe(
      "longhaul: cannot start opencode; install opencode and make sure that it is on the PATH\n",
    );
  });

  it("lets a client without a login or key start if the gateway pays", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const kept = join(home, "kept");
    writeFileSync(join(home, "claude"), `#!/bin/sh\necho "$ANTHROPIC_AUTH_TOKEN" >> ${kept}\n`, { mode: 0o755 });
    const upstream = "{ kind: anthropic, baseUrl: 'http://127.0.0.1:1', apiKey: x }";
    writeFileSync(
      join(home, "longhaul.yaml"),
      `upstreams: { a: ${upstream} }\nroutes: [{ match: "*", upstream: a }]\n`,
    );
    const environment = { PATH: `${home}:/usr/bin:/bin`, PORT: await freePort() };
    expect(await run(["run", "claude-code"], makeTerminal(home, environment))).toBe(0);
    mkdirSync(join(home, ".claude"));
    writeFileSync(join(home, ".claude", ".credentials.json"), "{}");
    expect(await run(["run", "claude-code"], makeTerminal(home, environment))).toBe(0);
    expect(readFileSync(kept, "utf8")).toBe("longhaul\n\n");
  });

  it("warns if no upstream serves the client's models", async () => {
    const home = mkdtempSync(join(folder, "h"));
    writeFileSync(join(home, "codex"), "#!/bin/sh\n", { mode: 0o755 });
    const environment = { PATH: home, PORT: await freePort(), ANTHROPIC_API_KEY: "sk-ant-api03-abcdefgh" };
    const terminal = makeTerminal(home, environment);
    expect(await run(["run", "codex"], terminal)).toBe(0);
    expect(terminal.errors()).toContain("Warning: no upstream serves Codex CLI's requests, for example for gpt-5.1.");
  });

  it("explains a missing client, a missing gateway, and a client that it cannot start", async () => {
    expect(await call("--url", url, "opencode")).toMatchObject({
      exit: 1,
      errors: expect.stringContaining("cannot start opencode; install opencode"),
    });
    install("claude");
    expect(await call("--url", "http://127.0.0.1:1", "claude-code")).toMatchObject({
      exit: 1,
      errors: expect.stringContaining("no gateway is running at http://127.0.0.1:1"),
    });
    expect(await call("--url", url, "cursor")).toMatchObject({
      exit: 1,
      errors: expect.stringContaining("Cursor must be configured manually; see `longhaul connect cursor`"),
    });
  });
});
