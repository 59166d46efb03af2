import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { dispatch } from "./dispatch.ts";

let close = async () => {};
afterEach(() => close());

/** Starts a server with this listener and returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const never = { signal: new AbortController().signal, explain: (error: Error) => error };

describe("dispatch", () => {
  it("requests path and query, and joins repeated headers", async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { "x-list": ["a", "b"] });
      response.end(request.url);
    });
    const answer = await dispatch(new Agent(), { url: `${url}/a/b?c=d`, method: "GET", headers: {} }, never);
    let text = "";
    for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
    expect([answer.headers["x-list"], text]).toEqual(["a, b", "/a/b?c=d"]);
  });

  it("skips early hints and waits for the answer", async () => {
    const url = await serve((_, response) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" });
      response.writeHead(201).end();
    });
    expect(await dispatch(new Agent(), { url, method: "GET", headers: {} }, never)).toMatchObject({ status: 201 });
  });

  it("sends nothing if the signal is already aborted", async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked++;
      response.end();
    });
    const aborted = { ...never, signal: AbortSignal.abort(new Error("gone")) };
    await expect(dispatch(new Agent(), { url, method: "GET", headers: {} }, aborted)).rejects.toThrow("gone");
    expect(asked).toBe(0);
  });
});
