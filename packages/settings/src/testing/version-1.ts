/** A file of version 1, with `config` wherever it is allowed. */
export const VERSION_1 = {
  upstreams: { up: { kind: "simulator" } },
  context: { strategy: "sandwich", config: { preserveTop: 2 }, threshold: 80 },
  profiles: {
    own: { context: { strategy: "native", config: { maxSummaryTokens: 900 } } },
    inheriting: { context: { config: { preserveBottom: 7 } } },
    plain: { context: { threshold: -1 } },
  },
  routes: [
    { match: "a", upstream: "up", profile: "own", context: { config: { maxSummaryTokens: 800 } } },
    { match: "b", upstream: "up", context: { strategy: "smart", config: { passes: [] } } },
    { match: "c", upstream: "up", profile: "plain" },
  ],
} as const;

export const VERSION_1_TODAY = {
  upstreams: { up: { kind: "simulator" } },
  context: { strategy: "sandwich", strategies: { sandwich: { preserveTop: 2 } }, threshold: 80 },
  profiles: {
    own: { context: { strategy: "native", strategies: { native: { maxSummaryTokens: 900 } } } },
    inheriting: { context: { strategies: { sandwich: { preserveBottom: 7 } } } },
    plain: { context: { threshold: -1 } },
  },
  routes: [
    { match: "a", upstream: "up", profile: "own", context: { strategies: { native: { maxSummaryTokens: 800 } } } },
    { match: "b", upstream: "up", context: { strategy: "smart", strategies: { smart: { passes: [] } } } },
    { match: "c", upstream: "up", profile: "plain" },
  ],
} as const;
