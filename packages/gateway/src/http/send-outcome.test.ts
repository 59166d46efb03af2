import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Outcome } from "./outcome.ts";
import { sendOutcome } from "./send-outcome.ts";

let close = async () => {};
afterEach(() => close());

async function serveOnce(outcome: Outcome, pingAfterMs = 1_000): Promise<string> {
  const server = createServer(
    (_, response) => void sendOutcome(response, outcome, { ping: ": ping\n\n", pingAfterMs }),
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

describe("sendOutcome", () => {
  it("sends status, headers and body", async () => {
    const url = await serveOnce({ status: 201, headers: { "x-a": "1" }, body: chunks("one ", "two"), isStream: false });
    const response = await fetch(url);
    expect([response.status, response.headers.get("x-a"), await response.text()]).toEqual([201, "1", "one two"]);
  });

  it("says how long a body is that is there already", async () => {
    const body = Buffer.from("höher");
    const response = await fetch(await serveOnce({ status: 200, headers: {}, body, isStream: false }));
    expect([response.headers.get("content-length"), await response.text()]).toEqual(["6", "höher"]);
  });

  it("pings a silent stream between events, never inside one", async () => {
    const later = (text: string) => new Promise<string>((resolve) => setTimeout(resolve, 60, text));
    const body = chunks("data: a\n\n", later("data: b"), later("c\n\n"));
    const url = await serveOnce({ status: 200, headers: {}, body, isStream: true }, 25);
    const text = await (await fetch(url)).text();
    expect(text.replaceAll(": ping\n\n", "")).toBe("data: a\n\ndata: bc\n\n");
    expect(text).toMatch(/^data: a\n\n(: ping\n\n)+data: bc\n\n/);
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

  it("stops asking for more when the client is gone", async () => {
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
