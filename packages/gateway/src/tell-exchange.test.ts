import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import type { EndedRequest } from "./events/observer.ts";
import { openExchange } from "./exchange.ts";
import { tellExchange } from "./tell-exchange.ts";
import { makeSnapshot } from "./testing/snapshot.ts";

const endpoint = { wire: "anthropic-messages", action: "generate", method: "POST" } as const;
const usage = { inputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 7 };

function open() {
  const lines: string[] = [];
  const request = new IncomingMessage(new Socket());
  const told: EndedRequest[] = [];
  const observer = { finished: (one: EndedRequest) => void told.push(one), condensed: () => {} };
  const exchange = openExchange(request, new ServerResponse(request), makeSnapshot({}, lines));
  return { exchange, request, observer, told, lines };
}

describe("tellExchange", () => {
  it("tells whoever learns, the log and the observer", () => {
    const { exchange, request, observer, told, lines } = open();
    const learned: unknown[] = [];
    request.headers.traceparent = "00-aa-bb-01";
    exchange.note({ model: "sk-hush-0123456789", usage: () => usage, learn: (seen) => void learned.push(seen) });
    tellExchange(exchange, endpoint, observer);
    expect(learned).toEqual([usage]);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ id: exchange.id, outputTokens: 7, msg: "request finished" });
    expect(told).toMatchObject([{ event: { id: exchange.id, model: "[redacted]", outputTokens: 7 } }]);
    expect(told[0]?.traceparent).toBe("00-aa-bb-01");
  });

  it.each([
    [new SyntaxError("Unexpected token in: the user's words"), undefined],
    [new LonghaulError("upstream.broken", "the user's words"), undefined],
    [new Error("connect ECONNREFUSED 10.0.0.1:443"), "it failed (connect ECONNREFUSED 10.0.0.1:443)"],
    [undefined, "it failed"],
  ])("logs why an upstream's answer is broken because of %s as %s", (cause, why) => {
    const { exchange, observer, lines } = open();
    exchange.note({ error: new LonghaulError("upstream.broken", "it failed", { cause }) });
    tellExchange(exchange, endpoint, observer);
    expect(JSON.parse(lines[0] ?? "").why).toBe(why);
    expect(lines.join()).not.toContain("the user's words");
  });

  it("tells the log alone of what nobody serves", () => {
    const { exchange, observer, told, lines } = open();
    tellExchange(exchange, undefined, observer);
    expect([told, lines.length]).toEqual([[], 1]);
  });
});
