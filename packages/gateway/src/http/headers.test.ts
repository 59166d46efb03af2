import { expect, it } from "vitest";
import { bringsKey, hostsOf } from "./headers.ts";

it("sees every Host, however it is spelled", () => {
  expect(hostsOf({ rawHeaders: ["HOST", "a", "X-Host", "b", "host", "c", "Accept", "host"] })).toEqual(["a", "c"]);
  expect(hostsOf({ rawHeaders: [] })).toEqual([]);
});

it.each(["authorization", "x-api-key", "x-goog-api-key", "x-longhaul-key"])("knows a key in %s", (name) => {
  expect([bringsKey({ [name]: "k" }), bringsKey({ accept: "k" })]).toEqual([true, false]);
});
