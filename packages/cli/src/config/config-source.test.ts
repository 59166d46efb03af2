import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layerSettings } from "@longhaul/settings";
import { afterAll, expect, it } from "vitest";
import { makeTerminal } from "../testing/terminal.ts";
import { configSource, configuredStore, readStore, withStore } from "./config-source.ts";

const SET = { store: { path: "kept.db" } };

it.each([
  ["flag.db", SET, { XDG_DATA_HOME: "/data" }, "flag.db"],
  [undefined, SET, { XDG_DATA_HOME: "/data" }, "kept.db"],
  [undefined, {}, { XDG_DATA_HOME: "/data" }, "/data/longhaul/longhaul.db"],
  [undefined, {}, { XDG_DATA_HOME: "" }, "/home/anna/.local/share/longhaul/longhaul.db"],
  [undefined, {}, {}, "/home/anna/.local/share/longhaul/longhaul.db"],
])("uses the store of the flag, then of the configuration, then in the user's data folder (%#)", (...given) => {
  const [store, file, environment, path] = given;
  const flags = store === undefined ? {} : { store };
  const { folder: _, file: _named, ...layers } = configSource(flags, makeTerminal("/home/anna", environment));
  expect(layerSettings({ ...layers, file }).config.store.path).toBe(path);
});

it("lets flags override everything", () => {
  const { file, flags } = configSource({ config: "f", host: "h", port: 0 }, makeTerminal("/home/anna"));
  expect([file, flags]).toEqual(["f", { "server.host": "h", "server.port": 0 }]);
});

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("reads an existing store and creates none", async () => {
  const store = join(folder, "s.db");
  const place = configuredStore({ store }, makeTerminal(folder));
  const count = () => readStore(place, async ({ keys }) => (await keys.list()).length);
  expect(await count()).toEqual({ missing: store });
  expect(existsSync(store)).toBe(false);
  expect(await withStore(place, async ({ keys }) => keys.list())).toEqual([]);
  expect(await count()).toEqual({ read: 0 });
});

it("does not treat a store without read permission as missing", async () => {
  const store = join(folder, "loop", "s.db");
  symlinkSync("loop", join(folder, "loop"));
  await expect(readStore({ path: store }, async () => "read")).rejects.toMatchObject({ code: "store.unavailable" });
});
