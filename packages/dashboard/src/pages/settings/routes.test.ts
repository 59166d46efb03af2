import { expect, it } from "vitest";
import { routeOf, withUpstreams } from "./routes.tsx";

it.each([
  [{ match: "a", upstream: "one", context: {} }, ["one"]],
  [{ match: "a", upstream: ["one", "two"] }, ["one", "two"]],
])("edits the upstreams of %j as a list, and stores the route as it was written", (route, upstream) => {
  const edited = withUpstreams(route);
  expect(edited).toEqual({ ...route, upstream });
  expect(routeOf(edited)).toEqual(route);
});

it("leaves a new route without an upstream empty", () => {
  expect(withUpstreams({})).toEqual({});
  expect(routeOf(undefined)).toEqual({});
});
