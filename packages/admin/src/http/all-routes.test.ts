import { expect, it } from "vitest";
import { ALL_ROUTES } from "./all-routes.ts";

it("lists each route once", () => {
  const named = ALL_ROUTES.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ":")}`);
  expect(new Set(named).size).toBe(named.length);
});

it("has no body for a GET", () => {
  expect(ALL_ROUTES.filter(({ method, body }) => method === "GET" && body !== undefined)).toEqual([]);
});
