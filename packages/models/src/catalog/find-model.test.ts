import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findModel } from "./find-model.ts";
import { loadCatalog } from "./load-catalog.ts";

const catalog = loadCatalog();

/** Name, platform, id there (= the name), how it was matched, upstream id (= the id), removed suffix. */
const NAMES = `# Ids as they stand
claude-opus-4-6  anthropic  =  id  =
gpt-5.4  openai  =  id  =
gemini-2.5-pro  google  =  id  =
gemini-pro-latest  google  =  id  =
gpt-4o-2024-05-13  openai  =  id  =
gpt-4-1106-preview  openai  =  id  =
gpt-5.1-codex-max  openai  =  id  =
claude-opus-4-5-20251101  anthropic  =  id  =
grok-4.6  xai  =  id  =

# Case and white space
Claude-Opus-4-6  anthropic  claude-opus-4-6  id  =
GPT-4O  openai  gpt-4o  id  =

# The vendor's name for a model whose id is another
claude-opus-4  anthropic  claude-opus-4-0  id  =
claude-3-opus  anthropic  claude-3-opus-latest  id  =

# Dates and moving names
claude-opus-4-20250514  anthropic  claude-opus-4-0  date  claude-opus-4-20250514
claude-sonnet-4-20250514  anthropic  claude-sonnet-4-0  date  claude-sonnet-4-20250514
claude-3-5-sonnet-20241022  anthropic  claude-3-5-sonnet  date  claude-3-5-sonnet-20241022
claude-3-5-sonnet-latest  anthropic  claude-3-5-sonnet  spelling  =
claude-opus-4-6-latest  anthropic  claude-opus-4-6  date  claude-opus-4-6-latest
gpt-5-2025-08-07  openai  gpt-5  date  gpt-5-2025-08-07
gpt-4-0613  openai  gpt-4  date  gpt-4-0613
gpt-4-turbo-preview  openai  gpt-4-turbo  date  gpt-4-turbo-preview
gemini-2.0-flash-001  google  gemini-2.0-flash  date  gemini-2.0-flash-001
gemini-2.5-flash-preview-09-2025  google  gemini-2.5-flash  date  gemini-2.5-flash-preview-09-2025
gemini-2.5-pro-exp-03-25  google  gemini-2.5-pro  date  gemini-2.5-pro-exp-03-25

# Prefixes
anthropic/claude-opus-4-6  anthropic  claude-opus-4-6  prefix  =
anthropic/claude-opus-4.6  anthropic  claude-opus-4-6  prefix  =
anthropic/claude-opus-4-20250514  anthropic  claude-opus-4-0  prefix  claude-opus-4-20250514
openai/gpt-4o  openai  gpt-4o  prefix  =
models/gemini-2.5-pro  google  gemini-2.5-pro  prefix  =
gemini/gemini-2.5-pro  google  gemini-2.5-pro  prefix  =
openrouter/anthropic/claude-opus-4.6  openrouter  anthropic/claude-opus-4.6  prefix  =
openrouter/openai/gpt-5.4  openrouter  openai/gpt-5.4  prefix  =
openrouter/claude-opus-4-6  openrouter  anthropic/claude-opus-4.6  prefix  =
openrouter/openai/gpt-5.4:nitro  openrouter  openai/gpt-5.4  prefix  openai/gpt-5.4:nitro
~anthropic/claude-opus-latest  openrouter  =  prefix  =
deepseek/deepseek-v3.2  deepseek  deepseek-v3.2  prefix  =
my-proxy/gpt-4o  openai  gpt-4o  prefix  =

# Bedrock
us.anthropic.claude-opus-4-6-v1  bedrock  =  id  =
us.anthropic.claude-opus-4-6-v1:0  bedrock  us.anthropic.claude-opus-4-6-v1  variant  us.anthropic.claude-opus-4-6-v1:0
anthropic.claude-haiku-4-5-20251001-v1:0  bedrock  =  id  =
jp.anthropic.claude-opus-5  bedrock  =  id  =
bedrock/eu.anthropic.claude-opus-4-7  bedrock  eu.anthropic.claude-opus-4-7  prefix  =
bedrock/claude-opus-4-7  bedrock  anthropic.claude-opus-4-7  prefix  =
arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-7  bedrock  us.anthropic.claude-opus-4-7  prefix  =
anthropic.claude-3-5-sonnet-20241022-v2:0  bedrock  =  prefix  =

# Vertex
claude-opus-4-5@20251101  vertex  =  id  =
claude-opus-4@20250514  vertex  claude-opus-4-0  date  claude-opus-4@20250514
vertex_ai/claude-opus-4-6@default  vertex  claude-opus-4-6  prefix  claude-opus-4-6@default
vertex/claude-opus-4-5-20251101  vertex  claude-opus-4-5  prefix  =
projects/p/locations/global/publishers/google/models/gemini-2.5-pro  vertex  gemini-2.5-pro  prefix  =

# Other spellings, Cursor's first
claude-4.6-opus-high  anthropic  claude-opus-4-6  spelling  =  high
claude-4.6-opus  anthropic  claude-opus-4-6  spelling  =
claude-4.6-opus-high-thinking  anthropic  claude-opus-4-6  spelling  =  high-thinking
claude-4.6-opus-max-thinking-fast  anthropic  claude-opus-4-6  spelling  =  max-thinking-fast
claude-4.5-sonnet-thinking  anthropic  claude-sonnet-4-5  spelling  =  thinking
claude-4-sonnet  anthropic  claude-sonnet-4-0  spelling  =
claude-opus-4.6  anthropic  claude-opus-4-6  spelling  =
claude-3.5-sonnet  anthropic  claude-3-5-sonnet  spelling  =
claude-sonnet-3.7  anthropic  claude-3-7-sonnet-latest  spelling  =
gpt-35-turbo  openai  gpt-3.5-turbo  spelling  =
gpt-5-4-mini  openai  gpt-5.4-mini  spelling  =
gemini-2-5-flash  google  gemini-2.5-flash  spelling  =

# Efforts and budgets behind the name
gpt-5.2-high  openai  gpt-5.2  suffix  =  high
gpt-5.3-codex-xhigh  openai  gpt-5.3-codex  suffix  =  xhigh
o3-mini:low  openai  o3-mini  suffix  =  low
claude-sonnet-4-20250514:16k  anthropic  claude-sonnet-4-0  suffix  claude-sonnet-4-20250514  16k
gpt-5(high)  openai  gpt-5  suffix  =  high
claude-sonnet-4-5[1m]  anthropic  claude-sonnet-4-5  suffix  =  1m
gemini-2.5-flash-thinking-8192  google  gemini-2.5-flash  suffix  =  thinking-8192
openrouter/openai/gpt-5-high:free  openrouter  openai/gpt-5  prefix  openai/gpt-5:free  high
`;

