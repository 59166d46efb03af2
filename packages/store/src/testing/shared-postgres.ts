import { once } from "node:events";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach } from "vitest";
import { databasesAt, openPostgresServer, type PostgresDatabases, type PostgresServer } from "./postgres.ts";

/** Holds the port that answers with PostgreSQL's port. */
const PORT_VARIABLE = "LONGHAUL_TEST_POSTGRES";

let shared: Promise<PostgresDatabases> | undefined;

/** The PostgreSQL shared by a whole test run, started on first use; each test creates its own databases. */
export function sharedPostgres(): Promise<PostgresDatabases> {
  const askingPort = process.env[PORT_VARIABLE];
  shared ??= askingPort === undefined ? openPostgresServer() : connectToShared(Number(askingPort));
  return shared;
}

async function connectToShared(askingPort: number): Promise<PostgresDatabases> {
  return databasesAt(Number(await text(connect(askingPort, "127.0.0.1"))));
}

/** Vitest's global setup: offers a PostgreSQL to all test processes, and returns its teardown. A nested call does nothing. */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env[PORT_VARIABLE] !== undefined) return async () => {};
  let server: Promise<PostgresServer> | undefined;
  const offering = createServer((socket) => {
    server ??= openPostgresServer();
    server.then(
      ({ port }) => socket.end(String(port)),
      () => socket.destroy(),
    );
  });
  offering.listen(0, "127.0.0.1");
  await once(offering, "listening");
  offering.unref();
  const address = offering.address();
  process.env[PORT_VARIABLE] = String(typeof address === "object" ? address?.port : "");
  return async () => {
    delete process.env[PORT_VARIABLE];
    offering.close();
    await (await server)?.close();
  };
}

/** Returns URLs of databases that are dropped after each test; until then the same name returns the same one. */
export function makePostgresDatabases(): (name?: string) => Promise<string> {
  const databases = new Map<string, Promise<string>>();
  afterEach(async () => {
    if (databases.size === 0) return;
    const server = await sharedPostgres();
    for (const url of databases.values()) await server.dropDatabase(await url);
    databases.clear();
  });
  return (name = "") => {
    const known = databases.get(name) ?? sharedPostgres().then((server) => server.createDatabase());
    databases.set(name, known);
    return known;
  };
}
