import { afterEach, describe, expect, it } from "vitest";
import { POSTGRES_SKIP } from "../testing/postgres-binaries.ts";
import { openRelay, type Relay } from "../testing/relay.ts";
import { sharedPostgres } from "../testing/shared-postgres.ts";
import { readAddress } from "./address.ts";
import { makeSignOfLife } from "./sign-of-life.ts";

describe.skipIf(POSTGRES_SKIP !== "")(`makeSignOfLife${POSTGRES_SKIP}`, () => {
  let relay: Relay | undefined;
  afterEach(() => relay?.close());

  it("takes an answer for life, and a refusal too", async () => {
    const { port } = await sharedPostgres();
    expect(await signOf(port)).toBe(true);
    expect(await signOf(port, "absent")).toBe(true);
  });

  it("misses it where nobody listens, and where nobody answers", async () => {
    relay = await openRelay((await sharedPostgres()).port);
    relay.hang();
    expect(await signOf(relay.port)).toBe(false);
    expect(await signOf(1)).toBe(false);
  });

  it("gives those who ask at once one answer", async () => {
    const isAlive = makeSignOfLife(readAddress("postgres://127.0.0.1:1/longhaul"));
    const asking = isAlive();
    expect(isAlive()).toBe(asking);
    await asking;
    expect(isAlive()).not.toBe(asking);
  });

  function signOf(port: number, database = "postgres"): Promise<boolean> {
    return makeSignOfLife(readAddress(`postgres://longhaul@127.0.0.1:${port}/${database}`))();
  }
});
