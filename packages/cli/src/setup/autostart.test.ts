import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeChange } from "../connect/settings-file.ts";
import { autostartFor, planAutostart, planAutostartUndo, runAll } from "./autostart.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-autostart-"));
afterAll(() => rmSync(root, { recursive: true }));

const COMMAND = [process.execPath, '/opt/a "b" 100%/$HOME/longhaul.mjs'];

function make(platform: string, command: readonly string[] = COMMAND) {
  const home = mkdtempSync(join(root, "h"));
  const autostart = autostartFor(platform, { environment: { HOME: home } }, command);
  if (autostart === undefined) throw new Error(`${platform} has no autostart`);
  return { home, autostart };
}

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

describe("the systemd unit", () => {
  it("is in the user's folder, and is enabled and disabled by systemctl", () => {
    const { home, autostart } = make("linux");
    expect(autostart.path).toBe(join(home, ".config/systemd/user/longhaul.service"));
    expect(autostart.enable.at(-1)).toEqual(["systemctl", "--user", "enable", "--now", "longhaul.service"]);
    expect(autostart.disable[0]).toEqual(["systemctl", "--user", "disable", "--now", "longhaul.service"]);
  });

  it("quotes the paths of the program", () => {
    expect(make("linux").autostart.text).toContain(
      `ExecStart="${process.execPath}" "/opt/a \\"b\\" 100%%/$$HOME/longhaul.mjs" start\n`,
    );
  });

  it.skipIf(!hasSystemd)("passes systemd's own check", () => {
    const { autostart } = make("linux", [process.execPath, process.execPath]);
    writeChange(planAutostart(autostart));
    const env = { PATH: process.env.PATH, HOME: dirname(autostart.path), XDG_RUNTIME_DIR: dirname(autostart.path) };
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["--user", "verify", autostart.path], {
      encoding: "utf8",
      env,
    });
    expect([status, stdout, stderr.split("\n").filter((line) => line.includes("longhaul"))]).toEqual([0, "", []]);
  });
});

describe("the launchd agent", () => {
  it("has a label, the program with its arguments, and starts at login", () => {
    const { home, autostart } = make("darwin", ["/usr/local/bin/node", "/opt/R&D/<x>/longhaul.mjs"]);
    expect(autostart.path).toBe(join(home, "Library/LaunchAgents/dev.longhaul.gateway.plist"));
    const tags = [...autostart.text.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)].filter(([tag]) => !tag.startsWith("<!"));
    const open: string[] = [];
    for (const [, closes, name = "", isEmpty] of tags) {
      if (closes === "/") expect(open.pop()).toBe(name);
      else if (isEmpty === "") open.push(name);
    }
    expect(open).toEqual([]);
    expect(autostart.text).toMatch(/<key>Label<\/key>\s*<string>dev\.longhaul\.gateway<\/string>/);
    expect([...autostart.text.matchAll(/^ {4}<string>(.*)<\/string>$/gm)].map(([, text]) => text)).toEqual([
      "/usr/local/bin/node",
      "/opt/R&amp;D/&lt;x>/longhaul.mjs",
      "start",
    ]);
    expect(autostart.text).toMatch(/<key>RunAtLoad<\/key>\s*<true\/>/);
  });
});

it("is not available on other systems", () => {
  expect(autostartFor("win32", { environment: { HOME: root } }, COMMAND)).toBeUndefined();
});

describe("undo", () => {
  it("removes the file and the folders that were created for it", () => {
    const { home, autostart } = make("linux");
    writeChange(planAutostart(autostart));
    writeChange(planAutostart(autostart));
    const undo = planAutostartUndo(autostart);
    if (undo !== undefined) writeChange(undo);
    expect(existsSync(join(home, ".config"))).toBe(false);
    expect(planAutostartUndo(autostart)).toBeUndefined();
  });

  it("restores a file that was there before", () => {
    const { autostart } = make("linux");
    mkdirSync(dirname(autostart.path), { recursive: true });
    writeFileSync(autostart.path, "[Unit]\nDescription=mine\n");
    writeChange(planAutostart(autostart));
    const undo = planAutostartUndo(autostart);
    if (undo !== undefined) writeChange(undo);
    expect(readFileSync(autostart.path, "utf8")).toBe("[Unit]\nDescription=mine\n");
  });

  it("refuses to touch a file that was edited since", () => {
    const { autostart } = make("linux");
    writeChange(planAutostart(autostart));
    writeFileSync(autostart.path, "edited");
    expect(() => planAutostartUndo(autostart)).toThrow("was edited after Longhaul wrote it");
    expect(readFileSync(autostart.path, "utf8")).toBe("edited");
  });
});

it("runs commands until one fails, and names it with its reason", () => {
  const folder = mkdtempSync(join(root, "c"));
  const program = join(folder, "fails");
  writeFileSync(program, "#!/bin/sh\necho no bus >&2\nexit 3\n");
  chmodSync(program, 0o755);
  const environment = { PATH: "/usr/bin:/bin" };
  expect(runAll([["true"]], { environment })).toBeUndefined();
  expect(runAll([["true"], [program, "now"], ["false"]], { environment })).toBe(`\`${program} now\` failed: no bus`);
  expect(runAll([[join(folder, "missing")]], { environment })).toContain("ENOENT");
});
