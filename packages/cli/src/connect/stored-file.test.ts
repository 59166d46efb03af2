import {
  chmodSync,
  chownSync,
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
import { makeFolder, readStored, removeFolders, replaceStored, requireWritable } from "./stored-file.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(root, { recursive: true }));
const place = () => join(mkdtempSync(join(root, "h")), "settings");

it("reads text with its byte order mark and permissions", () => {
  const path = place();
  expect(readStored(path)).toBeUndefined();
  writeFileSync(path, "\uFEFFa");
  chmodSync(path, 0o640);
  expect(readStored(path)).toEqual({ text: "\uFEFFa", mode: 0o640 });
});

it("creates a file for its owner only, and keeps the permissions of an existing one", () => {
  const path = place();
  replaceStored(path, "a");
  expect(readStored(path)).toEqual({ text: "a", mode: 0o600 });
  chmodSync(path, 0o666);
  replaceStored(path, "b");
  expect(readStored(path)).toEqual({ text: "b", mode: 0o666 });
  replaceStored(path, "b", 0o600);
  expect([readStored(path)?.mode, readdirSync(dirname(path))]).toEqual([0o600, ["settings"]]);
});

it.runIf(process.getuid?.() === 0)("keeps the owner when root writes", () => {
  const path = place();
  writeFileSync(path, "a");
  chownSync(path, 1234, 1234);
  replaceStored(path, "b");
  expect([statSync(path).uid, statSync(path).gid]).toEqual([1234, 1234]);
});

it("follows a link when it writes", () => {
  const path = place();
  const target = place();
  writeFileSync(target, "a");
  symlinkSync(target, path);
  replaceStored(path, "b");
  expect([lstatSync(path).isSymbolicLink(), readFileSync(target, "utf8")]).toEqual([true, "b"]);
});

it("leaves no temporary file if a file cannot be replaced", () => {
  const path = place();
  mkdirSync(path);
  expect(() => replaceStored(path, "b")).toThrow();
  expect(readdirSync(dirname(path))).toEqual(["settings"]);
});

it("rejects a read-only file or folder", () => {
  const path = place();
  expect(() => requireWritable(join(path, "new", "file"))).not.toThrow();
  writeFileSync(path, "a", { mode: 0o444 });
  expect(() => requireWritable(path)).toThrow("it is read-only; make it writable first (chmod u+w)");
  expect(() => requireWritable(join(path, "file"))).toThrow(`${path} is not a folder`);
  chmodSync(path, 0o600);
  chmodSync(dirname(path), 0o555);
  expect(() => requireWritable(path)).toThrow(`the folder ${dirname(path)} is read-only`);
  chmodSync(dirname(path), 0o755);
});

it("removes the folders that it created, unless they are not empty", () => {
  const path = join(place(), "a", "b");
  const top = makeFolder(path) ?? "";
  expect(top).toBe(dirname(dirname(path)));
  writeFileSync(join(top, "mine"), "");
  removeFolders(path, top);
  expect([existsSync(dirname(path)), existsSync(top)]).toEqual([false, true]);
  rmSync(join(top, "mine"));
  removeFolders(join(top, "b"), top);
  expect([existsSync(top), existsSync(dirname(top))]).toEqual([false, true]);
});
