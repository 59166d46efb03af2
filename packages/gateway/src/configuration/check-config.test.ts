import { json, openUpstream } from "@longhaul/fit/testing";
import { parseConfig } from "@longhaul/settings";
import { describe, expect, it } from "vitest";
import { checkConfig, tryUpstreams } from "./check-config.ts";

const check = (file: unknown) => checkConfig(parseConfig(file, {}), {});

describe("checkConfig", () => {
  it("accepts a configuration that a gateway can start with", async () => {
    await check({});
    await check({ upstreams: { s: { kind: "simulator" }, o: { kind: "openai", apiKey: "k" } } });
  });

  it.each([
    [{ upstreams: { o: { kind: "openai", wire: "gemini" } } }, "upstreams.o.wire"],
    [{ models: { m: { window: -1 } } }, "m"],
    [
      { upstreams: { g: { kind: "vertex", credentialsFile: "/nowhere.json", project: "p", region: "r" } } },
      "/nowhere.json",
    ],
  ])("rejects %o", async (file, where) => {
    await expect(check(file)).rejects.toThrow(where);
  });
});

it("reports how every upstream answers, without a simulator that is not running", async () => {
  const { url: baseUrl, close } = await openUpstream(json({ data: [{ id: "m1" }] }));
  try {
    const upstreams = {
      here: { kind: "openai", baseUrl, apiKey: "k" },
      gone: { kind: "openai", baseUrl: "http://127.0.0.1:1/v1", apiKey: "k" },
      sim: { kind: "simulator" },
    };
    const tried = await tryUpstreams(parseConfig({ upstreams }, {}), {});
    expect(tried).toEqual([
      { id: "here", outcome: "working", models: ["m1"] },
      { id: "gone", outcome: "unreachable", models: [], why: expect.stringContaining("127.0.0.1:1") },
    ]);
  } finally {
    await close();
  }
});
