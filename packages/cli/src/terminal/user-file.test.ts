import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readText, readYaml, reasonOf, userFile, writeText } from "./user-file.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
const named = (name: string) => userFile(name, { folder });

describe("a file that the user named", () => {
  it("stands in the folder that the program was called in, unless its name says otherwise", () => {
    expect(named("a.yaml")).toEqual({ path: join(folder, "a.yaml"), name: "a.yaml" });
    expect(named("/etc/hosts").path).toBe("/etc/hosts");
  });

  it("is written and read", () => {
    writeText(named("a.yaml"), "strategy: smart\n");
    expect(readFileSync(join(folder, "a.yaml"), "utf8")).toBe("strategy: smart\n");
    expect([readText(named("a.yaml")), readYaml(named("a.yaml"))]).toEqual([
      "strategy: smart\n",
      { strategy: "smart" },
    ]);
  });

  it("is called by that name when it cannot be", () => {
    writeFileSync(join(folder, "bad.yaml"), "a: [1");
    expect(() => readText(named("none"))).toThrow("none cannot be read: there is no such file; check its path");
    expect(() => readYaml(named("."))).toThrow(". cannot be read: it is a folder");
    expect(() => readYaml(named("bad.yaml"))).toThrow(/^bad\.yaml cannot be read as YAML or JSON: [^\n]+[^\n:]$/);
    expect(() => writeText(named("no/such/folder"), "")).toThrow(
      "no/such/folder cannot be written: its folder is not there; make that first",
    );
  });
});

it("gives the reason as it came where it knows no better words", () => {
  expect([reasonOf(new Error("odd")), reasonOf("odd")]).toEqual(["odd", "odd"]);
});
