import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ClientFile } from "./clients.ts";
import { planUndo, planWrite, settingsPath, writeChange } from "./settings-file.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(root, { recursive: true }));

const FILE: ClientFile = {
  folder: "~/.client",
  variable: "CLIENT_HOME",
  names: ["settings.json", "settings.jsonc"],
  format: "json",
  settings: [
    { path: ["env", "URL"], value: "{url}" },
    { path: ["env", "KEY"], value: "{key}" },
  ],
};
const placeholders = { url: "http://g", model: "m" };

function home(text?: string) {
  const folder = mkdtempSync(join(root, "h"));
  const path = join(folder, ".client", "settings.json");
  mkdirSync(join(folder, ".client"));
  if (text !== undefined) writeFileSync(path, text, { mode: 0o600 });
  const terminal = { environment: { HOME: folder } };
  const write = (change: Partial<typeof placeholders> & { readonly key?: string } = {}) =>
    writeChange(planWrite(FILE, { ...placeholders, ...change }, terminal));
  const read = () => readFileSync(path, "utf8");
  return { terminal, path, write, read };
}

it("returns the file that the client reads", () => {
  const { terminal, path } = home();
  expect(settingsPath(FILE, terminal)).toBe(path);
  writeFileSync(`${path}c`, "{}");
  expect(settingsPath(FILE, terminal)).toBe(`${path}c`);
  expect(settingsPath(FILE, { environment: { CLIENT_HOME: "/elsewhere" } })).toBe("/elsewhere/settings.json");
});

it("adds the client's opening to a new file only", () => {
  const file: ClientFile = { ...FILE, opening: '{ "version": 1 }' };
  const { terminal, path } = home();
  writeChange(planWrite(file, placeholders, terminal));
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ version: 1, env: { URL: "http://g" } });
  writeFileSync(path, readFileSync(path, "utf8").replace("{", "{\n"));
  expect(planUndo(file, terminal).after).toBeUndefined();
  const { terminal: other } = home("{}");
  expect(JSON.parse(planWrite(file, placeholders, other).after ?? "")).toEqual({ env: { URL: "http://g" } });
});

it("restores the first text after several writes", () => {
  const text = '{ "env" : { "URL":"http://mine" }, "theme":1 }';
  const { terminal, path, write, read } = home(text);
  write();
  write({ url: "http://h" });
  expect(JSON.parse(read())).toEqual({ env: { URL: "http://h" }, theme: 1 });
  writeChange(planUndo(FILE, terminal));
  expect([read(), readdirSync(dirname(path))]).toEqual([text, ["settings.json"]]);
});

it("restores a value that the user set between two writes", () => {
  const { terminal, path, write, read } = home('{ "theme": 1 }');
  write();
  writeFileSync(path, read().replace("http://g", "http://mine"));
  write({ url: "http://h" });
  writeChange(planUndo(FILE, terminal));
  expect(JSON.parse(read())).toEqual({ theme: 1, env: { URL: "http://mine" } });
});

it("removes the key of an earlier write when a later one has none", () => {
  const { terminal, write, read } = home("{}");
  write({ key: "secret" });
  expect(JSON.parse(read())).toEqual({ env: { URL: "http://g", KEY: "secret" } });
  write();
  expect(JSON.parse(read())).toEqual({ env: { URL: "http://g" } });
  expect(planUndo(FILE, terminal).after).toBe("{}");
});

it("does not store a written key in its undo record", () => {
  const { path, write } = home("{}");
  write({ key: "secret" });
  expect(readFileSync(`${path}.longhaul-undo`, "utf8")).not.toContain("secret");
});

it("undoes nothing without an undo record", () => {
  const text = '{ "env": { "URL": "http://mine" } }';
  const { terminal, path } = home(text);
  expect(planUndo(FILE, terminal)).toEqual({ path, before: text, after: text, record: undefined, notes: [] });
});

it("does not write a file that changed after the change was planned", () => {
  const { terminal, path, read } = home("{}");
  const change = planWrite(FILE, placeholders, terminal);
  writeFileSync(path, '{ "new": 1 }');
  expect(() => writeChange(change)).toThrow("another program has just changed it; try again");
  expect([read(), readdirSync(dirname(path))]).toEqual(['{ "new": 1 }', ["settings.json"]]);
});

const HEADERS: ClientFile = {
  ...FILE,
  settings: [
    { path: ["env", "URL"], value: "{url}" },
    { path: ["env", "HEADERS"], value: "x-longhaul-key: {headerKey}", isHeader: true },
  ],
};

describe("a setting that is one header of several", () => {
  const makeHeaders = (own?: string) => {
    const { terminal, path, read } = home(own === undefined ? "{}" : JSON.stringify({ env: { HEADERS: own } }));
    const write = (headerKey: string) => writeChange(planWrite(HEADERS, { ...placeholders, headerKey }, terminal));
    const edit = (change: (headers: string) => string) => {
      const settings = JSON.parse(read());
      writeFileSync(path, JSON.stringify({ ...settings, env: { ...settings.env, HEADERS: change(headers()) } }));
    };
    const headers = () => JSON.parse(read()).env?.HEADERS;
    const undo = () => {
      const change = planUndo(HEADERS, terminal);
      writeChange(change);
      return change;
    };
    return { write, edit, headers, undo, read };
  };

  it("is added to the user's headers, replaced by the next write, and removed by undo", () => {
    const { write, headers, undo, read } = makeHeaders("x-mine: 1\nx-team: 2");
    write("one");
    expect(headers()).toBe("x-mine: 1\nx-team: 2\nx-longhaul-key: one");
    write("two");
    expect(headers()).toBe("x-mine: 1\nx-team: 2\nx-longhaul-key: two");
    undo();
    expect(read()).toBe(JSON.stringify({ env: { HEADERS: "x-mine: 1\nx-team: 2" } }));
  });

  it("leaves the headers that the user changed since, in both directions", () => {
    const { write, edit, headers, undo } = makeHeaders("x-mine: 1");
    write("one");
    edit((before) => `${before}\nx-more: 3`);
    write("two");
    expect(headers()).toBe("x-mine: 1\nx-more: 3\nx-longhaul-key: two");
    edit((before) => before.replace("x-mine: 1", "x-mine: 4"));
    expect(undo().notes).toEqual([]);
    expect(headers()).toBe("x-mine: 4\nx-more: 3");
  });

  it("is the whole value if the user has no headers, and leaves nothing behind", () => {
    const { write, headers, undo, read } = makeHeaders();
    write("one");
    expect(headers()).toBe("x-longhaul-key: one");
    undo();
    expect(read()).toBe("{}");
  });

  it("restores a header of the same name that the user had", () => {
    const { write, edit, headers, undo } = makeHeaders("X-Longhaul-Key: mine\r\nx-team: 2");
    write("one");
    expect(headers()).toBe("x-team: 2\nx-longhaul-key: one");
    edit((before) => `x-more: 3\n${before}`);
    undo();
    expect(headers()).toBe("x-more: 3\nx-team: 2\nX-Longhaul-Key: mine");
  });
});
