import { layerSettings } from "@longhaul/settings";
import { expect, it } from "vitest";
import { makeTerminal } from "../testing/terminal.ts";
import { configSource } from "./config-source.ts";

const SET = { store: { path: "kept.db" } };

it.each([
  ["flag.db", SET, { XDG_DATA_HOME: "/data" }, "flag.db"],
  [undefined, SET, { XDG_DATA_HOME: "/data" }, "kept.db"],
  [undefined, {}, { XDG_DATA_HOME: "/data" }, "/data/longhaul/longhaul.db"],
  [undefined, {}, { XDG_DATA_HOME: "" }, "/home/anna/.local/share/longhaul/longhaul.db"],
  [undefined, {}, {}, "/home/anna/.local/share/longhaul/longhaul.db"],
])("the store is where the flag says, then the configuration, then the user's data folder (%#)", (...given) => {
  const [store, file, environment, path] = given;
  const flags = store === undefined ? {} : { store };
  const { folder: _, file: _named, ...layers } = configSource(flags, makeTerminal("/home/anna", environment));
  expect(layerSettings({ ...layers, file }).config.store.path).toBe(path);
});

it("flags go before everything", () => {
  const { file, flags } = configSource({ config: "f", host: "h", port: 0 }, makeTerminal("/home/anna"));
  expect([file, flags]).toEqual(["f", { "server.host": "h", "server.port": 0 }]);
});
