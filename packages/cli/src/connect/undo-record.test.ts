import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { dropRecord, hashOf, hashOfText, keepRecord, readRecord } from "./undo-record.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "settings");

it("stores a record for its owner only, until it is dropped", () => {
  const record = { before: "a", afterHash: "h", pieces: [{ path: ["a"], hash: "h" }], mode: { before: 1, after: 2 } };
  keepRecord(path, record);
  expect([readRecord(path), statSync(`${path}.longhaul-undo`).mode & 0o777]).toEqual([record, 0o600]);
  dropRecord(path);
  expect([readRecord(path), readdirSync(folder)]).toEqual([undefined, []]);
});

it.each(["", "{}", "[]", '{"afterHash":"h","pieces":[1]}', '{"afterHash":"h","pieces":[],"before":1}'])(
  "rejects the damaged record %j",
  (text) => {
    writeFileSync(`${path}.longhaul-undo`, text);
    expect(() => readRecord(path)).toThrow(".longhaul-undo is damaged; remove it to continue without --undo");
    dropRecord(path);
  },
);

it("hashes data independent of the order of its keys", () => {
  expect(hashOf({ a: 1, b: [true, null] })).toBe(hashOf({ b: [true, null], a: 1 }));
  const values = [1, "1", true, "true", null, undefined, [], {}, new Date(0), ["a,b"], ["a", "b"]];
  expect(new Set(values.map(hashOf)).size).toBe(values.length);
  expect(hashOfText("a")).not.toBe(hashOfText("b"));
});
