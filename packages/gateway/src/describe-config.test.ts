import { parseConfig } from "@longhaul/settings";
import { expect, it } from "vitest";
import { describeConfig } from "./describe-config.ts";

it("says where the models are, what goes there and who said so, and shows no credentials", () => {
  const config = parseConfig(
    {
      upstreams: {
        claude: { kind: "anthropic", apiKey: "hush-hush" },
        local: { kind: "openai-compatible", baseUrl: "http://user:hush-hush@127.0.0.1:8000/v1?token=hush-hush" },
      },
      routes: [
        { match: "claude-*haiku*", upstream: "local", model: "qwen3" },
        { match: "*", upstream: ["claude", "local"] },
      ],
    },
    {},
  );
  expect(describeConfig({ config, file: "/etc/longhaul.yaml" })).toBe(
    [
      "Configured by /etc/longhaul.yaml.",
      "Upstreams: claude (anthropic), local (openai-compatible at 127.0.0.1:8000)",
      "Routes: claude-*haiku* → local as qwen3, * → claude, then local",
    ].join("\n"),
  );
});

it("says what to do where nothing is configured", () => {
  expect(describeConfig({ config: parseConfig({}, {}) })).toContain("none; set a vendor's key");
});
