import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Outcome } from "./outcome.ts";
import { sendOutcome } from "./respond.ts";

let close = async () => {};
afterEach(() => close());

async function serveOnce(outcome: Outcome, pingAfterMs = 1_000): Promise<string> {
  const server = createServer(
    (_, response) => void sendOutcome(response, outcome, { id: "lh_1", ping: ": ping\n\n", pingAfterMs }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function* chunks(...texts: (string | Promise<string>)[]): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield new TextEncoder().encode(text);
}

const PING_MS = 25;

describe("sendOutcome", () => {
  it("sends status, headers and body", async () => {
    const url = await serveOnce({ status: 201, headers: { "x-a": "1" }, body: chunks("one ", "two"), isStream: false });
    const response = await fetch(url);
    expect([response.status, response.headers.get("x-a"), await response.text()]).toEqual([201, "1", "one two"]);
  });

  it("sends the length of a whole body", async () => {
    const body = Buffer.from("höher");
    const response = await fetch(await serveOnce({ status: 200, headers: {}, body, isStream: false }));
    expect([response.headers.get("content-length"), await response.text()]).toEqual(["6", "höher"]);
  });

  it("pings a silent stream between events, never inside one", async () => {
    const { promise: pinged, resolve: resolvePinged } = Promise.withResolvers<void>();
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("data: a\n\n");
      await pinged;
      yield Buffer.from("data: b");
      await new Promise((resolve) => setTimeout(resolve, 3 * PING_MS));
      yield Buffer.from("c\n\n");
    }
    const response = await fetch(await serveOnce({ status: 200, headers: {}, body: body(), isStream: true }, PING_MS));
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes(": ping\n\n")) resolvePinged();
    }
    expect(text).toMatch(/^data: a\n\n(: ping\n\n)+data: bc\n\n$/);
  });

  it("reads no faster than the client does", async () => {
    let made = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; made < 2_000; made++) yield new Uint8Array(64 * 1024);
    }
    const url = await serveOnce({ status: 200, headers: {}, body: endless(), isStream: true });
    const { promise, resolve } = Promise.withResolvers<void>();
    const request = get(url, (response) => {
      response.pause();
      setTimeout(resolve, 200);
    });
    await promise;
    expect(made).toBeLessThan(500);
    request.destroy();
  });

  it("stops reading when the client disconnects", async () => {
    const { promise: isOver, resolve: over } = Promise.withResolvers<void>();
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          yield new TextEncoder().encode("data: x\n\n");
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      } finally {
        over();
      }
    }
    const url = await serveOnce({ status: 200, headers: {}, body: endless(), isStream: true });
    const request = get(url, (response) => response.once("data", () => request.destroy()));
    request.on("error", () => {});
    await isOver;
  });
});
