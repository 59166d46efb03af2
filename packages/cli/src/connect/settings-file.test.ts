import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { ClientFile } from "./clients.ts";
import { dropBackup, keepBackup, makeChange, planUndo, planWrite, settingsPath } from "./settings-file.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(root, { recursive: true }));

const FILE: ClientFile = {
  folder: "~/.client",
  variable: "CLIENT_HOME",
  names: ["settings.json", "settings.jsonc"],
  format: "json",
  settings: [{ path: ["env", "URL"], value: "{url}" }],
};
const filling = { url: "http://g", model: "m" };

function home(text?: string) {
  const folder = mkdtempSync(join(root, "h"));
  const path = join(folder, ".client", "settings.json");
  mkdirSync(join(folder, ".client"));
  if (text !== undefined) writeFileSync(path, text, { mode: 0o640 });
  return { terminal: { environment: { HOME: folder } }, path };
}

it("finds the file where the client looks for it", () => {
  const { terminal, path } = home();
  expect(settingsPath(FILE, terminal)).toBe(path);
  writeFileSync(`${path}c`, "{}");
  expect(settingsPath(FILE, terminal)).toBe(`${path}c`);
  expect(settingsPath(FILE, { environment: { CLIENT_HOME: "/elsewhere" } })).toBe("/elsewhere/settings.json");
});

it("makes a file for its owner alone, and removes it again", () => {
  const { terminal, path } = home();
  const change = planWrite(FILE, filling, terminal);
  keepBackup(change);
  expect(makeChange(change)).toBeUndefined();
  expect([JSON.parse(readFileSync(path, "utf8")), statSync(path).mode & 0o777]).toEqual([
    { env: { URL: "http://g" } },
    0o600,
  ]);
  const undo = planUndo(FILE, terminal);
  expect(undo.after).toBeUndefined();
  makeChange(undo);
  dropBackup(undo);
  expect(readdirSync(dirname(path))).toEqual([]);
  expect(planUndo(FILE, terminal)).toEqual({ path, before: undefined, after: undefined });
});

it("begins a file that it makes as the client wants it, and no other", () => {
  const opening = '{ "version": 1 }';
  const { terminal, path } = home();
  const change = planWrite({ ...FILE, opening }, filling, terminal);
  keepBackup(change);
  makeChange(change);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ version: 1, env: { URL: "http://g" } });
  expect(planUndo({ ...FILE, opening }, terminal).after).toBeUndefined();
  const { terminal: other } = home("{}");
  expect(JSON.parse(planWrite({ ...FILE, opening }, filling, other).after ?? "")).toEqual({ env: { URL: "http://g" } });
});

it("keeps what was there, with its permissions, and brings it back byte for byte", () => {
  const text = '{ "env" : { "URL":"http://mine" }, "theme":1 }';
  const { terminal, path } = home(text);
  for (const url of ["http://g", "http://h"]) {
    const change = planWrite(FILE, { ...filling, url }, terminal);
    keepBackup(change);
    expect(makeChange(change)).toBe(`${path}.before-longhaul`);
  }
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ env: { URL: "http://h" }, theme: 1 });
  expect(statSync(path).mode & 0o777).toBe(0o640);
  const undo = planUndo(FILE, terminal);
  makeChange(undo);
  dropBackup(undo);
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(existsSync(`${path}.before-longhaul`)).toBe(false);
});

it("removes a file that it made, however often it wrote it", () => {
  const { terminal, path } = home();
  for (const url of ["http://g", "http://h"]) {
    const change = planWrite(FILE, { ...filling, url }, terminal);
    keepBackup(change);
    expect(makeChange(change)).toBeUndefined();
  }
  expect(planUndo(FILE, terminal)).toMatchObject({ path, after: undefined });
});

it("takes nothing back where nothing was written", () => {
  const text = '{ "env": { "URL": "http://mine" } }';
  const { terminal, path } = home(text);
  expect(planUndo(FILE, terminal)).toEqual({ path, before: text, after: text });
});

it("brings back lines as they were written, comments included", () => {
  const file: ClientFile = { ...FILE, format: "env", settings: [{ path: ["URL"], value: "{url}" }] };
  const text = 'export URL="http://mine" # mine\nTHEME=1\n';
  const { terminal } = home(text);
  const change = planWrite(file, filling, terminal);
  keepBackup(change);
  makeChange(change);
  expect(planUndo(file, terminal).after).toBe(text);
});

it("keeps what the user changed since", () => {
  const { terminal, path } = home('{\n  "theme": 1\n}\n');
  const change = planWrite(FILE, filling, terminal);
  keepBackup(change);
  makeChange(change);
  writeFileSync(path, readFileSync(path, "utf8").replace('"theme": 1', '"theme": 2'));
  expect(planUndo(FILE, terminal).after).toBe('{\n  "theme": 2\n}\n');
});

it("writes through a link", () => {
  const { terminal, path } = home();
  const elsewhere = join(mkdtempSync(join(root, "d")), "settings.json");
  writeFileSync(elsewhere, "{}");
  symlinkSync(elsewhere, path);
  makeChange(planWrite(FILE, filling, terminal));
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(elsewhere, "utf8"))).toEqual({ env: { URL: "http://g" } });
});

it("names the file that is broken, and leaves it alone", () => {
  const { terminal, path } = home("{ broken");
  expect(() => planWrite(FILE, filling, terminal)).toThrow(`${path}: it is not valid JSON in line 1`);
  expect(readFileSync(path, "utf8")).toBe("{ broken");
});

it("says that a folder cannot be made", () => {
  const change = planWrite(FILE, filling, { environment: { HOME: "/dev/null" } });
  expect(() => keepBackup(change)).toThrow(/^\/dev\/null\/.*: its folder cannot be made/);
});
