import { expect, it } from "vitest";
import { isLoopback } from "./loopback.ts";

it.each(["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])("takes %s for this machine alone", (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each(["0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example.com", "127.example.com", "localhost.example.com", ""])(
  "takes %j for the network",
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
