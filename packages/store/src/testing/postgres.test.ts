import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { findPostgres, POSTGRES_SKIP } from "./postgres.ts";
import { sharedPostgres } from "./shared-postgres.ts";

const module = new URL("postgres.ts", import.meta.url);
const PROGRAM = `
  const { openPostgresServer } = await import("${module}");
  const { port } = await openPostgresServer();
  process.stdout.write(port + "\\n");
  await new Promise((resolve) => setTimeout(resolve, 1_000_000));
`;

describe.skipIf(POSTGRES_SKIP !== "")(`the test PostgreSQL${POSTGRES_SKIP}`, () => {
  it("ends with the process that started it, even if that is killed", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [port] = await once(createInterface(child.stdout), "line");
    expect(await answers(port)).toBe(true);
    child.kill("SIGKILL");
    await expect.poll(() => answers(port), { interval: 100 }).toBe(false);
  });

  it("returns an empty database each time", async () => {
    const server = await sharedPostgres();
    const urls = [await server.createDatabase(), await server.createDatabase()];
    for (const url of urls) {
      const client = new Client(url);
      await client.connect();
      await client.query("create table words (word text)");
      await client.end();
    }
    for (const url of urls) await server.dropDatabase(url);
    expect(await server.ask("select * from pg_tables where tablename = 'words'")).toEqual([]);
  });
});

it("is absent on machines without an npm package", () => {
  expect(findPostgres("sunos-sparc")).toBeUndefined();
});

async function answers(port: string): Promise<boolean> {
  const client = new Client(`postgres://longhaul@127.0.0.1:${port}/postgres`);
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
