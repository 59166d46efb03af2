import { expect, it } from "vitest";
import { asksForWebSocket, findSocketEndpoint, noWebSocket } from "./upgrade.ts";

it.each([
  ["websocket", true],
  ["WebSocket", true],
  ["h2c", false],
  [undefined, false],
])("takes the upgrade %s for a WebSocket: %s", (upgrade, expected) => {
  expect(asksForWebSocket({ upgrade })).toBe(expected);
});

it.each([
  ["/v1/responses", "openai-responses"],
  ["/responses", "openai-responses"],
  ["/v1/responses/compact", undefined],
  ["/v1/messages", undefined],
])("knows what could be asked for at %s", (path, wire) => {
  expect(findSocketEndpoint(path)?.wire).toBe(wire);
});

it("refuses with the status on which clients fall back", () => {
  expect(noWebSocket()).toMatchObject({ status: 426, retryable: false });
});