const ROWS = NAMES.split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(/ {2,}/));

describe("findModel", () => {
  it.each(ROWS)("finds %s", (name = "", platform, id, matchedBy, upstream, suffix) => {
    const match = findModel(catalog, name);
    const listed = id === "=" ? name : id;
    expect({ ...match, model: `${match.model.platform} ${match.model.id}` }).toEqual({
      model: `${platform} ${listed}`,
      matchedBy,
      upstreamId: upstream === "=" ? listed : upstream,
      ...(suffix !== undefined && { suffix }),
    });
  });

  it("covers names of every kind", () => {
    expect(ROWS.length).toBeGreaterThan(60);
    expect(ROWS.filter((row) => row.length < 5)).toEqual([]);
  });

  it("ignores case and surrounding white space", () => {
    expect(findModel(catalog, " GPT-4o ")).toMatchObject({ matchedBy: "id", upstreamId: "gpt-4o" });
  });

  it.each([
    ["claude-opus-4-6", "bedrock", "anthropic.claude-opus-4-6-v1"],
    ["claude-opus-4-5-20251101", "bedrock", "anthropic.claude-opus-4-5-20251101-v1:0"],
    ["claude-opus-4-5-20251101", "vertex", "claude-opus-4-5"],
    ["claude-4.6-opus-high", "openrouter", "anthropic/claude-opus-4.6"],
    ["us.anthropic.claude-opus-4-6-v1", "anthropic", "claude-opus-4-6"],
    ["anthropic/claude-opus-4.6:free", "anthropic", "claude-opus-4-6"],
    ["gpt-4o-2024-05-13", "openrouter", "openai/gpt-4o-2024-05-13"],
    ["openai/gpt-5.4", "openai", "gpt-5.4"],
  ])("returns for %s on %s the id %s", (name, platform, id) => {
    const { model, upstreamId } = findModel(catalog, name, platform);
    expect({ platform: model.platform, upstreamId }).toEqual({ platform, upstreamId: id });
  });

  it("shares facts between platforms, but not prices", () => {
    const direct = findModel(catalog, "claude-opus-4-6", "anthropic").model;
    const regional = findModel(catalog, "us.anthropic.claude-opus-4-6-v1").model;
    expect(regional.reasoning).toEqual(direct.reasoning);
    expect(regional.window).toBe(direct.window);
    expect([direct.prices?.input, regional.prices?.input]).toEqual([5, 5.5]);
  });

  it("applies a platform's limits if the platform does not list the model", () => {
    const { model } = findModel(catalog, "eu.anthropic.claude-3-5-sonnet-20241022-v2:0");
    expect(model).toMatchObject({
      platform: "bedrock",
      name: "claude-3-5-sonnet",
      window: 200_000,
      prices: { input: 3 },
      accounting: "exclusive",
      maxRequestBytes: 20 * 1024 * 1024,
    });
    expect(model.betas).not.toHaveProperty("mcp");
  });

  it("keeps a prefix on the platform whose ids have it", () => {
    expect(findModel(catalog, "anthropic/claude-3-5-sonnet-20241022", "openrouter").upstreamId).toBe(
      "anthropic/claude-3-5-sonnet-20241022",
    );
    expect(findModel(catalog, "anthropic/claude-opus-9", "openrouter").upstreamId).toBe("anthropic/claude-opus-9");
    expect(findModel(catalog, "openrouter/anthropic/claude-opus-9").upstreamId).toBe("anthropic/claude-opus-9");
    expect(findModel(catalog, "anthropic/claude-opus-9").upstreamId).toBe("claude-opus-9");
  });

  it("keeps the spelling of a name for an unknown server", () => {
    expect(findModel(catalog, "Qwen/Qwen3-Coder-30B-A3B-Instruct", "other")).toMatchObject({
      upstreamId: "Qwen/Qwen3-Coder-30B-A3B-Instruct",
      model: { name: "qwen3-coder-30b-a3b-instruct" },
    });
  });
});

