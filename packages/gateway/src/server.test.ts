import { afterEach, expect, it } from "vitest";
import { type Gateway, openGateway } from "./server.ts";

const opened: Gateway[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

it("answers /healthz", async () => {
  const { url } = await open();
  const response = await fetch(`${url}/healthz?probe=1`);
  expect([response.status, response.headers.get("content-type"), await response.json()]).toEqual([
    200,
    "application/json",
    { status: "ok" },
  ]);
});

it("answers a probe without a body", async () => {
  const { url } = await open();
  const response = await fetch(`${url}/healthz`, { method: "HEAD" });
  expect([response.status, await response.text()]).toEqual([200, ""]);
});

it.each([
  ["GET", "/nowhere"],
  ["POST", "/healthz"],
])("says that %s %s is not served", async (method, path) => {
  const { url } = await open();
  const response = await fetch(url + path, { method });
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    error: {
      code: "route.unknown",
      message: `nothing is served at ${method} ${path}; GET /healthz tells whether the gateway is up`,
    },
  });
});

it("says what to do when the port is taken", async () => {
  const { url } = await open();
  const port = Number(new URL(url).port);
  await expect(openGateway({ host: "127.0.0.1", port })).rejects.toMatchObject({
    code: "settings.invalid",
    message: `cannot listen on 127.0.0.1:${port}: another program uses that port; set PORT to a free one`,
  });
});

it("says what to do when the address is not this machine's", async () => {
  await expect(openGateway({ host: "192.0.2.1", port: 0 })).rejects.toMatchObject({
    code: "settings.invalid",
    message: expect.stringContaining("set --host to one that it has"),
  });
});

it("accepts nothing after it was closed", async () => {
  const { url, close } = await openGateway({ host: "127.0.0.1", port: 0 });
  await close();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

async function open(): Promise<Gateway> {
  const gateway = await openGateway({ host: "127.0.0.1", port: 0 });
  opened.push(gateway);
  return gateway;
}
