import { expect, it } from "vitest";
import { reachableAddress, reachableHost } from "./reachable-address.ts";

it.each([
  ["127.0.0.1", "http://127.0.0.1:4141"],
  ["0.0.0.0", "http://127.0.0.1:4141"],
  ["::", "http://[::1]:4141"],
  ["[::]", "http://[::1]:4141"],
  ["fe80::1", "http://[fe80::1]:4141"],
  ["gateway.example.org", "http://gateway.example.org:4141"],
])("reaches a gateway on %s at %s", (host, address) => {
  expect(reachableAddress(host, 4141)).toBe(address);
  expect(reachableHost(reachableHost(host))).toBe(reachableHost(host));
});
