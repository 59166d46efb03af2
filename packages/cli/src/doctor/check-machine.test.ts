import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { checkListening, checkMachine, type Listening, type Machine, thisMachine } from "./check-machine.ts";

const GOOD = { nodeVersion: "24.1.0", nowMs: 2e12, installedMs: 1.9e12, dashboard: "/pages" };
const states = (machine: Partial<Machine>) => checkMachine({ ...GOOD, ...machine }).map(({ state }) => state);

it("finds nothing wrong with this machine but that pages may not be built", () => {
  expect(checkMachine(thisMachine()).filter(({ state }) => state === "bad")).toEqual([]);
});

it.each([
  ["20.19.0", "bad"],
  ["22.18.9", "bad"],
  ["22.19.0", "good"],
  ["26.0.0", "good"],
])("judges Node %s", (nodeVersion, state) => {
  expect(states({ nodeVersion })[0]).toBe(state);
});

it("sees a clock that is behind, and a dashboard that is not built", () => {
  expect(states({ nowMs: 1e12 })).toEqual(["good", "bad", "good"]);
  expect(states({ dashboard: undefined })).toEqual(["good", "good", "note"]);
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listeningPort(body: string): Promise<number> {
  const server = createServer((_, response) => response.end(body));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const ALONE: Listening = { host: "127.0.0.1", port: 0, keys: "auto", hasKeys: false };
const check = async (listening: Partial<Listening>) => await checkListening({ ...ALONE, ...listening });

describe("the port", () => {
  it("is free, or a gateway runs there, or somebody else", async () => {
    expect((await check({}))[0]).toMatchObject({ state: "good", says: "any free one is taken" });
    const gateway = await listeningPort('{"status":"ok"}');
    expect((await check({ port: gateway }))[0]).toMatchObject({ state: "good", says: "a gateway runs there" });
    const other = await listeningPort("hello");
    expect((await check({ port: other }))[0]).toMatchObject({
      what: `port ${other}`,
      state: "bad",
      says: `another program listens at 127.0.0.1:${other}`,
      remedy: expect.stringContaining("--port"),
    });
  });

  it("cannot be listened on at an address of another machine", async () => {
    expect((await check({ host: "192.0.2.1" }))[0]).toMatchObject({
      state: "bad",
      remedy: "check server.host: it is no address of this machine",
    });
  });
});

describe("who gets in", () => {
  it.each([
    [{}, "good", "this machine alone, without a key"],
    [{ hasKeys: true }, "good", "this machine alone, with a key"],
    [{ keys: "required" }, "bad", "nobody: clients need a key, and there is none"],
    [{ host: "0.0.0.0" }, "bad", "nobody: clients need a key, and there is none"],
    [{ host: "0.0.0.0", hasKeys: true }, "good", "whoever reaches 0.0.0.0, with a key"],
    [{ host: "0.0.0.0", keys: "off" }, "bad", "whoever reaches 0.0.0.0, without a key"],
  ] as const)("with %j", async (listening, state, says) => {
    expect((await check(listening))[1]).toMatchObject({ what: "who gets in", state, says });
  });
});
