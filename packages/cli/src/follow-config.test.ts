import { spawn } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { run } from "./program.ts";
import { makeTerminal, type TestTerminal } from "./testing/terminal.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(root, { recursive: true }));
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const models = (name: string) => `upstreams: { s: { kind: simulator } }\nroutes: [{ match: ${name}, upstream: s }]\n`;

/** A gateway started in a folder of its own, with this configuration in it. */
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

/** The lines of the log about the configuration. */
function logOf(output: string): Record<string, unknown>[] {
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith("configuration "));
}

function lastLine(terminal: TestTerminal) {
  return logOf(terminal.output()).at(-1);
}

describe("a configuration file that changes", () => {
  it("is in force at once, also where an editor replaces it, and the log names what changed", async () => {
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

  it("changes nothing where it is bad, and the log names every bad key", async () => {
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
          /2 faults.*upstreams\.s\.apiKey: the variable NO_KEY.*\n {2}- route: there is no such setting$/s,
        ),
      });
    rmSync(path);
    await expect.poll(() => lastLine(terminal)?.why).toMatch(/given\.yaml cannot be read/);
    expect(await names()).toEqual(["one"]);
    writeFileSync(path, models("two"));
    await expect.poll(names).toEqual(["two"]);
  });

  it("changes nothing where it was emptied", async () => {
    const { terminal, path, names } = await startIn({ file: "longhaul.yaml", text: models("one") });
    writeFileSync(path, "");
    await expect.poll(() => lastLine(terminal)).toMatchObject({ why: expect.stringContaining("no routes") });
    expect(await names()).toEqual(["one"]);
  });

  it("is told to need a restart where it moves the gateway, but not where a flag decides that", async () => {
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

  it("is found where there was none at the start", async () => {
    const { path, names } = await startIn({ file: "longhaul.yaml" });
    expect((await names()).length).toBeGreaterThan(1);
    writeFileSync(path, models("one"));
    await expect.poll(names).toEqual(["one"]);
  });

  it("may ask for the simulator where nobody did at the start", async () => {
    const text = "upstreams: { o: { kind: openai } }\nroutes: [{ match: one, upstream: o }]\n";
    const { path, names } = await startIn({ file: "longhaul.yaml", text });
    writeFileSync(path, models("two"));
    await expect.poll(names).toEqual(["two"]);
  });
});

it("reads its configuration again when it is asked to, changed or not", async () => {
  const { terminal, logged } = await startIn({ file: "longhaul.yaml", text: models("one") });
  terminal.reload();
  expect(logged()).toMatchObject([{ changed: [], msg: "configuration reloaded" }]);
});

it("runs as a program that SIGHUP reloads and SIGTERM stops", async () => {
  const folder = mkdtempSync(join(root, "f"));
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
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
