import { PROJECTION_VERSION, type Projection } from "@longhaul/condense/advanced";
import { beforeEach, describe, expect, it } from "vitest";
import type { Rendering } from "../history/parts.ts";
import { makeChat, openFitBench } from "../testing/index.ts";
import { makePrompt } from "../testing/projections.ts";
import type { Workers } from "../workers/workers.ts";
import { makeRenderings } from "./renderings.ts";

const { history } = await (await openFitBench()).fitRequest(makeChat(1));
const projection: Projection = { version: PROJECTION_VERSION, messages: 1, entries: [] };

/** Takes 100 characters, and 540 for its objects and a fingerprint. */
const SIZE = 640;
const rendering: Rendering = {
  messages: 1,
  parts: [
    { kind: "kept", from: 0, to: 1 },
    { kind: "written", json: "x".repeat(100), tokens: 1 },
  ],
  prints: history.messages.slice(0, 1).map(({ fingerprint }) => fingerprint),
  ratio: 1,
};
const prompt = makePrompt("{}", "anthropic-messages");
const wanted = (key: string) => ({ key, projection, history, prompt });

let rendered = 0;
const workers: Workers = {
  condense: () => Promise.reject(new Error("unexpected call")),
  measure: () => Promise.reject(new Error("nothing is measured")),
  render: async () => {
    rendered++;
    return { ...rendering };
  },
  answerOffline: () => Promise.reject(new Error("nothing is asked")),
  narrowAsk: () => Promise.reject(new Error("nothing is asked")),
  prepare: () => {},
  close: async () => {},
};

beforeEach(() => {
  rendered = 0;
});

describe("makeRenderings", () => {
  it("renders once", async () => {
    const renderings = makeRenderings(workers);
    const first = await renderings.find(wanted("a"));
    expect(await renderings.find(wanted("a"))).toBe(first);
    expect(rendered).toBe(1);
  });

  it("does not render stored renderings, and separates formats", async () => {
    const renderings = makeRenderings(workers);
    renderings.keep("a", "anthropic-messages", rendering);
    expect(await renderings.find(wanted("a"))).toBe(rendering);
    expect(rendered).toBe(0);
    await renderings.find({ ...wanted("a"), prompt: makePrompt("{}", "gemini") });
    expect(rendered).toBe(1);
  });

  it("renders again for messages that only match loosely", async () => {
    const renderings = makeRenderings(workers);
    renderings.keep("a", "anthropic-messages", { ...rendering, prints: ["another"] });
    expect(await renderings.find(wanted("a"))).toEqual(rendering);
    expect(rendered).toBe(1);
  });

  it("evicts the least recently used renderings over its limit", async () => {
    const renderings = makeRenderings(workers, 2 * SIZE);
    for (const key of ["a", "b", "a", "c"]) await renderings.find(wanted(key));
    expect(rendered).toBe(3);
    await renderings.find(wanted("a"));
    await renderings.find(wanted("c"));
    expect(rendered).toBe(3);
    await renderings.find(wanted("b"));
    expect(rendered).toBe(4);
  });

  it("counts renderings without text", async () => {
    const renderings = makeRenderings(workers, 2 * SIZE);
    for (const key of ["a", "b", "c", "d"])
      renderings.keep(key, "anthropic-messages", { ...rendering, prints: [], parts: [] });
    await renderings.find(wanted("a"));
    expect(rendered).toBe(0);
    for (const key of ["e", "f", "g", "h", "i"])
      renderings.keep(key, "anthropic-messages", { ...rendering, prints: [], parts: [] });
    await renderings.find(wanted("b"));
    expect(rendered).toBe(1);
  });

  it("keeps one over the limit until the next one", async () => {
    const renderings = makeRenderings(workers, 10);
    for (const key of ["a", "a", "b", "a"]) await renderings.find(wanted(key));
    expect(rendered).toBe(3);
  });

  it("counts a replaced rendering once", async () => {
    const renderings = makeRenderings(workers, 2 * SIZE);
    for (let times = 0; times < 5; times++) renderings.keep("a", "anthropic-messages", { ...rendering });
    renderings.keep("b", "anthropic-messages", rendering);
    await renderings.find(wanted("a"));
    await renderings.find(wanted("b"));
    expect(rendered).toBe(0);
  });

  it("does not store a rendering that fails", async () => {
    const failing: Workers = { ...workers, render: () => Promise.reject(new Error("it cannot be replayed")) };
    const renderings = makeRenderings(failing);
    await expect(renderings.find(wanted("a"))).rejects.toThrow("replayed");
    await expect(renderings.find(wanted("a"))).rejects.toThrow("replayed");
  });
});
