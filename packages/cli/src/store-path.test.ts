import { parseConfig } from "@longhaul/settings";
import { expect, it } from "vitest";
import { storePathOf } from "./store-path.ts";
import { makeTerminal } from "./testing/terminal.ts";

const unset = parseConfig({}, {});
const set = parseConfig({ store: { path: "kept.db" } }, {});

it.each([
  ["flag.db", set, { XDG_DATA_HOME: "/data" }, "flag.db"],
  [undefined, set, { XDG_DATA_HOME: "/data" }, "kept.db"],
  [undefined, unset, { XDG_DATA_HOME: "/data" }, "/data/longhaul/longhaul.db"],
  [undefined, unset, { XDG_DATA_HOME: "" }, "/home/anna/.local/share/longhaul/longhaul.db"],
  [undefined, unset, {}, "/home/anna/.local/share/longhaul/longhaul.db"],
])("takes the flag, then the configuration, then the user's data folder (%#)", (flag, config, environment, path) => {
  expect(storePathOf(flag, config, makeTerminal("/home/anna", environment))).toBe(path);
});
