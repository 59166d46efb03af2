import { describe, expect, it } from "vitest";
import { asksForWebSocket, checkHead, hasKeyHeader, hostsOf } from "./guard.ts";

describe("checkHead", () => {
  it.each(["127.0.0.1:4141", "localhost", "LOCALHOST:1", "[::1]:4141", "192.0.2.7", "gate.example:443"])(
    "accepts the host %s",
    (host) => {
      expect(checkHead({ target: "/v1/messages?beta=true&a=?", hosts: [host] }, ["gate.example"])).toEqual({
        path: "/v1/messages",
        query: "?beta=true&a=?",
      });
    },
  );

  it.each([
    [[], "exactly one valid Host"],
    [["localhost", "localhost"], "exactly one valid Host"],
    [["localhost/?"], "exactly one valid Host"],
    [["evil.example"], 'the host "evil.example" is not allowed; add it under server.hosts'],
    [["localhost.evil.example"], "server.hosts"],
  ])("rejects the hosts %o", (hosts, why) => {
    expect(() => checkHead({ target: "/", hosts }, [])).toThrow(why);
  });

  it.each([
    "http://other.example/v1",
    "*",
    "//evil.example/",
    "/v1%2fmessages",
    "/a/../b",
    "/a/..",
    "/a\\b",
    "/%00",
    "/%E0%A4",
  ])("rejects the target %s", (target) => {
    expect(() => checkHead({ target, hosts: ["localhost"] }, [])).toThrow("plain absolute path");
  });

  const page =
    (origin: string, { hasKey = false, host = "localhost" } = {}) =>
    () =>
      checkHead({ target: "/", hosts: [host], origin, hasKey }, ["gate.example"]);

  it.each([
    "https://evil.example",
    "http://localhost.evil.example",
    "http://203.0.113.5",
    "http://192.168.1.7:4141",
    "http://[2001:db8::1]",
    "null",
    "https://[",
  ])("rejects pages of %s, which could spend the operator's key", (origin) => {
    expect(page(origin)).toThrow("send one, or add the page's host under server.hosts");
  });

  it.each(["http://localhost:3000", "http://127.0.0.1", "https://gate.example", "vscode-webview://abc", "app://tool"])(
    "accepts pages of %s",
    (origin) => {
      expect(page(origin)).not.toThrow();
    },
  );

  it.each(["192.168.1.7:4141", "[2001:db8::1]:4141"])("accepts its own pages at %s", (host) => {
    expect(page(`http://${host}`, { host })).not.toThrow();
  });

  it("accepts any page that sends a key", () => {
    expect(page("https://tool.example", { hasKey: true })).not.toThrow();
  });
});

it("returns every Host header, in any case", () => {
  expect(hostsOf({ rawHeaders: ["HOST", "a", "X-Host", "b", "host", "c", "Accept", "host"] })).toEqual(["a", "c"]);
  expect(hostsOf({ rawHeaders: [] })).toEqual([]);
});

it.each(["authorization", "x-api-key", "x-goog-api-key", "x-longhaul-key"])("finds a key in %s", (name) => {
  expect([hasKeyHeader({ [name]: "k" }), hasKeyHeader({ accept: "k" })]).toEqual([true, false]);
});

it.each([
  ["websocket", true],
  ["WebSocket", true],
  ["h2c", false],
  [undefined, false],
])("recognizes the upgrade %s as a WebSocket: %s", (upgrade, expected) => {
  expect(asksForWebSocket({ upgrade })).toBe(expected);
});
