// Opens a thousand slow streams at once through the gateway: measures memory per stream, and the effect on the upstream of a client that
// stops reading.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as waitFor } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { startChild } from "./gateway/children.ts";

const STREAMS = Number(process.env.STREAMS ?? 1_000);
const EVENT = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { content: "word ".repeat(20) }, finish_reason: null }] })}\n\n`;
const EVENTS = 20;
const GAP_MS = 250;

let open = 0;
let written = 0;
const upstream = createServer((incoming, response) => {
  incoming.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  open++;
  response.on("close", () => open--);
  if (incoming.headers["idempotency-key"] === "flood") {
    const flood = () => {
      while (!response.destroyed && response.write(EVENT.repeat(50))) written += EVENT.length * 50;
      response.once("drain", flood);
    };
    return flood();
  }
  let sent = 0;
  const timer = setInterval(() => {
    response.write(EVENT);
    if (++sent === EVENTS) {
      clearInterval(timer);
      response.end("data: [DONE]\n\n");
    }
  }, GAP_MS);
  response.on("close", () => clearInterval(timer));
});
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
const gateway = await startChild([fileURLToPath(new URL("gateway/longhaul.ts", import.meta.url)), url]);
const dispatcher = new Agent({ connections: STREAMS + 10 });
const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "go" }] });
const ask = (key = "slow") =>
  request(`${gateway.url}/v1/chat/completions`, {
    dispatcher,
    method: "POST",
    body,
    headers: { "content-type": "application/json", "idempotency-key": key },
  });

const residentMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, "utf8"))?.[1]) / 1_024;
await (await ask()).body.text();
const before = residentMb();
const startedAt = performance.now();
const streams = Array.from({ length: STREAMS }, async () => (await (await ask()).body.text()).length);
await waitFor((EVENTS * GAP_MS) / 2);
const during = residentMb();
const mostOpen = open;
const lengths = await Promise.all(streams);
const seconds = (performance.now() - startedAt) / 1_000;
const whole = lengths.filter((length) => length === EVENT.length * EVENTS + "data: [DONE]\n\n".length).length;

const flood = await ask("flood");
flood.body.pause();
await waitFor(2_000);
const stoppedAt = written;
await waitFor(1_000);
console.table({
  [`${STREAMS} streams of ${EVENTS} events, one every ${GAP_MS} ms`]: {
    "open at once": mostOpen,
    complete: whole,
    seconds: Number(seconds.toFixed(1)),
    "KB per stream": Number((((during - before) * 1_024) / STREAMS).toFixed(1)),
    "gateway MB": Math.round(during),
  },
  "a client that stops reading": {
    "MB read from the upstream": Number((stoppedAt / 1e6).toFixed(1)),
    "MB a second later": Number((written / 1e6).toFixed(1)),
  },
});
flood.body.destroy();
gateway.stop();
upstream.closeAllConnections();
upstream.close();
await dispatcher.destroy();
