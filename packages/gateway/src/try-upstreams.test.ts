import { parseConfig } from "@longhaul/settings";
import { expect, it } from "vitest";
import { json, openUpstream } from "./testing/upstream-server.ts";
import { tryUpstreams } from "./try-upstreams.ts";

it("tells of every upstream how it answers, but not of a simulator that does not run", async () => {
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
