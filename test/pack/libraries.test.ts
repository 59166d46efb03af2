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

it("packs the program and four libraries", () => {
  expect(tarballs).toHaveLength(5);
  expect(libraries).toHaveLength(4);
});

describe.each(tarballs)("%s", (file) => {
  const data = readFileSync(join(packed, file));

  it("is as npm's tools and bundlers want it", async () => {
    const { messages, pkg = {} } = await publint({ pack: { tarball: Uint8Array.from(data).buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});

describe.each(libraries)("%s", (file) => {
  it("has types that are right for everybody who can import it", async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(join(packed, file))));
    const problems = result.types === false ? ["no types"] : result.problems.filter(isProblem);
    expect(problems).toEqual([]);
  });
});

/** The libraries are modules of today: what asks for CommonJS, or for what there was before `exports`, is not served. */
function isProblem({ kind, ...problem }: { readonly kind: string }): boolean {
  if (kind === "CJSResolvesToESM") return false;
  return !("resolutionKind" in problem && problem.resolutionKind === "node10");
}

describe("the libraries, installed in an empty folder", () => {
  let installed: Installed;
  beforeAll(() => {
    installed = install([...libraries.map((file) => join(packed, file)), ...["zod", "@noble/hashes"].map(packAgain)]);
  });
  afterAll(() => installed.remove());

  it("run the example of the engine's README", () => {
    writeFileSync(
      join(installed.folder, "example.mjs"),
      exampleIn("packages/condense/README.md").replace(/: number/, ""),
    );
    const printed = execFileSync(process.execPath, ["example.mjs"], { cwd: installed.folder, encoding: "utf8" });
    expect(printed).toMatch(/^\d+ messages are left\. Context condensed using /);
  });

  it("need no framework before one is used", () => {
    const print = 'console.log(Object.keys(await import("@longhaul/adapters/ai-sdk")).join())';
    const args = ["--input-type=module", "--eval", print];
    const printed = execFileSync(process.execPath, args, { cwd: installed.folder, encoding: "utf8" });
    expect(printed).toBe("fitToWindow,makeFormMemory\n");
  });

  it("give TypeScript what it needs, and catch mistakes", () => {
    const example = exampleIn("packages/condense/README.md");
    expect(typeErrors(installed.folder, example)).toBe("");
    expect(typeErrors(installed.folder, example.replace("windowTokens: 50_000", 'windowTokens: "50"'))).toContain(
      "TS2322",
    );
  });
});

/** A package of the repository's own as a tarball, so that no registry is asked. */
function packAgain(name: string): string {
  const flags = ["--silent", "--ignore-scripts", "--pack-destination", packed];
  const printed = execFileSync("npm", ["pack", ...flags], { cwd: join(root, "node_modules", name), encoding: "utf8" });
  return join(packed, printed.trim());
}

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
