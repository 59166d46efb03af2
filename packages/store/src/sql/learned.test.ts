import { describe, expect, it } from "vitest";
import { makeCalibration, makeWindow } from "../testing/make.ts";
import { openDatabase } from "../testing/open-database.ts";
import { makeCalibrations, makeWindows } from "./learned.ts";

// What every store of windows does is in testing/describe-windows.ts.
describe("makeWindows", () => {
  it("gives plain objects, whatever the database gives", async () => {
    const database = await openDatabase();
    const windows = makeWindows(database);
    await windows.learn(makeWindow());
    expect(await windows.find(makeWindow(), 0)).toStrictEqual(makeWindow());
    expect(await windows.list()).toStrictEqual([makeWindow()]);
    await database.destroy();
  });

  it("takes no more of a key than the key", async () => {
    const database = await openDatabase();
    const windows = makeWindows(database);
    await windows.learn(makeWindow({ windowTokens: 7 }));
    await windows.forget(makeWindow({ windowTokens: 9, learnedAtMs: 9 }));
    expect(await windows.list()).toEqual([]);
    await database.destroy();
  });
});

// What every store of calibrations does is in testing/describe-calibrations.ts.
describe("makeCalibrations", () => {
  it("counts a row that cannot be read as absent, and keeps the others", async () => {
    const database = await openDatabase();
    const calibrations = makeCalibrations(database);
    await calibrations.save(makeCalibration());
    await database.insertInto("calibrations").values({ upstream: "broken", model: "broken", state: "{" }).execute();
    expect(await calibrations.load()).toStrictEqual([makeCalibration()]);
    await database.destroy();
  });
});
