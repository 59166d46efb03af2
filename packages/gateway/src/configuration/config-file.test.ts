import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadConfig } from "./config-file.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(root, { recursive: true }));
let made = 0;

/** A folder with these files in it. */
function folderOf(files: Record<string, string>): string {
  const folder = join(root, `f${made++}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(folder, { recursive: true });
  return folder;
}

describe("loadConfig", () => {
  it("prefers the named file, then LONGHAUL_CONFIG, the folder, and the user's configuration folder", () => {
    const yaml = (port: number) => `server: { port: ${port} }\n`;
    const folder = folderOf({
      "named.yaml": yaml(1),
      "variable.yaml": yaml(2),
      "longhaul.yaml": yaml(3),
      "home/.config/longhaul/longhaul.yaml": yaml(4),
    });
    const empty = folderOf({});
    const home = { HOME: join(folder, "home") };
    const variable = { LONGHAUL_CONFIG: join(folder, "variable.yaml") };
    const ports = [
      loadConfig({ file: join(folder, "named.yaml"), environment: variable, folder }),
      loadConfig({ environment: variable, folder }),
      loadConfig({ environment: home, folder }),
      loadConfig({ environment: home, folder: empty }),
    ].map(({ config }) => config.server.port);
    expect(ports).toEqual([1, 2, 3, 4]);
  });

  it("reads JSON too, with variables filled in", () => {
    const folder = folderOf({ "longhaul.json": '{"upstreams":{"c":{"kind":"anthropic","apiKey":"${KEY}"}}}' });
    const { config, file } = loadConfig({ environment: { KEY: "k", HOME: folder }, folder });
    expect([config.upstreams.c?.apiKey, file]).toEqual(["k", join(folder, "longhaul.json")]);
  });

  it("uses the environment only if there is no file", () => {
    const folder = folderOf({});
    const { config, file } = loadConfig({ environment: { HOME: folder, ANTHROPIC_API_KEY: "a" }, folder });
    expect([Object.keys(config.upstreams), file]).toEqual([["anthropic", "openai", "gemini"], undefined]);
  });

  it.each([
    ["a missing file", undefined, "cannot be read"],
    ["a file that is not YAML", "server: [", "not valid YAML"],
    ["a file with an unknown key", "sever: {}", "sever: unknown setting"],
    ["a reference to nothing", "log: *none", "not valid YAML: Unresolved alias"],
  ])("rejects %s", (_, text, why) => {
    const folder = folderOf(text === undefined ? {} : { "x.yaml": text });
    expect(() => loadConfig({ file: join(folder, "x.yaml"), environment: {}, folder })).toThrow(
      expect.objectContaining({ code: "settings.invalid", message: expect.stringContaining(why) }),
    );
  });

  it("names the line and column of a YAML error without quoting the file", () => {
    const folder = folderOf({ "x.yaml": "upstreams:\n  a: { kind: openai, apiKey: sk-secret\n" });
    const file = join(folder, "x.yaml");
    expect(() => loadConfig({ file, environment: {}, folder })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/not valid YAML: .+ at line \d+, column \d+$/) }),
    );
  });

  it("lets LOG_LEVEL override the file", () => {
    const folder = folderOf({ "longhaul.yaml": "log: { level: warn }\n" });
    const levelOf = (environment: Record<string, string>) =>
      loadConfig({ environment: { HOME: folder, ...environment }, folder }).config.log.level;
    expect([levelOf({}), levelOf({ LOG_LEVEL: "DEBUG" }), levelOf({ LOG_LEVEL: "" })]).toEqual([
      "warn",
      "debug",
      "warn",
    ]);
    expect(() => levelOf({ LOG_LEVEL: "loud" })).toThrow(/log\.level/);
  });
});
