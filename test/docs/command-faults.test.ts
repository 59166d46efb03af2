import { expect, it } from "vitest";
import { commandFaults } from "./command-faults.ts";

const scripts = { start: "x", test: "x", "bench:tokens": "x" };

it("accepts scripts that there are, and npm's own commands", () => {
  const text = "`npm start`, `npm run bench:tokens` and `npm install`; git, Node and npm puts\n```\nnpm test\n```\n";
  expect(commandFaults({ path: "README.md", text }, scripts)).toEqual([]);
});

it("finds the others", () => {
  const text = "`npm run bench`, `npm stat`\n```sh\nnpm run install\n```";
  expect(commandFaults({ path: "README.md", text }, scripts)).toEqual([
    'README.md tells to run "npm run bench", which package.json does not have',
    'README.md tells to run "npm stat", which package.json does not have',
    'README.md tells to run "npm run install", which package.json does not have',
  ]);
});
