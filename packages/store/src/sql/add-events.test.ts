import { expect, it } from "vitest";
import { makeRequestEvent } from "../testing/make.ts";
import { makeEngine, openDatabase } from "../testing/open-database.ts";
import { addEvents } from "./add-events.ts";

// What every store does with events is in testing/describe-events.ts.
it("begins no transaction for nothing", async () => {
  const database = await openDatabase();
  await database.destroy();
  await expect(addEvents(makeEngine(database), { requests: [], condensations: [] })).resolves.toBeUndefined();
  await expect(
    addEvents(makeEngine(database), { requests: [makeRequestEvent()], condensations: [] }),
  ).rejects.toThrow();
});
