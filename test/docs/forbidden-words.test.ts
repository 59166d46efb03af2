import { expect, it } from "vitest";
import { forbiddenWords } from "./forbidden-words.ts";

it.each([
  [`// ${"TO"}DO: later`, "work left undone"],
  [`${"FIX"}ME`, "work left undone"],
  [`cd /${"work"}/main`, "a path of one machine"],
  [`"/${"root"}/.npmrc"`, "a path of one machine"],
  [`https://registry.${"npmjs"}.org/x`, "a package registry"],
  [`https://${"un"}pkg.com/x`, "a package registry"],
  [`what ${"seed"} 004 says`, "a paper that is not in the repository"],
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
