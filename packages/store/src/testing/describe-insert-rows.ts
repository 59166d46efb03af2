import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Engine, Insertion } from "../sql/engine.ts";
import type { SessionHourRow } from "../sql/tables.ts";

/** The shared suite for `insertRows`; `open` returns a database with the current tables each time. */
export function describeInsertRows(name: string, open: () => Promise<Engine>): void {
  describe(`rows inserted into ${name}`, () => {
    it("are returned as stored, for any values, number of rows and column order", async () => {
      const engine = await open();
      await fc.assert(
        fc.asyncProperty(anyRows(), async (rows) => {
          await insert(engine, KEEP_FIRST, rows);
          const found = await engine.database.selectFrom("sessionHours").selectAll().execute();
          expect(sorted(found)).toEqual(sorted(rows));
          await engine.database.deleteFrom("sessionHours").execute();
        }),
        { numRuns: 30 },
      );
      await engine.database.destroy();
    });

    it("have lone surrogates replaced, which no database stores", async () => {
      const engine = await open();
      await insert(engine, KEEP_FIRST, [makeRow("a\ud800b", 0), makeRow("\udc00", 0)]);
      const found = await engine.database.selectFrom("sessionHours").selectAll().execute();
      expect(sorted(found)).toEqual(sorted([makeRow("a\uFFFDb", 0), makeRow("\uFFFD", 0)]));
      await engine.database.destroy();
    });

    it("apply the conflict clause of the insertion, which may have its own parameters", async () => {
      const engine = await open();
      const makeRows = (isOverWindow: number) => [makeRow("first", isOverWindow), makeRow("second", 0)];
      expect(await insert(engine, KEEP_FIRST, makeRows(0))).toEqual([{ session: "first" }, { session: "second" }]);
      expect(await insert(engine, KEEP_FIRST, [...makeRows(1), makeRow("third", 0)])).toEqual([{ session: "third" }]);
      expect(await insert(engine, TAKE_ONES, makeRows(1))).toEqual([{ session: "first" }]);
      expect(await insert(engine, TAKE_ONES, [])).toEqual([]);
      await engine.database.destroy();
    });

    it("are rejected if a value is missing", async () => {
      const engine = await open();
      const { session: _, ...rest } = makeRow("second", 0);
      const broken: SessionHourRow = JSON.parse(JSON.stringify(rest));
      await expect(insert(engine, KEEP_FIRST, [makeRow("first", 0), broken])).rejects.toMatchObject({
        name: "LonghaulError",
      });
      await engine.database.destroy();
    });
  });
}

const KEEP_FIRST: Insertion<"sessionHours", { readonly session: string }> = {
  table: "sessionHours",
  finish: (into) => into.onConflict((conflict) => conflict.doNothing()).returning("session"),
};

const TAKE_ONES: Insertion<"sessionHours", { readonly session: string }> = {
  table: "sessionHours",
  finish: (into) =>
    into
      .onConflict((conflict) =>
        conflict
          .columns(["atMs", "session", "tenant"])
          .doUpdateSet({ isOverWindow: 1 })
          .where("excluded.isOverWindow", "=", 1),
      )
      .returning("session"),
};

function insert(
  { database, insertRows }: Engine,
  ...[insertion, rows]: [typeof KEEP_FIRST, readonly SessionHourRow[]]
) {
  return database.transaction().execute((transaction) => insertRows(transaction, insertion, rows));
}

function anyRows(): fc.Arbitrary<SessionHourRow[]> {
  const any = fc.record({
    atMs: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    // PostgreSQL stores no NUL in a text.
    session: fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", "{,}\\\"'")),
    tenant: fc.constantFrom("tenant", "漢字", "{null}", "null", ""),
    isOverWindow: fc.constantFrom(0, 1),
  });
  const turned = fc.tuple(any, fc.boolean()).map(([row, isTurned]) => {
    const { atMs, session, tenant, isOverWindow } = row;
    return isTurned ? { isOverWindow, tenant, session, atMs } : row;
  });
  return fc.uniqueArray(turned, { selector: (row) => keyOf(row), maxLength: 150, size: "max" });
}

function makeRow(session: string, isOverWindow: number): SessionHourRow {
  return { atMs: 0, session, tenant: "tenant", isOverWindow };
}

function sorted(rows: readonly SessionHourRow[]): SessionHourRow[] {
  return rows.map((row) => ({ ...row })).sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

function keyOf({ atMs, session, tenant }: SessionHourRow): string {
  return JSON.stringify([atMs, session, tenant]);
}
