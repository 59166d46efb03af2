import { expect, it } from "vitest";
import { ALL_ROUTES } from "./all-routes.ts";

it("has each route once", () => {
  const named = ALL_ROUTES.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ":")}`);
  expect(new Set(named).size).toBe(named.length);
});

it("lets nothing be changed by a GET", () => {
  expect(ALL_ROUTES.filter(({ method, body }) => method === "GET" && body !== undefined)).toEqual([]);
});
