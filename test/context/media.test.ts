import { describe, expect, it, onTestFinished } from "vitest";
import { openRig, type Rig, type RigOptions, talk } from "./rig.ts";

/** A model that takes three images of at most 600 bytes. */
async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const facts = { window: 100_000, maxOutput: 1_000, images: { supported: true, maxCount: 3, maxBytes: 600 } };
  const rig = await openRig({
    window: 100_000,
    ...options,
    config: { models: { "claude-sonnet-4-5": { ...facts, ...options.config } } },
  });
  onTestFinished(rig.close);
  return rig;
}

function image(seed: number, bytes = 300): object {
  const data = Buffer.alloc(Math.floor((bytes * 3) / 4), seed).toString("base64");
  return { type: "image", source: { type: "base64", media_type: "image/png", data } };
}

function shown(count: number, bytes?: number): object[] {
  return Array.from({ length: count }, (_, index) => [
    { role: "user", content: [{ type: "text", text: `Look at picture ${index}.` }, image(index, bytes)] },
    { role: "assistant", content: `Seen ${index}.` },
  ]).flat();
}

const LAST = { role: "user", content: "What did you see?" };

function imagesIn(rig: Rig): number[] {
  return rig.turns().map(({ body }) => JSON.stringify(body).split('"type":"image"').length - 1);
}

function sentMessages(rig: Rig): { content: { type: string; text?: string }[] }[] {
  return (
    (rig.turns()[0]?.body as { messages: { content: { type: string; text?: string }[] }[] } | undefined)?.messages ?? []
  );
}

describe("a request with more images than the upstream takes", () => {
  it("loses the oldest, each leaving a line of text, and keeps them gone on later turns", async () => {
    const rig = await rigOf();
    const answer = await rig.say([...shown(5), LAST]);
    expect(answer.status, answer.text).toBe(200);
    const again = await rig.say([...shown(5), LAST, { role: "assistant", content: "Pictures." }, LAST]);
    expect([answer, again].map(({ headers }) => headers.get("x-longhaul-context"))).toEqual(["new", "reused"]);
    expect(imagesIn(rig)).toEqual([2, 2]);
    const messages = sentMessages(rig);
    expect(messages[0]?.content).toMatchObject([
      { text: "Look at picture 0." },
      { type: "text", text: expect.stringMatching(/image.*png/i) },
    ]);
    expect(messages[8]?.content[1]).toMatchObject({ type: "image" });
  });

  it("loses one that is too large, wherever it is", async () => {
    const rig = await rigOf();
    const answer = await rig.say([...shown(1, 900), ...talk(1), LAST]);
    expect(answer.status, answer.text).toBe(200);
    expect(imagesIn(rig)).toEqual([0]);
  });

  it("is refused where the user shows it right now, in words that say why", async () => {
    const rig = await rigOf();
    const answer = await rig.say(shown(1, 900).slice(0, 1));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).error.message).toMatch(/image.*(600|0\.6)/i);
    expect(rig.turns()).toEqual([]);
  });

  it("is left alone where all is well", async () => {
    const rig = await rigOf();
    const answer = await rig.say([...shown(3), LAST]);
    expect(answer.headers.get("x-context-compressed")).toBeNull();
    expect(imagesIn(rig)).toEqual([3]);
  });
});

describe("a request with more bytes than the upstream takes", () => {
  it("loses its oldest images although the tokens fit", async () => {
    const rig = await rigOf({
      config: { maxRequestBytes: 16_000, images: { supported: true, maxCount: 100, maxBytes: 5_000 } },
    });
    const answer = await rig.say([...shown(8, 3_000), LAST]);
    expect(answer.status, answer.text).toBe(200);
    expect(rig.turns()[0]?.bytes).toBeLessThanOrEqual(16_000);
    expect(imagesIn(rig)[0]).toBeGreaterThan(0);
  });
});
