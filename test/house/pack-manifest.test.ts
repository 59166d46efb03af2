import { expect, it } from "vitest";
import {
  builtName,
  installLine,
  libraryManifest,
  programManifest,
  siblingTarballs,
  type WorkspaceManifest,
} from "../../scripts/pack-manifest.ts";

const manifest: WorkspaceManifest = {
  name: "@longhaul/models",
  version: "1.2.3",
  description: "Models.",
  keywords: ["llm"],
  license: "MIT",
  type: "module",
  engines: { node: ">=22.19" },
  exports: { ".": "./src/index.ts", "./catalog": "./src/catalog/index.ts", "./testing": "./src/testing/index.ts" },
  dependencies: { "@longhaul/conversation": "1.2.3", tiktoken: "1.0.22", zod: "4.6.7" },
  peerDependencies: { ai: "^7.0.0" },
  peerDependenciesMeta: { ai: { optional: true } },
};

it("names a built file for its source", () => {
  expect(builtName("./src/catalog/index.ts")).toBe("catalog/index");
});

it("publishes a library's entry points with types, its own packages exactly and others within their major version", () => {
  expect(libraryManifest(manifest, ["tiktoken"])).toMatchObject({
    name: "@longhaul/models",
    version: "1.2.3",
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./catalog": { types: "./dist/catalog/index.d.ts", default: "./dist/catalog/index.js" },
      "./package.json": "./package.json",
    },
    dependencies: { "@longhaul/conversation": "1.2.3", zod: "^4.6.7" },
    peerDependencies: { ai: "^7.0.0" },
    peerDependenciesMeta: { ai: { optional: true } },
  });
});

it("leaves out entry points for tests, and bundled packages", () => {
  const published = JSON.stringify(libraryManifest(manifest, ["tiktoken"]));
  expect(published).not.toMatch(/testing|tiktoken|private/);
});

it("publishes the program under its own name, without dependencies", () => {
  const published = programManifest(manifest);
  expect(published).toMatchObject({ name: "longhaul", version: "1.2.3", bin: { longhaul: "dist/longhaul.js" } });
  expect(published).not.toHaveProperty("dependencies");
});

it("names the tarballs that a library must be installed with, dependencies first", () => {
  const engine = {
    ...manifest,
    name: "@longhaul/condense",
    dependencies: { "@longhaul/models": "1.2.3", zod: "4.6.7" },
  };
  const conversation = { ...manifest, name: "@longhaul/conversation", dependencies: {} };
  const siblings = siblingTarballs(engine, (name) => (name === "models" ? manifest : conversation));
  expect(siblings).toEqual(["longhaul-conversation-1.2.3.tgz", "longhaul-models-1.2.3.tgz"]);
  expect(installLine(engine, siblings)).toContain(
    "`npm install ./longhaul-conversation-1.2.3.tgz ./longhaul-models-1.2.3.tgz ./longhaul-condense-1.2.3.tgz`",
  );
});
