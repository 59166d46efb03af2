import { parseConfig } from "@longhaul/settings";
import { describe, expect, it } from "vitest";
import { configChanges } from "./config-changes.ts";

const before = { server: { port: 1 }, upstreams: { a: { kind: "openai", apiKey: "k" } } };

function changes(after: object) {
  return configChanges(parseConfig(before, {}), parseConfig(after, {}));
}

describe("configChanges", () => {
  it("names nothing where everything is the same", () => {
    expect(changes(structuredClone(before))).toEqual({ changed: [], needRestart: [] });
  });

  it("names the keys under which anything differs", () => {
    const upstreams = { a: { kind: "openai", apiKey: "other" } };
    const routes = [{ match: "*", upstream: "a" }];
    expect(changes({ ...before, upstreams, routes })).toEqual({ changed: ["upstreams", "routes"], needRestart: [] });
  });

  it.each([
    [{ port: 2 }, ["server.port"]],
    [{ port: 2, host: "::1" }, ["server.host", "server.port"]],
    [{ port: 1, maxRequests: 5 }, []],
  ])("says of %o what needs a restart", (server, needRestart) => {
    expect(changes({ ...before, server })).toEqual({ changed: ["server"], needRestart });
  });
});
