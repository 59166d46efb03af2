import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Installed, install } from "./installed.ts";

const packed = inject("packed");
const root = fileURLToPath(new URL("../..", import.meta.url));
const tarballs = readdirSync(packed).filter((file) => file.endsWith(".tgz"));
const libraries = tarballs.filter((file) => /^longhaul-[a-z]/.test(file));

it("packs the program and six libraries", () => {
  expect(tarballs).toHaveLength(7);
  expect(libraries).toHaveLength(6);
});

describe.each(tarballs)("%s", (file) => {
  const data = readFileSync(join(packed, file));

  it("passes npm's and bundlers' own checks", async () => {
    const { messages, pkg = {} } = await publint({ pack: { tarball: Uint8Array.from(data).buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});

describe.each(libraries)("%s", (file) => {
  it("has correct types for every supported import", async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(join(packed, file))));
    const problems = result.types === false ? ["no types"] : result.problems.filter(isProblem);
    expect(problems).toEqual([]);
  });
});

/** The libraries are ES modules: resolution modes for CommonJS, or from before `exports`, are not supported. */
function isProblem({ kind, ...problem }: { readonly kind: string }): boolean {
  if (kind === "CJSResolvesToESM") return false;
  return !("resolutionKind" in problem && problem.resolutionKind === "node10");
}

describe("the libraries, installed in an empty folder", () => {
  let installed: Installed;
  beforeAll(() => {
    installed = install(
      libraries.map((file) => join(packed, file)),
      ["zod"],
    );
  });
  afterAll(() => installed.remove());

  it("run the example of the engine's README", () => {
    writeFileSync(
      join(installed.folder, "example.mjs"),
      exampleIn("packages/condense/README.md").replace(/: number/, ""),
    );
    const printed = execFileSync(process.execPath, ["example.mjs"], { cwd: installed.folder, encoding: "utf8" });
    expect(printed).toMatch(/^\d+ messages left\. Context condensed using /);
  });

  it.each(inject("nodes"))("are loaded by a CommonJS program on %s", (node) => {
    const print = 'console.log(typeof require("@longhaul/adapters").condenseMessages)';
    const args = ["--input-type=commonjs", "--eval", print];
    expect(execFileSync(node, args, { cwd: installed.folder, encoding: "utf8" })).toBe("function\n");
  });

  it("need no framework until one is used", () => {
    const print = 'console.log(Object.keys(await import("@longhaul/adapters/ai-sdk")).join())';
    const args = ["--input-type=module", "--eval", print];
    const printed = execFileSync(process.execPath, args, { cwd: installed.folder, encoding: "utf8" });
    expect(printed).toBe("fitToWindow,makeFormMemory\n");
  });

  it("provide types to TypeScript, and catch mistakes", () => {
    const example = exampleIn("packages/condense/README.md");
    expect(typeErrors(installed.folder, example)).toBe("");
    expect(typeErrors(installed.folder, example.replace("windowTokens: 50_000", 'windowTokens: "50"'))).toContain(
      "TS2322",
    );
  });
});

function exampleIn(page: string): string {
  const [, code = ""] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(root, page), "utf8")) ?? [];
  return code;
}

function typeErrors(folder: string, code: string): string {
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "false", "--module", "nodenext", "--target", "es2023"];
  writeFileSync(join(folder, "example.mts"), `declare const console: { log(...said: unknown[]): void };\n${code}`);
  try {
    return execFileSync(join(root, "node_modules/.bin/tsc"), [...flags, "--types", "", "example.mts"], {
      cwd: folder,
      encoding: "utf8",
    });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}
