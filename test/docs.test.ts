import { existsSync } from "node:fs";
import { posix } from "node:path";
import { ERROR_CODES } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import type { Manifest } from "./architecture/manifest-faults.ts";
import { PACKAGE_TABLE } from "./architecture/package-table.ts";
import { parseSource } from "./architecture/source-file.ts";
import { brokenLinks, commandFaults, forbiddenWords } from "./docs/page-faults.ts";
import { tableRows } from "./docs/read-page.ts";
import { undocumentedExports } from "./docs/undocumented-exports.ts";
import { packageFolders, ROOT, readFiles, readJson, readText } from "./repository.ts";

const texts = readFiles((path) => /\.(ts|tsx|mjs|js|md|json|yaml|yml|html|css|npmrc)$|^\.|\/run$/.test(path));
const pages = texts.filter((file) => file.path.endsWith(".md"));

describe("docs/errors.md", () => {
  const [codes = ""] = readText("docs/errors.md").split("\n## Responses that are not replies");
  const rows = tableRows(codes);

  it("lists the codes of the table in order, with status and whether to retry", () => {
    const written = rows.map(([code, status, retry]) => [code, status, retry]);
    const kinds = Object.entries(ERROR_CODES);
    expect(written).toEqual(
      kinds.map(([code, kind]) => [`\`${code}\``, `${kind.status}`, kind.retryable ? "yes" : "no"]),
    );
  });

  it("explains each code and who must act", () => {
    expect(rows.filter(([, , , meaning, remedy]) => !meaning || !remedy)).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  const rows = tableRows(readText("ARCHITECTURE.md"));

  it("has the table of packages that the architecture test enforces", () => {
    const written = rows.map(([name, , mayImport, isPure]) => [name, mayImport, isPure]);
    const rules = Object.entries(PACKAGE_TABLE);
    expect(written).toEqual(
      rules.map(([name, rule]) => [`\`${name}\``, rule.mayImport.join(", ") || "—", rule.isPure ? "yes" : ""]),
    );
  });

  it("lists exactly the existing packages", () => {
    expect(rows.map(([name]) => name?.replaceAll("`", "")).sort()).toEqual(packageFolders().sort());
  });
});

describe("CONTRIBUTING.md", () => {
  it("documents every npm script, except those in README.md and bench/", () => {
    const { scripts } = readJson<{ readonly scripts: Readonly<Record<string, string>> }>("package.json");
    const own = Object.keys(scripts).filter((name) => !(name.startsWith("pre") && name.slice(3) in scripts));
    const documented = [...readText("CONTRIBUTING.md").matchAll(/npm (?:run )?([a-z:]+)/g)].map(
      ([, name = ""]) => name,
    );
    const elsewhere = /^(?:start|bench:.+)$/;
    expect(own.filter((name) => !documented.includes(name) && !elsewhere.test(name))).toEqual([]);
  });
});

describe("docs/README.md", () => {
  it("lists every page once", () => {
    const links = [...readText("docs/README.md").matchAll(/\]\((?!\.\.)([^)]+)\)/g)].map(([, path]) => `docs/${path}`);
    const others = pages.map(({ path }) => path).filter((path) => /^docs\/(?!README|decisions)/.test(path));
    expect(links.sort()).toEqual(others.sort());
  });
});

describe("GLOSSARY.md", () => {
  const words = tableRows(readText("GLOSSARY.md")).map(([word]) => word?.replaceAll("*", ""));

  it("has every term of the design", () => {
    const design = `conversation, message, block, tool pair, turn, strategy, pass, edit, ask, apply, projection, report, budget, epoch,
      profile, upstream, wire, latest user message`;
    expect(words).toEqual(expect.arrayContaining(design.split(/,\s+/)));
  });

  it("names every type of block", () => {
    const types = [...readText("packages/conversation/src/block.ts").matchAll(/readonly type: "([a-z-]+)"/g)].map(
      ([, type]) => `\`${type}\``,
    );
    expect(types).toHaveLength(9);
    expect(
      tableRows(readText("GLOSSARY.md"))
        .find(([word]) => word === "**block**")?.[1]
        ?.match(/`[a-z-]+`/g)
        ?.sort(),
    ).toEqual(types.sort());
  });
});

describe("docs/decisions", () => {
  const decisions = pages.filter(({ path }) => /^docs\/decisions\/\d/.test(path));

  it("are numbered without gaps, in names and headings", () => {
    const numbers = decisions.map((_, index) => `${index + 1}`.padStart(4, "0"));
    expect(decisions.map(({ path }) => path.slice("docs/decisions/".length, "docs/decisions/0000".length))).toEqual(
      numbers,
    );
    expect(decisions.map(({ text }) => /^# (\d{4}): /.exec(text)?.[1])).toEqual(numbers);
  });

  it("have situation, decision and reasons", () => {
    const sections = ({ text }: { text: string }) => [...text.matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading);
    expect(
      decisions.filter((page) => sections(page).join() !== "Situation,Choice,Reason").map(({ path }) => path),
    ).toEqual([]);
  });
});

describe("every page", () => {
  it("links to existing files and headings", () => {
    const files = readFiles(() => true).map((file) => file.path);
    const folders = files.flatMap((path) => foldersAbove(path));
    expect(brokenLinks(pages, new Set([...files, ...folders]))).toEqual([]);
  });

  it("uses only existing npm commands", () => {
    const { scripts } = readJson<{ scripts: Record<string, string> }>("package.json");
    expect(pages.flatMap((page) => commandFaults(page, scripts))).toEqual([]);
  });
});

describe("every package", () => {
  it.each(packageFolders())("%s has a README", (folder) => {
    const path = `packages/${folder}/README.md`;
    expect(existsSync(posix.join(ROOT, path)), `${path} is missing`).toBe(true);
    const lines = readText(path).split("\n");
    expect(lines[0]).toMatch(new RegExp(`^# .*\\b${folder}\\b`));
    expect(lines.slice(1).join("").trim()).not.toBe("");
  });

  it("has a doc comment on every public export", () => {
    const files = texts.filter((file) => /^packages\/.*\.tsx?$/.test(file.path)).map(parseSource);
    const entries = packageFolders().flatMap((folder) => {
      const { exports = {} } = readJson<Manifest>(`packages/${folder}/package.json`);
      return Object.values(exports).map((entry) => posix.join("packages", folder, entry));
    });
    expect(entries).toContain("packages/conversation/src/index.ts");
    expect(undocumentedExports(entries, files)).toEqual([]);
  });
});

it("has no forbidden words", () => {
  expect(forbiddenWords(texts)).toEqual([]);
});

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}
