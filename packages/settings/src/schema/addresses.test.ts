import { describe, expect, it } from "vitest";
import { adminAddress, isLoopback, sharesAdminPort } from "./addresses.ts";

it.each(["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])("treats %s as a loopback address", (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each(["0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example.com", "127.example.com", "localhost.example.com", ""])(
  "treats %j as reachable from the network",
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);

describe("adminAddress", () => {
  it.each([
    [{ host: "127.0.0.1", port: 4141 }, "127.0.0.1:4141", true],
    [{ host: "::1", port: 0 }, "::1:0", true],
    [{ host: "127.0.0.1", port: 4141, adminPort: 4141 }, "127.0.0.1:4141", true],
    [{ host: "127.0.0.1", port: 0, adminPort: 0 }, "127.0.0.1:0", false],
    [{ host: "127.0.0.1", port: 4141, adminPort: 9 }, "127.0.0.1:9", false],
    [{ host: "127.0.0.1", port: 4141, adminHost: "0.0.0.0" }, "0.0.0.0:4142", false],
    [{ host: "0.0.0.0", port: 4141 }, "127.0.0.1:4142", false],
    [{ host: "0.0.0.0", port: 65_535 }, "127.0.0.1:65534", false],
    [{ host: "gate.example", port: 0 }, "127.0.0.1:0", false],
    [{ host: "0.0.0.0", port: 4141, adminPort: 9 }, "127.0.0.1:9", false],
    [{ host: "0.0.0.0", port: 4141, adminHost: "0.0.0.0" }, "0.0.0.0:4142", false],
    [{ host: "0.0.0.0", port: 4141, adminHost: "0.0.0.0", adminPort: 4141 }, "0.0.0.0:4141", true],
  ])("of %o is %s", (server, address, isShared) => {
    const { host, port } = adminAddress(server);
    expect([`${host}:${port}`, sharesAdminPort(server)]).toEqual([address, isShared]);
  });
});
