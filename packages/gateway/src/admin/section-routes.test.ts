import { expect, it } from "vitest";
import { changeRoutes } from "./section-routes.ts";

it("changes and removes, for admins alone", () => {
  const told = changeRoutes("profiles").map(({ method, path, scope }) => [method, path, scope]);
  expect(told).toEqual([
    ["PATCH", "/profiles/:name", "admin"],
    ["DELETE", "/profiles/:name", "admin"],
  ]);
});
