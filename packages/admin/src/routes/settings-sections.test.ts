import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdminServer, openAdminServer } from "../testing/admin-server.ts";
import { changeRoutes, removalOf, routesTo, sectionEntries, sectionsOf } from "./settings-sections.ts";

let server: AdminServer;
beforeEach(async () => {
  server = await openAdminServer({
    upstreams: { a: { kind: "openai", headers: { "x-team": "hush" } }, b: { kind: "openai" } },
    routes: [
      { match: "x", upstream: ["a", "b"], profile: "p" },
      { match: "y", upstream: "b" },
    ],
    profiles: { p: {} },
  });
});
afterEach(() => server.close());

describe("sections", () => {
  it("list the secrets that are set, without empty ones", () => {
    expect(sectionsOf("upstreams", server.settings).map(({ name, secrets }) => [name, secrets])).toEqual([
      ["a", ["headers"]],
      ["b", []],
    ]);
  });

  it("cannot be removed if the file sets a part of them", async () => {
    await server.settings.change({ entries: [{ path: "upstreams.b.maxRetries", value: 0 }], by: "ann" });
    expect(sectionsOf("upstreams", server.settings)[1]).toMatchObject({
      origins: ["file", "stored"],
      canRemove: false,
    });
    expect(() => removalOf("upstreams", "b", server.settings)).toThrow('the upstream "b" is set in the file');
    expect(() => removalOf("profiles", "q", server.settings)).toThrow('profile "q" not found');
  });

  it("are changed field by field, whatever their name", () => {
    expect(sectionEntries("profiles", "a.b", { model: "m", window: null })).toEqual([
      { path: 'profiles."a.b".model', value: "m" },
      { path: 'profiles."a.b".window' },
    ]);
  });

  it("list the routes that use them", () => {
    const { config } = server.settings.layered;
    expect([routesTo("upstreams", "b", config), routesTo("profiles", "p", config)]).toEqual([["x", "y"], ["x"]]);
  });
});

it("makes routes to change and remove, for admins only", () => {
  const routes = changeRoutes("profiles").map(({ method, path, scope }) => [method, path, scope]);
  expect(routes).toEqual([
    ["PATCH", "/profiles/:name", "admin"],
    ["DELETE", "/profiles/:name", "admin"],
  ]);
});
