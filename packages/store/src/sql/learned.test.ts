import { describe, expect, it } from "vitest";
import { makeCalibration, makeWindow } from "../testing/make.ts";
import { openDatabase } from "../testing/open-database.ts";
import { makeCalibrations, makeWindows } from "./learned.ts";

describe("makeWindows", () => {
  it("returns plain objects", async () => {
    const database = await openDatabase();
    const windows = makeWindows(database);
    await windows.learn(makeWindow());
    expect(await windows.find(makeWindow(), 0)).toStrictEqual(makeWindow());
    expect(await windows.list()).toStrictEqual([makeWindow()]);
    await database.destroy();
  });

  it("ignores other fields of a key", async () => {
    const database = await openDatabase();
    const windows = makeWindows(database);
    await windows.learn(makeWindow({ windowTokens: 7 }));
    await windows.forget(makeWindow({ windowTokens: 9, learnedAtMs: 9 }));
    expect(await windows.list()).toEqual([]);
    await database.destroy();
  });
});

describe("makeCalibrations", () => {
  it("skips a row that cannot be parsed", async () => {
    const database = await openDatabase();
    const calibrations = makeCalibrations(database);
    await calibrations.save(makeCalibration());
    await database.insertInto("calibrations").values({ upstream: "broken", model: "broken", state: "{" }).execute();
    expect(await calibrations.load()).toStrictEqual([makeCalibration()]);
    await database.destroy();
  });
});
