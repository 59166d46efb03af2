import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { askTurn, CACHED, markLast } from "./ask-turn.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Starts a gateway that answers this. */
async function answering(body: object, headers: Record<string, string> = {}, status = 200): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, headers).end(JSON.stringify(body)));
  closers.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return `http://127.0.0.1:${address.port}`;
}

const usage = { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 70 };

it("uses the vendor's count if the request was sent unchanged", async () => {
  const url = await answering({ content: [], usage });
  expect(await askTurn({ url, session: "s", body: {} })).toEqual({
    originalTokens: 100,
    sentTokens: 100,
    cachedTokens: 70,
    origin: "",
    strategy: "",
    content: [],
  });
});

it("uses the gateway's headers if the request was condensed", async () => {
  const headers = {
    "x-original-tokens": "900",
    "x-compressed-tokens": "300",
    "x-longhaul-context": "reused",
    "x-longhaul-strategy": "smart",
  };
  const url = await answering({ content: [], usage }, headers);
  expect(await askTurn({ url, session: "s", body: {} })).toMatchObject({
    originalTokens: 900,
    sentTokens: 300,
    origin: "reused",
    strategy: "smart",
  });
});

it("throws the gateway's error", async () => {
  const refusing = await answering({ error: { message: "too long" } }, {}, 400);
  await expect(askTurn({ url: refusing, session: "s", body: {} })).rejects.toThrow("status 400: too long");
  const silent = await answering([], {}, 500);
  await expect(askTurn({ url: silent, session: "s", body: {} })).rejects.toThrow("no reason given");
});

it("marks only the last block of the last message", () => {
  const first = { role: "user", content: "Hello" };
  const blocks = [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ];
  expect(markLast([first, { role: "assistant", content: blocks }])).toEqual([
    first,
    { role: "assistant", content: [blocks[0], { ...blocks[1], cache_control: CACHED }] },
  ]);
});

it("converts text to a block to mark it", () => {
  expect(markLast([{ role: "user", content: "Hello" }])).toEqual([
    { role: "user", content: [{ type: "text", text: "Hello", cache_control: CACHED }] },
  ]);
  expect(markLast([])).toEqual([]);
});
