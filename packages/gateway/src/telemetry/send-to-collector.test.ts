import { afterEach, expect, it } from "vitest";
import { type Handler, json, openUpstream } from "../testing/upstream-server.ts";
import { sendToCollector } from "./send-to-collector.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(handler: Handler = json({})) {
  const collector = await openUpstream(handler);
  closers.push(collector.close);
  return collector;
}

it("posts JSON with the collector's headers below its address", async () => {
  const { url, seen } = await open();
  await sendToCollector({ endpoint: `${url}/otlp/`, headers: { "x-team": "a" } }, "/v1/traces", "{}");
  expect(seen).toMatchObject([
    {
      method: "POST",
      path: "/otlp/v1/traces",
      body: "{}",
      headers: { "content-type": "application/json", "x-team": "a" },
    },
  ]);
});

it("sends a password of the address as a header", async () => {
  const { url, seen } = await open();
  await sendToCollector({ endpoint: url.replace("//", "//me:p%40ss@"), headers: {} }, "/v1/metrics", "{}");
  expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
});

it("rejects what is not taken, in words that repeat nothing", async () => {
  const { url } = await open(json({ message: "hush" }, 401));
  await expect(sendToCollector({ endpoint: url, headers: {} }, "/v1/traces", "{}")).rejects.toThrow("it answered 401");
});
