import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./program.ts";
import { makeTerminal } from "./testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("start", () => {
  it("answers from the simulator until it is stopped, then closes and exits with 0", async () => {
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
    expect(terminal.output()).toContain("built-in simulator");
    terminal.stop();
    expect(await exit).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it("says what it is configured for, and logs what it is asked", async () => {
    const terminal = makeTerminal(folder, { PORT: "0", OPENAI_API_KEY: "hush-hush-hush" });
    const exit = run(["start"], terminal);
    await fetch(`${await terminal.announced}/nowhere`);
    terminal.stop();
    expect(await exit).toBe(0);
    const [, ...lines] = terminal.output().trim().split("\n");
    expect(lines.slice(0, 2)).toEqual(["Configured by the environment.", "Upstreams: openai (openai)"]);
    expect(lines[2]).toMatch(/^Routes: gpt-\* → openai, .*\* → openai$/);
    expect(JSON.parse(lines[3] ?? "")).toMatchObject({ status: 404, error: "route.unknown" });
    expect(terminal.output()).not.toContain("hush");
  });

  it("prefers the flag to the environment", async () => {
    const terminal = makeTerminal(folder, { PORT: "not looked at" });
    terminal.stop();
    expect(await run(["start", "--port", "0"], terminal)).toBe(0);
  });

  it.each(["http", "-1", "65536", "80.5", " "])("refuses PORT=%j and says what to give", async (port) => {
    const terminal = makeTerminal(folder, { PORT: port });
    expect(await run(["start"], terminal)).toBe(1);
    expect(terminal.errors()).toBe(
      `longhaul: PORT: "${port}" is not a port; give a whole number from 0 to 65535 (settings.invalid)\n`,
    );
  });

  it("takes its configuration from the file it is given, and names every fault in it", async () => {
    const file = join(folder, "given.yaml");
    writeFileSync(file, "server: { port: 0 }\n");
    const terminal = makeTerminal(folder);
    terminal.stop();
    expect(await run(["start", "--config", file], terminal)).toBe(0);
    expect(terminal.output()).toContain(`Configured by ${file}`);
    writeFileSync(file, "server: { prot: 0 }\nroute: []\n");
    const refused = makeTerminal(folder);
    expect(await run(["start", "--config", file], refused)).toBe(1);
    expect(refused.errors()).toMatch(/2 faults.*"prot".*"route"/s);
  });

  it("fails with 1 when it cannot listen", async () => {
    const terminal = makeTerminal(folder, { PORT: "0" });
    expect(await run(["start", "--host", "192.0.2.1"], terminal)).toBe(1);
    expect(terminal.errors()).toContain("longhaul: cannot listen on 192.0.2.1:0");
  });
});
