import { describe, expect, it } from "vitest";
import { brokenLinks, commandFaults, forbiddenWords } from "./page-faults.ts";

describe("brokenLinks", () => {
  const paths = new Set(["README.md", "docs", "docs/errors.md", "docs/a b.md"]);
  const errors = { path: "docs/errors.md", text: "# Errors\n## What to do, `first`\n" };

  it.each([
    "[a](docs/errors.md)",
    "[a](./docs/)",
    "[a](docs/errors.md#what-to-do-first)",
    "[a](#here) \n## Here",
    "[a](docs/a%20b.md)",
    '[a](docs/errors.md "title")',
    "[a][b]\n\n[b]: docs/errors.md",
    "[a](https://example.org/x) [b](mailto:a@example.org)",
    "```\n[a](nowhere.md)\n```",
    "`[a](nowhere.md)`",
    "# Two\n# Two\n[a](#two-1)",
  ])("accepts %j", (text) => {
    expect(brokenLinks([{ path: "README.md", text }, errors], paths)).toEqual([]);
  });

  it.each([
    ["a missing file", "[a](docs/eror.md)", "docs/eror.md"],
    ["a missing heading", "[a](docs/errors.md#what-not-to-do)", "docs/errors.md#what-not-to-do"],
    ["a missing heading of its own", "[a](#there)", "#there"],
    ["a missing reference", "[b]: docs/eror.md", "docs/eror.md"],
    ["an image", "![a](picture.png)", "picture.png"],
  ])("finds %s", (_, text, link) => {
    expect(brokenLinks([{ path: "README.md", text }, errors], paths)).toEqual([
      `README.md links to ${link}, which does not exist`,
    ]);
  });

  it("resolves links from the page's own folder", () => {
    const page = { path: "docs/errors.md", text: "[a](../README.md) [b](README.md)" };
    expect(brokenLinks([page], paths)).toEqual(["docs/errors.md links to README.md, which does not exist"]);
  });
});

describe("commandFaults", () => {
  const scripts = { start: "x", test: "x", "bench:tokens": "x" };

  it("accepts existing scripts, and npm's own commands", () => {
    const text = "`npm start`, `npm run bench:tokens` and `npm install`; git, Node and npm puts\n```\nnpm test\n```\n";
    expect(commandFaults({ path: "README.md", text }, scripts)).toEqual([]);
  });

  it("finds other commands", () => {
    const text = "`npm run bench`, `npm stat`\n```sh\nnpm run install\n```";
    expect(commandFaults({ path: "README.md", text }, scripts)).toEqual([
      'README.md uses "npm run bench", which package.json does not have',
      'README.md uses "npm stat", which package.json does not have',
      'README.md uses "npm run install", which package.json does not have',
    ]);
  });
});

describe("forbiddenWords", () => {
  it.each([
    [`// ${"TO"}DO: later`, "unfinished work"],
    [`${"FIX"}ME`, "unfinished work"],
    [`cd /${"work"}/main`, "a local path"],
    [`"/${"root"}/.npmrc"`, "a local path"],
    [`https://registry.${"npmjs"}.org/x`, "a package registry"],
    [`https://${"un"}pkg.com/x`, "a package registry"],
    [`what ${"seed"} 004 says`, "a document outside the repository"],
  ])("finds %j", (text, reason) => {
    expect(forbiddenWords([{ path: "a.md", text: `fine\n${text}` }])).toEqual([
      expect.stringMatching(`^a.md:2 has ".+": ${reason}$`),
    ]);
  });

  it.each([
    "the to-do list",
    "todos stay open",
    "packages/work/x",
    "/workspaces/x",
    "a/root/b",
    "/home/ada/project/main.py",
    "the strategy registry.ts",
    "registry.get(id)",
    "a random seed of 7",
    "{base}/root",
  ])("accepts %j", (text) => {
    expect(forbiddenWords([{ path: "a.md", text }])).toEqual([]);
  });
});