describe("an unlisted name", () => {
  it("gets the smallest window, no prices and a warning", () => {
    expect(findModel(catalog, "no-such-model")).toMatchObject({
      matchedBy: "default",
      upstreamId: "no-such-model",
      model: { id: "no-such-model", platform: "other", window: 32_000, tokenizer: "other" },
      warning:
        'model "no-such-model" is not in the catalog: assuming a context window of 32,000 tokens; its prices are unknown; set both under models in the configuration',
    });
    expect(findModel(catalog, "no-such-model").model).not.toHaveProperty("prices");
  });

  it.each([
    ["claude-opus-9", 200_000, "anthropic"],
    ["us.anthropic.claude-opus-9-v1:0", 200_000, "anthropic"],
    ["gpt-9", 128_000, "openai"],
    ["gemini-9-pro", 128_000, "google"],
  ])("of the family %s gets a window of %s", (name, tokens, vendor) => {
    expect(findModel(catalog, name)).toMatchObject({ matchedBy: "family", model: { window: tokens, vendor } });
  });

  it("is not matched by its prefix alone", () => {
    expect(findModel(catalog, "gpt-4o-ultra").matchedBy).toBe("family");
    expect(findModel(catalog, "claude").matchedBy).toBe("family");
    expect(findModel(catalog, "o3x").matchedBy).toBe("family");
  });

  it("is shortened in the warning if it is very long", () => {
    expect(findModel(catalog, "x".repeat(10_000)).warning?.length).toBeLessThan(300);
  });
});

describe("any name", () => {
  it("never throws, and always has a window", () => {
    const pieces = fc.constantFrom(
      "claude",
      "gpt",
      "-",
      "/",
      ":",
      "@",
      ".",
      "4",
      "opus",
      "us.",
      "anthropic.",
      "high",
      "v1:0",
      "[1m]",
      "~",
    );
    const mixed = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), mixed), (name) => {
        expect(findModel(catalog, name).model.window).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it("is found in any wrapping", () => {
    const wraps: readonly ((id: string) => string)[] = [
      (id) => id.toUpperCase(),
      (id) => `  ${id} `,
      (id) => `some-gateway/${id}`,
      (id) => `${id}-20270131`,
      (id) => `${id}-2027-01-31`,
      (id) => `${id}@20270131`,
      (id) => `${id}-xhigh`,
      (id) => `${id}(medium)`,
      (id) => `${id}:nitro`,
      (id) => `${id}:8k`,
      (id) => `${id}[1m]`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...catalog.models), fc.constantFrom(...wraps), (model, wrap) => {
        const wrapped = wrap(model.id);
        fc.pre(catalog.modelsUnder(wrapped.toLowerCase()).length === 0);
        const { name } = findModel(catalog, wrapped, model.platform).model;
        expect([wrapped, name]).toEqual([wrapped, model.name]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("that is listed is found on its own platform", () => {
    for (const model of catalog.models) {
      const match = findModel(catalog, model.id, model.platform);
      expect(match).toMatchObject({ model: { platform: model.platform, id: model.id }, upstreamId: model.id });
      expect(match).not.toHaveProperty("suffix");
    }
  });
});
