import { parseConfig } from "@longhaul/settings";
import { expect, it } from "vitest";
import { routeReasoning } from "./route-reasoning.ts";

const config = parseConfig(
  {
    upstreams: { up: { kind: "simulator" } },
    reasoning: { effort: "low", exclude: true },
    profiles: { deep: { reasoning: { effort: "medium" } } },
    routes: [
      { match: "a", upstream: "up", profile: "deep", reasoning: { effort: "high" } },
      { match: "b", upstream: "up", profile: "deep" },
      { match: "*", upstream: "up" },
    ],
  },
  {},
);

it("lets the route decide before its profile, and that before the global settings", () => {
  const efforts = [...config.routes, undefined].map((route) => routeReasoning(route, config));
  expect(efforts).toEqual([
    { effort: "high", exclude: true },
    { effort: "medium", exclude: true },
    { effort: "low", exclude: true },
    { effort: "low", exclude: true },
  ]);
});
