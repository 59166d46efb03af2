import { expect, it } from "vitest";
import { brokenLinks } from "./broken-links.ts";

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
    `README.md links to ${link}, which is not there`,
  ]);
});

it("resolves from the page's own folder", () => {
  const page = { path: "docs/errors.md", text: "[a](../README.md) [b](README.md)" };
  expect(brokenLinks([page], paths)).toEqual(["docs/errors.md links to README.md, which is not there"]);
});
