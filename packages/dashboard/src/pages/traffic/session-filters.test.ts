import { expect, it } from "vitest";
import { lastFolder, sessionListQuery } from "./session-filters.tsx";

it("reads the filters, the order and the range of an address", () => {
  const query = { text: "login", project: "/srv/app", sort: "costUsd", other: "x", from: "2026-11-01T00:00Z" };
  expect(sessionListQuery(query, 0)).toEqual({
    filters: { text: "login", project: "/srv/app" },
    range: { period: "custom", sinceMs: Date.UTC(2026, 10, 1) },
    sort: "costUsd",
    group: "",
  });
});

it("sorts by what it groups by", () => {
  const sortOf = (query: Readonly<Record<string, string>>) => sessionListQuery(query, 0).sort;
  expect([sortOf({ group: "project", sort: "costUsd" }), sortOf({ group: "day", sort: "costUsd" })]).toEqual([
    "project",
    "lastAtMs",
  ]);
  expect([sortOf({ sort: "constructor" }), sortOf({ group: "moon" })]).toEqual(["lastAtMs", "lastAtMs"]);
});

it.each([
  ["/home/me/code/shop", "…/code/shop"],
  ["C:\\code\\my app", "…/code/my app"],
  ["/srv", "/srv"],
])("shortens the folder %s", (path, short) => {
  expect(lastFolder(path)).toBe(short);
});
