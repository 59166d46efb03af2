import { parseConfig } from "@longhaul/settings";
import { describe, expect, it } from "vitest";
import { checkConfig } from "./check-config.ts";

const check = (file: unknown) => checkConfig(parseConfig(file, {}), {});

describe("checkConfig", () => {
  it("takes what a gateway can start with", async () => {
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
  ])("refuses %o", async (file, where) => {
    await expect(check(file)).rejects.toThrow(where);
  });
});
