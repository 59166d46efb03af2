import { describe, expect, it } from "vitest";
import { mergeContext } from "./context-config.ts";
import { parseConfig } from "./parse-config.ts";

const base = parseConfig(
  { context: { strategy: "middle-out", config: { startShare: 0.1 }, threshold: 80 } },
  {},
).context;

describe("mergeContext", () => {
  it("lets the narrower setting win and keeps the rest", () => {
    expect(mergeContext(base, { mode: "observe", threshold: 60 })).toEqual({ ...base, mode: "observe", threshold: 60 });
  });

  it("inherits a threshold of -1", () => {
    expect(mergeContext(base, { threshold: -1 }).threshold).toBe(80);
  });

  it("does not hand one strategy's configuration to another", () => {
    expect(mergeContext(base, { strategy: "native" }).config).toEqual({});
    expect(mergeContext(base, { strategy: "middle-out" }).config).toEqual({ startShare: 0.1 });
    const own = { strategy: "middle-out" as const, config: { startShare: 0.4 } };
    expect(mergeContext(base, own).config).toEqual({ startShare: 0.4 });
  });
});

describe("the settings of context", () => {
  const upstreams = { here: { kind: "openai" } };

  it.each([
    [{ context: { strategy: "shrink" } }, "context.strategy"],
    [{ context: { config: { startShare: 2 } } }, "context.config.startShare"],
    [{ context: { threshold: 4 } }, "context.threshold"],
    [{ context: { summarizer: "nobody" } }, 'context.summarizer: there is no profile "nobody"'],
    [{ profiles: { a: { context: { threshold: 101 } } } }, "profiles.a.context.threshold"],
    [{ profiles: { a: { upstream: "there" } } }, 'profiles.a.upstream: there is no upstream "there"'],
    [{ profiles: { a: {} }, context: { summarizer: "a" } }, "needs an upstream and a model"],
    [
      { upstreams, routes: [{ match: "*", upstream: "here", profile: "b" }] },
      'routes.0.profile: there is no profile "b"',
    ],
    [
      { upstreams, routes: [{ match: "*", upstream: "here", context: { strategy: "smart", config: { x: 1 } } }] },
      "routes.0.context.config",
    ],
    [{ compaction: { triggerTokens: 10 } }, "compaction.triggerTokens"],
  ])("%j is refused, naming the key", (value, fault) => {
    expect(() => parseConfig(value, {})).toThrow(fault);
  });

  it("takes profiles with a cheap summariser and routes that name them", () => {
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
