import { parseConfig } from "@longhaul/settings";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdminServer, openAdminServer } from "../testing/admin-server.ts";
import { thresholdOf } from "./profile-routes.ts";

let admin: AdminServer;
beforeEach(async () => {
  admin = await openAdminServer({
    upstreams: { claude: { kind: "anthropic", apiKey: "hush-hush-hush" }, sim: { kind: "simulator" } },
    routes: [{ match: "*", upstream: "claude", profile: "cheap" }],
    profiles: {
      cheap: { upstream: "claude", model: "claude-haiku-4-5", context: { threshold: 40 } },
      plain: {},
      away: { upstream: "sim", model: "any" },
    },
    context: { summarizer: "cheap", threshold: 80 },
  });
});
afterEach(() => admin.close());

async function profileNamed(name: string) {
  const { body } = await admin.ask("GET", "/profiles");
  return body.profiles.find((each: { name: string }) => each.name === name);
}

describe("profiles", () => {
  it("are listed with their effective threshold and model", async () => {
    expect(await profileNamed("cheap")).toMatchObject({
      settings: { upstream: "claude", model: "claude-haiku-4-5", context: { threshold: 40 } },
      origins: ["file"],
      canRemove: false,
      isSummarizer: true,
      threshold: { percent: 40, from: "profile" },
      model: { windowTokens: 200_000, prices: { input: 1, output: 5 } },
      routes: ["*"],
    });
    expect(await profileNamed("plain")).toMatchObject({
      isSummarizer: false,
      threshold: { percent: 80, from: "global" },
    });
  });

  it("say why their model cannot be called", async () => {
    const { model, why } = await profileNamed("away");
    expect([model, why]).toEqual([undefined, expect.stringContaining('"sim" is not configured')]);
  });

  it("are created, changed and removed", async () => {
    await admin.ask("PATCH", "/profiles/long", { upstream: "claude", model: "unheard-of", window: 5_000 });
    expect(await profileNamed("long")).toMatchObject({ canRemove: true, model: { windowTokens: 5_000 } });
    await admin.ask("PATCH", "/profiles/long", { context: { threshold: -1, strategy: "lossless" } });
    expect(await profileNamed("long")).toMatchObject({ threshold: { percent: 80, from: "global" } });
    await admin.ask("DELETE", "/profiles/long");
    expect(await profileNamed("long")).toBeUndefined();
  });

  it("are rejected with the invalid field", async () => {
    const { body } = await admin.ask("PATCH", "/profiles/long", { upstream: "nowhere", context: { threshold: 4 } });
    expect(body.error.faults.map(({ path }: { path: string }) => path)).toContain("profiles.long.context.threshold");
    expect((await admin.ask("DELETE", "/profiles/cheap")).body.error.message).toContain("is set in the file");
  });
});

it.each([
  [{ threshold: 30 }, { threshold: 60 }, { percent: 30, from: "profile" }],
  [{ threshold: -1 }, { threshold: 60 }, { percent: 60, from: "global" }],
  [{}, { threshold: 60, strategy: "sandwich" }, { percent: 60, from: "global" }],
  [{ strategy: "sandwich" }, {}, { percent: 70, from: "strategy" }],
  [{}, { strategy: "sandwich" }, { percent: 70, from: "strategy" }],
  [{}, {}, { percent: 100, from: "room" }],
])("resolves the threshold of %j under %j to %j", (own, context, threshold) => {
  const config = parseConfig({ context, profiles: { it: { context: own } } }, {});
  expect(thresholdOf(config.profiles.it ?? {}, config)).toEqual(threshold);
});
