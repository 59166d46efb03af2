import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeTerminal } from "../testing/terminal.ts";
import { fillingOf, findClient, listClients } from "./find-client.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("finds a client by its id, or says which there are", () => {
  expect(findClient("Claude-Code").name).toBe("Claude Code");
  expect(() => findClient("emacs")).toThrow('there is no client "emacs"; choose among claude-code, codex');
});

it("lists what can be done for each", () => {
  expect(listClients()).toMatch(/^claude-code +Claude Code \(connect, connect --write, run\)\n/);
  expect(listClients()).toMatch(/^cursor +Cursor \(connect\)\n/m);
});

it("points at where the configuration says that the gateway listens", () => {
  const model = "m";
  expect(fillingOf({ model }, makeTerminal(folder))).toEqual({ url: "http://127.0.0.1:4141", model });
  expect(fillingOf({ model }, makeTerminal(folder, { PORT: "99", LONGHAUL_KEY: "k" }))).toEqual({
    url: "http://127.0.0.1:99",
    model,
    key: "k",
  });
  writeFileSync(join(folder, "longhaul.yaml"), 'server: { host: "::", keys: off }\n');
  expect(fillingOf({ model }, makeTerminal(folder)).url).toBe("http://[::1]:4141");
});

it("points where it is told to", () => {
  const terminal = makeTerminal(folder);
  expect(fillingOf({ model: "m", url: "https://g.example.org/v1/", key: "k" }, terminal)).toEqual({
    url: "https://g.example.org",
    model: "m",
    key: "k",
  });
  expect(() => fillingOf({ model: "m", url: "localhost" }, terminal)).toThrow('--url: "localhost" is no address');
});
