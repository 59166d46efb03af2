import { describe, expect, it } from "vitest";
import {
  dependencyFaults,
  entryPointFaults,
  type Manifest,
  type PackageConfig,
  type RootConfig,
  tsConfigFaults,
} from "./manifest-faults.ts";
import { parseFiles } from "./parse-files.ts";

const conversation = makeConfig(
  "conversation",
  {},
  { exports: { ".": "./src/index.ts", "./testing": "./src/testing.ts" } },
);
const ROOT_MANIFEST: Manifest = { name: "root", devDependencies: { vitest: "1.0.0" } };

describe("dependencyFaults", () => {
  const wire = makeConfig("wire", { "@longhaul/conversation": "0.0.0", zod: "4.0.0" });

  it("accepts a package that declares what it imports", () => {
    const files = parseFiles({
      "packages/wire/src/a.ts":
        'import "@longhaul/conversation"; import "zod/v4"; import "node:fs"; import "fs"; import "./b.ts";',
      "packages/wire/src/a.test.ts": 'import "vitest"; import "@longhaul/conversation/testing";',
    });
    expect(dependencyFaults(files, [wire], ROOT_MANIFEST)).toEqual([]);
  });

  it("accepts peer dependencies", () => {
    const files = parseFiles({
      "packages/wire/src/a.ts": 'import "@longhaul/conversation"; import "zod"; import "theirs";',
    });
    const { manifest, ...config } = wire;
    const leaving = { ...config, manifest: { ...manifest, peerDependencies: { theirs: "^1.0.0" } } };
    expect(dependencyFaults(files, [leaving], ROOT_MANIFEST)).toEqual([]);
    expect(dependencyFaults(files, [wire], ROOT_MANIFEST)).toEqual(["wire imports theirs without declaring it"]);
  });

  it("finds undeclared imports and unused dependencies", () => {
    const files = parseFiles({ "packages/wire/src/a.ts": 'import "zod"; import "@scope/thing/deep";' });
    expect(dependencyFaults(files, [wire], ROOT_MANIFEST)).toEqual([
      "wire imports @scope/thing without declaring it",
      "wire declares @longhaul/conversation without importing it",
    ]);
  });

  it("does not count a test's import as a use", () => {
    const files = parseFiles({
      "packages/wire/src/a.ts": 'import "@longhaul/conversation";',
      "packages/wire/src/a.test.ts": 'import "zod";',
    });
    expect(dependencyFaults(files, [wire], ROOT_MANIFEST)).toEqual(["wire declares zod without importing it"]);
  });

  it("finds an undeclared import in a test", () => {
    const files = parseFiles({
      "packages/wire/src/a.ts": 'import "@longhaul/conversation"; import "zod";',
      "packages/wire/src/a.test.ts": 'import "left-pad";',
    });
    expect(dependencyFaults(files, [wire], ROOT_MANIFEST)).toEqual([
      "wire's tests import left-pad, which neither it nor the root declares",
    ]);
  });
});

describe("entryPointFaults", () => {
  it("accepts exported entry points", () => {
    const files = parseFiles({
      "bench/a.ts": 'import "@longhaul/conversation"; import "@longhaul/conversation/testing";',
    });
    expect(entryPointFaults(files, [conversation])).toEqual([]);
  });

  it("finds other entry points", () => {
    const files = parseFiles({
      "bench/a.ts": 'import "@longhaul/conversation/src/block.ts"; import "@longhaul/nothing";',
    });
    expect(entryPointFaults(files, [conversation])).toEqual([
      "bench/a.ts:1 imports @longhaul/conversation/src/block.ts, which no package exports",
      "bench/a.ts:1 imports @longhaul/nothing, which no package exports",
    ]);
  });
});

describe("tsConfigFaults", () => {
  const models = makeConfig("models", { "@longhaul/conversation": "0.0.0" }, {}, ["../conversation"]);

  it("accepts references that match the dependencies, and a root that lists every package", () => {
    expect(tsConfigFaults([conversation, models], makeRoot(["packages/conversation", "packages/models"]))).toEqual([]);
  });

  it("finds missing and unneeded references", () => {
    const bare = makeConfig("models", { "@longhaul/conversation": "0.0.0" }, {}, ["../wire"]);
    expect(tsConfigFaults([bare], makeRoot(["packages/gone"]))).toEqual([
      "packages/models/tsconfig.json lacks the reference ../conversation",
      "packages/models/tsconfig.json has the needless reference ../wire",
      "tsconfig.json lacks the reference packages/models",
      "tsconfig.json has the needless reference packages/gone",
      "tsconfig.test.json lacks the reference packages/models",
      "tsconfig.test.json has the needless reference packages/gone",
    ]);
  });

  it.each([{ types: ["node"] }, { lib: ["ES2023", "DOM"] }])(
    "finds a pure package that compiles with %j",
    (compilerOptions) => {
      const leaky = { ...conversation, tsConfig: { compilerOptions } };
      expect(tsConfigFaults([leaky], makeRoot(["packages/conversation"]))).toEqual([
        "conversation is pure, but its tsconfig brings in lib or types",
      ]);
    },
  );

  it("finds a package whose name differs from its folder", () => {
    const renamed = { ...conversation, manifest: { name: "@longhaul/talk" } };
    expect(tsConfigFaults([renamed], makeRoot(["packages/conversation"]))).toEqual([
      "packages/conversation is named @longhaul/talk",
    ]);
  });
});

function makeConfig(
  folder: string,
  dependencies: Record<string, string>,
  ...[manifest = {}, references = []]: [Partial<Manifest>?, string[]?]
): PackageConfig {
  return {
    folder,
    manifest: { name: `@longhaul/${folder}`, dependencies, ...manifest },
    tsConfig: { references: references.map((path) => ({ path })) },
  };
}

function makeRoot(packages: readonly string[]): RootConfig {
  const tsConfig = { references: packages.map((path) => ({ path })) };
  return { manifest: ROOT_MANIFEST, tsConfig, testTsConfig: tsConfig };
}
