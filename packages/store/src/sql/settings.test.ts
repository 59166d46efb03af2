import { describe, expect, it } from "vitest";
import { makePreset } from "../testing/make.ts";
import { makeEngine, openDatabase } from "../testing/open-database.ts";
import { makePresets, makeSettings } from "./settings.ts";

describe("makeSettings", () => {
  it("counts an unparsable value as not set, and keeps the others", async () => {
    const database = await openDatabase();
    const settings = makeSettings(makeEngine(database));
    const entries = ["a", "b"].map((path) => ({ path, value: path }));
    await settings.change({ entries, by: "ada", atMs: 0 });
    await database.updateTable("settings").set({ value: "{" }).where("path", "=", "a").execute();
    await database.updateTable("settingChanges").set({ after: "{" }).where("path", "=", "a").execute();
    expect(await settings.load()).toEqual({ revision: 1, values: { b: "b" } });
    const [first] = await settings.history({ limit: 1 });
    expect(first).toStrictEqual({ revision: 1, path: "a", isSecret: false, by: "ada", atMs: 0 });
    await database.destroy();
  });
});

describe("makePresets", () => {
  it("reads an unparsable configuration as empty", async () => {
    const database = await openDatabase();
    const presets = makePresets(makeEngine(database));
    await presets.put(makePreset());
    await database.updateTable("presets").set({ config: "[" }).execute();
    expect(await presets.list()).toStrictEqual([makePreset({ config: {} })]);
    await database.destroy();
  });
});
