import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeTerminal } from "../testing/terminal.ts";
import { fillText, fillValue, fillVariables, placeholdersOf } from "./fill.ts";

const placeholders = { url: "http://g", model: "m" };

it("leaves out texts that need a key if there is none", () => {
  expect(fillVariables({ A: "{url}/v1", B: "{key}", C: "{anyKey}" }, placeholders)).toEqual({
    A: "http://g/v1",
    C: "longhaul",
  });
  expect(fillVariables({ B: "{key}", C: "{anyKey}" }, { ...placeholders, key: "k" })).toEqual({ B: "k", C: "k" });
  expect(fillText("{key}", placeholders)).toBeUndefined();
});

it("fills every text in a value", () => {
  expect(fillValue({ a: ["{model}", 1, "{key}"], b: null, c: "{key}" }, placeholders)).toEqual({
    a: ["m", 1],
    b: null,
  });
});

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("uses the configured address of the gateway", () => {
  const model = "m";
  expect(placeholdersOf({ model }, makeTerminal(folder))).toEqual({ url: "http://127.0.0.1:4141", model });
  expect(placeholdersOf({ model }, makeTerminal(folder, { PORT: "99", LONGHAUL_KEY: "k" }))).toEqual({
    url: "http://127.0.0.1:99",
    model,
    key: "k",
  });
  writeFileSync(join(folder, "longhaul.yaml"), 'server: { host: "::", keys: off }\n');
  expect(placeholdersOf({ model }, makeTerminal(folder)).url).toBe("http://[::1]:4141");
});

it("uses the address of the flag", () => {
  const terminal = makeTerminal(folder);
  expect(placeholdersOf({ model: "m", url: "https://g.example.org/v1/", key: "k" }, terminal)).toEqual({
    url: "https://g.example.org",
    model: "m",
    key: "k",
  });
  expect(() => placeholdersOf({ model: "m", url: "localhost" }, terminal)).toThrow('--url: "localhost" is not a URL');
});
