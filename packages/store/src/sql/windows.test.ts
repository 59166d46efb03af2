import { describe, expect, it } from "vitest";
import { makeWindow } from "../testing/make.ts";
import { openDatabase } from "../testing/open-database.ts";
import { makeWindows } from "./windows.ts";

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
