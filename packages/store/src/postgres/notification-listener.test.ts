import { Client } from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { POSTGRES_SKIP } from "../testing/postgres-binaries.ts";
import { openRelay, type Relay } from "../testing/relay.ts";
import { sharedPostgres } from "../testing/shared-postgres.ts";
import { readAddress } from "./address.ts";
import { NotificationListener } from "./notification-listener.ts";

const CHECK_MS = 50;
const PATIENT = { timeout: 60_000 };

describe.skipIf(POSTGRES_SKIP !== "")(`NotificationListener${POSTGRES_SKIP}`, () => {
  let listener: NotificationListener;
  const relays: Relay[] = [];
  const heard = vi.fn();
  afterEach(async () => {
    await listener.close();
    for (const relay of relays.splice(0)) await relay.close();
    heard.mockReset();
  });

  it("hears what is said on its channel", async () => {
    await open();
    await vi.waitUntil(() => listener.isHearing, PATIENT);
    const before = heard.mock.calls.length;
    await say("ear_test");
    await vi.waitUntil(() => heard.mock.calls.length > before, PATIENT);
  });

  it("begins again when its connection is lost, and looks at what it may have missed", async () => {
    await open();
    await vi.waitUntil(() => listener.isHearing, PATIENT);
    const before = heard.mock.calls.length;
    const { command } = await sharedPostgres();
    await command("select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen ear_test;%'");
    await vi.waitUntil(() => heard.mock.calls.length > before && listener.isHearing, PATIENT);
  });

  it("knows that it hears nothing where its words do not come back", async () => {
    await open({ say: async () => {} });
    await vi.waitUntil(() => heard.mock.calls.length > 0, PATIENT);
    expect(listener.isHearing).toBe(false);
  });

  it("notices that it has gone deaf", async () => {
    const relay = await openRelay((await sharedPostgres()).port);
    relays.push(relay);
    await open({ port: relay.port });
    await vi.waitUntil(() => listener.isHearing, PATIENT);
    relay.hang();
    await vi.waitUntil(() => !listener.isHearing, PATIENT);
  });

  it("tries again where nobody listens, until it is closed", async () => {
    await open({ port: 1 });
    expect(listener.isHearing).toBe(false);
  });

  async function open(options: { port?: number; say?: (channel: string) => Promise<void> } = {}): Promise<void> {
    const port = options.port ?? (await sharedPostgres()).port;
    const address = readAddress(`postgres://longhaul@127.0.0.1:${port}/postgres`);
    listener = new NotificationListener({
      address,
      channel: "ear_test",
      onHeard: heard,
      say: options.say ?? say,
      checkMs: CHECK_MS,
    });
  }

  async function say(channel: string): Promise<void> {
    const client = new Client(`postgres://longhaul@127.0.0.1:${(await sharedPostgres()).port}/postgres`);
    await client.connect();
    await client.query(`notify ${channel}`);
    await client.end();
  }
});
