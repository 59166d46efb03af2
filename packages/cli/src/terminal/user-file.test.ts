import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readYaml } from "./read-yaml.ts";
import { readText, reasonOf, userFile, writeText } from "./user-file.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
const named = (name: string) => userFile(name, { folder });

describe("a file that the user named", () => {
  it("is resolved against the current folder", () => {
    expect(named("a.yaml")).toEqual({ path: join(folder, "a.yaml"), name: "a.yaml" });
    expect(named("/etc/hosts").path).toBe("/etc/hosts");
  });

  it("can be written and read", () => {
    writeText(named("a.yaml"), "strategy: smart\n");
    expect(readFileSync(join(folder, "a.yaml"), "utf8")).toBe("strategy: smart\n");
    expect([readText(named("a.yaml")), readYaml(named("a.yaml"))]).toEqual([
      "strategy: smart\n",
      { strategy: "smart" },
    ]);
  });

  it("is named in errors as the user wrote it", () => {
    writeFileSync(join(folder, "bad.yaml"), "a: [1");
    expect(() => readText(named("none"))).toThrow("cannot read none: no such file; check the path");
    expect(() => readYaml(named("."))).toThrow("cannot read .: it is a folder");
    expect(() => readYaml(named("bad.yaml"))).toThrow(/^bad\.yaml is not valid YAML or JSON: [^\n]+[^\n:]$/);
    expect(() => writeText(named("no/such/folder"), "")).toThrow(
      "cannot write no/such/folder: its folder does not exist; create it first",
    );
  });
});

it("returns the original message for an unknown error", () => {
  expect([reasonOf(new Error("odd")), reasonOf("odd")]).toEqual(["odd", "odd"]);
});
