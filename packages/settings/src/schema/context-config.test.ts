import { describe, expect, it } from "vitest";
import { parseConfig } from "../layers/layer-settings.ts";
import { mergeContext } from "./context-config.ts";

const base = parseConfig(
  { context: { strategy: "middle-out", strategies: { "middle-out": { startShare: 0.1 } }, threshold: 80 } },
  {},
).context;

describe("mergeContext", () => {
  it("lets the narrower setting override and keeps the rest", () => {
    const merged = mergeContext(base, { mode: "observe", threshold: 60 }, undefined, { auto: false, mode: "off" });
    expect(merged).toEqual({ ...mergeContext(base), mode: "off", auto: false, threshold: 60 });
  });

  it("replaces the target, whether it is a share or tokens", () => {
    const targetOf = (...narrower: Parameters<typeof mergeContext>[1][]) => {
      const { targetShare, targetTokens } = mergeContext(base, { targetTokens: 9_000 }, ...narrower);
      return [targetShare, targetTokens];
    };
    expect(targetOf({ auto: false })).toEqual([undefined, 9_000]);
    expect(targetOf({ targetShare: 0.3 })).toEqual([0.3, undefined]);
    expect(targetOf({ targetShare: 0.3 }, { targetTokens: 8_000 })).toEqual([undefined, 8_000]);
  });

  it("inherits a threshold of -1", () => {
    expect(mergeContext(base, { threshold: 60 }, { threshold: -1 }).threshold).toBe(60);
  });

  it("returns the chosen strategy's settings and keeps those of the others", () => {
    expect(mergeContext(base).config).toEqual({ startShare: 0.1 });
    expect(mergeContext(base, { strategy: "native" }).config).toEqual({});
    expect(mergeContext(base, { strategy: "native" }, { strategy: "middle-out" }).config).toEqual({ startShare: 0.1 });
  });

  it("replaces a strategy's settings as a whole", () => {
    const smart = { smart: { passes: [] } };
    const own = { strategies: { "middle-out": { startShare: 0.4 }, ...smart } };
    expect(mergeContext(base, own).config).toEqual({ startShare: 0.4 });
    expect(mergeContext(base, own, { strategies: { "middle-out": {} } })).toMatchObject({
      config: {},
      strategies: smart,
    });
  });
});

describe("context settings", () => {
  const upstreams = { here: { kind: "openai" } };

  it.each([
    [{ context: { strategy: "shrink" } }, "context.strategy"],
    [{ context: { strategies: { "middle-out": { startShare: 2 } } } }, "context.strategies.middle-out.startShare"],
    [{ context: { strategies: { shrink: {} } } }, "context.strategies.shrink: unknown setting"],
    [{ context: { auto: "no" } }, "context.auto"],
    [{ context: { prompt: "Dear {name}," } }, "context.prompt: the prompt has an unknown placeholder {name}"],
    [
      { context: { strategies: { native: { prompt: "Dear {name}," } } } },
      "context.strategies.native.prompt: the prompt has an unknown placeholder {name}",
    ],
    [{ context: { threshold: 4 } }, "context.threshold"],
    [{ context: { summarizer: "nobody" } }, 'context.summarizer: profile "nobody" does not exist'],
    [{ profiles: { a: { context: { threshold: 101 } } } }, "profiles.a.context.threshold"],
    [{ profiles: { a: { upstream: "there" } } }, 'profiles.a.upstream: upstream "there" does not exist'],
    [{ profiles: { a: {} }, context: { summarizer: "a" } }, "needs an upstream and a model"],
    [
      { upstreams, routes: [{ match: "*", upstream: "here", profile: "b" }] },
      'routes.0.profile: profile "b" does not exist',
    ],
    [
      { upstreams, routes: [{ match: "*", upstream: "here", context: { strategies: { smart: { x: 1 } } } }] },
      "routes.0.context.strategies.smart",
    ],
    [{ compaction: { triggerTokens: 10 } }, "compaction.triggerTokens"],
  ])("reject %j with its key", (value, fault) => {
    expect(() => parseConfig(value, {})).toThrow(fault);
  });

  it("accept profiles with a summarizer and routes that use them", () => {
    const config = parseConfig(
      {
        upstreams,
        profiles: { cheap: { upstream: "here", model: "gpt-4o-mini" }, long: { context: { threshold: -1 } } },
        context: { strategy: "native", summarizer: "cheap" },
        routes: [{ match: "*", upstream: "here", profile: "long", context: { mode: "off" } }],
      },
      {},
    );
    expect(config.profiles.cheap).toEqual({ upstream: "here", model: "gpt-4o-mini" });
    expect(config.routes[0]).toMatchObject({ profile: "long", context: { mode: "off" } });
  });
});
