import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const packages = readdirSync(new URL("packages", import.meta.url));

/** Fewer lines than this covered in any one package fails the run. */
const MIN_LINES_PERCENT = 90;

export default defineConfig({
  test: {
    // Files share a worker: no module keeps state, and loading the same modules for every file took most of the time.
    isolate: false,
    // One is left free by default, which on two cores is half of them; tests wait for sockets and processes more than they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // These end a test that hangs. They are not what a test measures: a machine under load is slow, and that is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    // Gives property tests a fixed seed, so that every run tries the same cases.
    setupFiles: ["test/property-seed.ts"],
    // A process that Node ends because of a fatal error leaves a report, which `npm test` points to (docs/decisions/0025).
    execArgv: ["--report-on-fatalerror", "--report-compact", "--report-directory=.cache/node-reports"],
    // Starts nothing until a test asks for it.
    globalSetup: ["packages/store/src/testing/shared-postgres.ts"],
    projects: [
      ...packages.map((name) => ({
        extends: true as const,
        test: { name, include: [`packages/${name}/src/**/*.test.ts`] },
      })),
      {
        extends: true as const,
        test: {
          name: "house",
          include: ["test/**/*.test.ts"],
          exclude: ["clients", "conformance", "context", "dashboard", "pack", "reasoning", "recorded", "replicas"].map(
            (folder) => `test/${folder}/**`,
          ),
        },
      },
      { extends: true as const, test: { name: "conformance", include: ["test/conformance/*.test.ts"] } },
      { extends: true as const, test: { name: "context", include: ["test/context/*.test.ts"] } },
      { extends: true as const, test: { name: "reasoning", include: ["test/reasoning/*.test.ts"] } },
      { extends: true as const, test: { name: "recorded", include: ["test/recorded/*.test.ts"] } },
      { extends: true as const, test: { name: "replicas", include: ["test/replicas/*.test.ts"] } },
      {
        extends: true as const,
        test: {
          name: "pages",
          include: ["test/dashboard/*.test.ts"],
          globalSetup: "test/dashboard/set-up.ts",
        },
      },
      {
        extends: true as const,
        test: { name: "pack", include: ["test/pack/*.test.ts"], globalSetup: "test/pack/set-up.ts" },
      },
      { extends: true as const, test: { name: "bench", include: ["bench/**/*.test.ts"] } },
    ],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["packages/*/src/**/*.test.ts", "packages/*/src/testing/**", "packages/*/src/index.ts"],
      reporter: ["text-summary"],
      reportsDirectory: ".cache/coverage",
      thresholds: Object.fromEntries(packages.map((name) => [`packages/${name}/src/**`, { lines: MIN_LINES_PERCENT }])),
    },
  },
});
