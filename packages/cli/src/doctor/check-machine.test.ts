import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { makeKey } from "@longhaul/admin";
import { afterEach, describe, expect, it } from "vitest";
import { checkAccess, checkMachine, checkPort, type Listening, thisMachine } from "./check-machine.ts";

const GOOD = { nodeVersion: "24.1.0", nowMs: 2e12, installedMs: 1.9e12, dashboard: "/pages" };
const states = (machine: Partial<ReturnType<typeof thisMachine>>) =>
  checkMachine({ ...GOOD, ...machine }).map(({ state }) => state);

it("passes on this machine, except that the dashboard may not be built", () => {
  expect(checkMachine(thisMachine()).filter(({ state }) => state === "bad")).toEqual([]);
});

it.each([
  ["20.19.0", "bad"],
  ["22.18.9", "bad"],
  ["22.19.0", "good"],
  ["26.0.0", "good"],
])("rates Node %s", (nodeVersion, state) => {
  expect(states({ nodeVersion })[0]).toBe(state);
});

it("reports a clock that is behind and a dashboard that is not built", () => {
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

const ALONE: Listening = { host: "127.0.0.1", port: 0, keys: "auto", all: [] };
const { stored: ACTIVE } = makeKey({ name: "laptop", createdAtMs: 1 });
const REVOKED = { ...ACTIVE, revokedAtMs: 2 };
const ALL_REVOKED = "every request is rejected: API keys are required, and all of them are revoked";
const check = async (listening: Partial<Listening>) => [
  await checkPort({ ...ALONE, ...listening }),
  await checkAccess({ ...ALONE, ...listening }),
];

describe("checkPort", () => {
  it("distinguishes a free port, a running gateway and another program", async () => {
    expect((await check({}))[0]).toMatchObject({ state: "good", message: "any free port" });
    const gateway = await listeningPort('{"status":"ok"}');
    expect((await check({ port: gateway }))[0]).toMatchObject({ state: "good", message: "a gateway is running" });
    const other = await listeningPort("hello");
    expect((await check({ port: other }))[0]).toMatchObject({
      what: `port ${other}`,
      state: "bad",
      message: `another program is listening on 127.0.0.1:${other}`,
      remedy: expect.stringContaining("--port"),
    });
  });

  it("reports an address of another machine", async () => {
    expect((await check({ host: "192.0.2.1" }))[0]).toMatchObject({
      state: "bad",
      remedy: "check server.host: it is not an address of this machine",
    });
  });
});

describe("checkAccess", () => {
  it.each([
    [{}, "good", "local only, no API key required"],
    [{ all: [ACTIVE, REVOKED] }, "good", "local only, API key required"],
    [{ all: [REVOKED] }, "bad", ALL_REVOKED],
    [{ host: "0.0.0.0", all: [REVOKED] }, "bad", ALL_REVOKED],
    [{ keys: "required" }, "bad", "every request is rejected: API keys are required, and none exists"],
    [{ host: "0.0.0.0" }, "bad", "every request is rejected: API keys are required, and none exists"],
    [{ host: "0.0.0.0", all: [ACTIVE] }, "good", "anyone who can reach 0.0.0.0, API key required"],
    [{ host: "0.0.0.0", keys: "off" }, "bad", "anyone who can reach 0.0.0.0, no API key required"],
  ] as const)("rates %j", async (listening, state, message) => {
    expect((await check(listening))[1]).toMatchObject({ what: "access", state, message });
  });

  it("offers the way back to no keys only where a gateway without keys answers", async () => {
    const remedyOf = async (listening: Partial<Listening>) => (await check(listening))[1]?.remedy;
    expect(await remedyOf({ all: [REVOKED] })).toContain("`longhaul keys delete --all`");
    expect(await remedyOf({ all: [REVOKED], host: "0.0.0.0" })).not.toContain("delete");
    expect(await remedyOf({ all: [REVOKED], keys: "required" })).not.toContain("delete");
  });
});
