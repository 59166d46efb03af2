import { expect, it } from "vitest";
import { storedPath } from "./stored-path.ts";

it.each([
  ["context.threshold", "context.threshold", "context.threshold"],
  ["upstreams.claude.apiKey", "upstreams.*.apiKey", "upstreams.claude.apiKey"],
  ['profiles."gpt-4.1 \\"x.y\\"".model', "profiles.*.model", 'profiles."gpt-4.1 \\"x.y\\"".model'],
  ["routes.0.match", "routes", "routes"],
  ["server.adminToken", undefined, "server.adminToken"],
])("changes %s, which is stored as %s, by %s", (path, storedAs, changed) => {
  expect(storedPath({ path, ...(storedAs === undefined ? {} : { storedAs }) })).toBe(changed);
});
