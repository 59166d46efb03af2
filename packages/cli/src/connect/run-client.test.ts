import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((_, response) => response.end());
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
    const own = { PATH: `${home}:/usr/bin:/bin`, PORT: "4197", ANTHROPIC_CUSTOM_HEADERS: "x-mine: 1" };
    expect(await run(["run", "claude-code"], makeTerminal(home, own))).toBe(0);
    expect(readFileSync(`${file}.answer`, "utf8")).toContain("[Simulated answer:");
    expect(readFileSync(`${file}.env`, "utf8")).toContain("ANTHROPIC_CUSTOM_HEADERS=x-mine: 1\nx-longhaul-key: lh_");
    const listed = makeTerminal(home);
    await run(["keys", "list", "--json"], listed);
    expect(JSON.parse(listed.output()).keys.map(({ name }: { name: string }) => name)).toEqual(["laptop"]);
  });

  it("starts a gateway for the client if none is running, and stops it when the client exits", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const file = installAsker(home);
    const terminal = makeTerminal(home, { PATH: `${home}:/usr/bin:/bin`, PORT: "4198" });
    expect(await run(["run", "claude-code"], terminal)).toBe(0);
    const own = readFileSync(`${file}.url`, "utf8").trim();
    expect(terminal.errors()).toBe(
      `No gateway is running at http://127.0.0.1:4198: this one runs until the client exits, at ${own}.\n`,
    );
    expect(terminal.output()).toBe("");
    expect(readFileSync(`${file}.answer`, "utf8")).toContain("[Simulated answer:");
    await expect(fetch(own)).rejects.toThrow();
    const after = makeTerminal(home);
    expect(await run(["sessions"], after)).toBe(0);
    expect(after.output()).toContain("simulated");
  });

  it("explains a missing client, a missing gateway, and a client that it cannot start", async () => {
    expect(await call("--url", url, "opencode")).toMatchObject({
      exit: 1,
      errors: expect.stringContaining("cannot start opencode; install opencode"),
    });
    expect(await call("--url", "http://127.0.0.1:1", "opencode")).toMatchObject({
      exit: 1,
      errors: expect.stringContaining("no gateway is running at http://127.0.0.1:1"),
    });
    expect(await call("--url", url, "cursor")).toMatchObject({
      exit: 1,
      errors: expect.stringContaining("Cursor must be configured manually; see `longhaul connect cursor`"),
    });
  });
});
