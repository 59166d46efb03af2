import { existsSync } from "node:fs";
import { STRATEGIES, SUMMARY_PROMPT } from "@longhaul/condense/advanced";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdminServer, openAdminServer } from "../testing/admin-server.ts";

it("lists every strategy with its schema, its defaults and an existing page", async () => {
  const { close, ask } = await openAdminServer();
  const { body } = await ask("GET", "/strategies");
  await close();
  expect(body.strategies.map(({ id }: { id: string }) => id)).toEqual(STRATEGIES.map(({ id }) => id));
  for (const { docs, schema } of body.strategies) {
    expect(existsSync(new URL(`../../../..${docs.replace(".html", ".md")}`, import.meta.url))).toBe(true);
    expect(schema).toMatchObject({ type: "object", properties: expect.anything() });
  }
  expect(body.strategies.find(({ id }: { id: string }) => id === "sandwich")).toMatchObject({
    thresholdPercent: 70,
    capabilities: { summarizes: true },
    defaults: { preserveTop: 5, preserveBottom: 5 },
  });
});

let admin: AdminServer;
beforeEach(async () => {
  admin = await openAdminServer({
    upstreams: { own: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" } },
    routes: [{ match: "*", upstream: "own" }],
    profiles: { tiny: { upstream: "own", model: "tiny", window: 100 } },
  });
});
afterEach(() => admin.close());

describe("prompts", () => {
  it("are listed with their defaults, which are valid", async () => {
    const { body } = await admin.ask("GET", "/prompts");
    expect(body.placeholders).toEqual(["{formatted_messages}", "{words}"]);
    expect(body.prompts[0]).toMatchObject({ id: "summary", text: SUMMARY_PROMPT });
    for (const { text: prompt } of body.prompts) {
      expect((await admin.ask("POST", "/prompts/check", { prompt })).body.faults).toEqual([]);
    }
  });

  it("are previewed as a model would get them", async () => {
    const prompt = "Sum it up in {words} words:\n{formatted_messages}\nThat was it.";
    const { body } = await admin.ask("POST", "/prompts/check", { prompt });
    expect(body.preview).toMatch(
      /Sum it up in \d+ words:\n---\n\[user\]\nWhy does the build fail.*\n---\n\nThat was it\./s,
    );
    expect(body.tokens).toBeGreaterThan(5);
  });

  it.each([
    ["", "the prompt is blank"],
    ["Use {language}.", "unknown placeholder {language}"],
  ])("such as %j are rejected with a reason", async (prompt, why) => {
    const { body } = await admin.ask("POST", "/prompts/check", { prompt });
    expect(body.faults).toEqual([expect.stringContaining(why)]);
  });

  it("must leave room in the summarizer's window", async () => {
    const { body } = await admin.ask("POST", "/prompts/check", { prompt: SUMMARY_PROMPT, profile: "tiny" });
    expect(body.faults).toEqual([expect.stringContaining("the summarizer's window allows 25")]);
    expect((await admin.ask("POST", "/prompts/check", { prompt: "x", profile: "none" })).status).toBe(404);
  });
});
