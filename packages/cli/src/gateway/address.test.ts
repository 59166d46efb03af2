import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { dashboardAddress, isAnswering, reachableAddress, reachableHost, requireAnswering } from "./address.ts";

it.each([
  ["127.0.0.1", "http://127.0.0.1:4141"],
  ["0.0.0.0", "http://127.0.0.1:4141"],
  ["::", "http://[::1]:4141"],
  ["[::]", "http://[::1]:4141"],
  ["fe80::1", "http://[fe80::1]:4141"],
  ["gateway.example.org", "http://gateway.example.org:4141"],
])("reaches a gateway on %s at %s", (host, address) => {
  expect(reachableAddress(host, 4141)).toBe(address);
  expect(reachableHost(reachableHost(host))).toBe(reachableHost(host));
});

describe("dashboardAddress", () => {
  it.each([
    ["http://127.0.0.1:4141", "http://127.0.0.1:4141/#token=t"],
    ["http://0.0.0.0:80", "http://127.0.0.1/#token=t"],
    ["http://[::]:4141", "http://[::1]:4141/#token=t"],
    ["http://10.0.0.7:9", "http://10.0.0.7:9/#token=t"],
  ])("returns for %s the link %s", (url, address) => {
    expect(dashboardAddress(url, "t")).toBe(address);
  });
});

describe("requireAnswering", () => {
  it.each([
    ["a gateway", true, '{"status":"ok"}'],
    ["another program", false, "hello"],
  ])("takes %s on this machine for a gateway: %s", async (_, isGateway, body) => {
    const server = createServer((_, response) => response.end(body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    expect(await isAnswering(`http://127.0.0.1:${port}`)).toBe(isGateway);
    server.close();
  });

  it("returns the URL of a running gateway, and throws once it has stopped", async () => {
    const server = createServer((_, response) => response.end('{"status":"ok"}'));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    expect(await requireAnswering(url, "--url")).toBe(url);
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await expect(requireAnswering(url, "--url")).rejects.toThrow(`no gateway is running at ${url}; start it with`);
  });
});
