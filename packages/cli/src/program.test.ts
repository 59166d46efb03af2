import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./program.ts";
import type { Terminal } from "./terminal.ts";

/** Empty, so that no configuration of this machine's user is found. */
const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("start", () => {
  it("serves until it is stopped, then closes and exits with 0", async () => {
    const terminal = makeTerminal({ PORT: "0" });
    const exit = run(["start"], terminal);
    const url = await terminal.announced;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    terminal.stop();
    expect(await exit).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it("prefers the flag to the environment", async () => {
    const terminal = makeTerminal({ PORT: "not looked at" });
    terminal.stop();
    expect(await run(["start", "--port", "0"], terminal)).toBe(0);
  });

  it.each(["http", "-1", "65536", "80.5", " "])("refuses PORT=%j and says what to give", async (port) => {
    const terminal = makeTerminal({ PORT: port });
    expect(await run(["start"], terminal)).toBe(1);
    expect(terminal.errors()).toBe(
      `longhaul: PORT: "${port}" is not a port; give a whole number from 0 to 65535 (settings.invalid)\n`,
    );
  });

  it("takes its configuration from the file it is given, and names every fault in it", async () => {
    const file = join(folder, "given.yaml");
    writeFileSync(file, "server: { port: 0 }\n");
    const terminal = makeTerminal();
    terminal.stop();
    expect(await run(["start", "--config", file], terminal)).toBe(0);
    expect(terminal.output()).toContain(`configured by ${file}`);
    writeFileSync(file, "server: { prot: 0 }\nroute: []\n");
    const refused = makeTerminal();
    expect(await run(["start", "--config", file], refused)).toBe(1);
    expect(refused.errors()).toMatch(/2 faults.*"prot".*"route"/s);
  });

  it("fails with 1 when it cannot listen", async () => {
    const terminal = makeTerminal({ PORT: "0" });
    expect(await run(["start", "--host", "192.0.2.1"], terminal)).toBe(1);
    expect(terminal.errors()).toContain("longhaul: cannot listen on 192.0.2.1:0");
  });
});

describe("run", () => {
  it.each([
    [["start", "--port", "http"], '"http" is not a port; give a whole number from 0 to 65535'],
    [["stat"], "unknown command 'stat'"],
  ])("exits with 2 on %j and says why", async (args, reason) => {
    const terminal = makeTerminal();
    expect(await run(args, terminal)).toBe(2);
    expect(terminal.errors()).toContain(reason);
  });

  it("prints its help and exits with 0", async () => {
    const terminal = makeTerminal();
    expect(await run(["--help"], terminal)).toBe(0);
    expect(terminal.output()).toContain("start the gateway");
  });
});

interface TestTerminal extends Terminal {
  /** The address in the first line that was written. */
  readonly announced: Promise<string>;
  stop(): void;
  output(): string;
  errors(): string;
}

function makeTerminal(environment: Terminal["environment"] = {}): TestTerminal {
  const written: string[] = [];
  const errors: string[] = [];
  const announced = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<void>();
  return {
    environment: { HOME: folder, ...environment },
    folder,
    write: (text) => {
      written.push(text);
      announced.resolve(/http:\S+/.exec(text)?.[0] ?? "");
    },
    writeError: (text) => void errors.push(text),
    stopped: () => stopped.promise,
    announced: announced.promise,
    stop: () => stopped.resolve(),
    output: () => written.join(""),
    errors: () => errors.join(""),
  };
}
