import { textMessage } from "@longhaul/conversation";
import { PIXEL_PNG } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Part, Rendering } from "../history/parts.ts";
import { makeChat, openFitBench } from "../testing/index.ts";
import { rawForm } from "./fit-request.ts";
import { hasSurplusMedia } from "./surplus-media.ts";

const image = (data = PIXEL_PNG) => ({ type: "image", source: { type: "base64", media_type: "image/png", data } });
const pictured = (count: number) =>
  makeChat(0, {
    messages: Array.from({ length: count }, (_, index) => [
      { role: "user", content: [image()] },
      { role: "assistant", content: `Seen ${index}.` },
    ]).flat(),
  });

async function surplusOf(facts: object, body: object, rendering?: Partial<Rendering>) {
  const fitRequest = await (await openFitBench({ facts })).fitRequest(body);
  const made = rendering && { messages: 0, parts: [], prints: [], ratio: 1, ...rendering };
  return hasSurplusMedia(fitRequest, { ...rawForm(fitRequest), ...(made && { rendering: made }) });
}

const kept = (from: number, to: number): Part => ({ kind: "kept", from, to });
const written = (text: string): Part => ({
  kind: "written",
  json: JSON.stringify(textMessage("user", text)),
  tokens: 1,
});

describe("hasSurplusMedia", () => {
  it("counts the images that are sent", async () => {
    const facts = { images: { maxCount: 2 } };
    expect(await surplusOf(facts, pictured(2))).toBe(false);
    expect(await surplusOf(facts, pictured(3))).toBe(true);
    expect(await surplusOf(facts, pictured(3), { messages: 2, parts: [written("Gone.")] })).toBe(false);
    expect(await surplusOf(facts, pictured(3), { messages: 2, parts: [kept(0, 2)] })).toBe(true);
    expect(await surplusOf({}, pictured(3))).toBe(false);
  });

  it("looks at the size of the largest", async () => {
    const facts = { images: { maxBytes: 2_000 } };
    const large = makeChat(0, { messages: [{ role: "user", content: [image(), image("A".repeat(2_800))] }] });
    expect(await surplusOf(facts, pictured(1))).toBe(false);
    expect(await surplusOf(facts, large)).toBe(true);
  });

  it("counts the bytes of the body as it is sent, whatever they spell", async () => {
    const facts = { maxRequestBytes: 2_000 };
    const body = makeChat(5);
    expect(JSON.stringify(body).length).toBeGreaterThan(2_000);
    expect(await surplusOf(facts, makeChat(1))).toBe(false);
    expect(await surplusOf(facts, body)).toBe(true);
    expect(await surplusOf(facts, body, { messages: 10, parts: [written("In short.")] })).toBe(false);
    expect(await surplusOf(facts, body, { messages: 10, parts: [kept(0, 10)] })).toBe(true);
    expect(await surplusOf(facts, body, { messages: 10, parts: [written("ü".repeat(1_000))] })).toBe(true);
  });
});
