import { type RawBuilder, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listed } from "../../sqlite/listed.ts";
import type { Store } from "../../store.ts";
import { makeCalibration, makeEpoch, makeKey, makePreset, makeWindow } from "../../testing/make.ts";
import { openEmptyDatabase } from "../../testing/open-database.ts";
import { makeStore } from "../make-store.ts";
import { migrate } from "../migrate.ts";
import type { Database } from "../tables.ts";
import { MIGRATIONS } from "./migrations.ts";

type Kept = Omit<Store, "close" | "changes">;

/** What a Longhaul of each version may have written, in the tables of its time, and what is to be read of it today. */
const FIXTURES: readonly { rows: readonly RawBuilder<unknown>[]; read(store: Kept): Promise<unknown>; is: unknown }[] =
  [
    {
      rows: [
        sql`insert into epochs (scope, prefix, version, is_stand_in, "from", messages, used_at_ms, made_at_ms, tokens_before, tokens_after,
        target_tokens, cost_usd, tenant, session, upstream, model, strategy, projection)
        values ('scope', 'prefix', 1, 0, 0, 10, 5, 1760000000000, 180000, 21300, 100000, 0.0123, 'tenant', 'session', 'claude',
        'claude-opus-4-6', 'native', ${JSON.stringify(makeEpoch().projection)})`,
        sql`insert into windows values ('local', 'c0ffee', 'small-model', 32768, 0)`,
        sql`insert into calibrations values ('claude', 'claude-opus-4-6', '{"ratio":1.25,"learnt":1,"ignored":0}')`,
      ],
      read: async ({ epochs, windows, calibrations }) => [
        await epochs.find("scope", ["prefix"]),
        await windows.list(),
        await calibrations.load(),
      ],
      is: [[makeEpoch()], [makeWindow()], [makeCalibration()]],
    },
    {
      rows: [
        sql`update revisions set revision = 3 where kind = 'settings'`,
        sql`insert into settings values ('context.strategy', '"smart"')`,
        sql`insert into setting_changes values (3, 'context.strategy', 0, 'ada', 5, null, '"smart"')`,
        sql`insert into presets values ('careful', 'Keeps the most', 'smart', 1760000000000, '{"references":"results"}')`,
        sql`insert into keys values ('id', 'laptop', 'hash', 'lh-3f9a', 'tenant', null, 3, null, null, 1760000000000, null, '{}')`,
      ],
      read: async ({ settings, presets, keys }) => [
        await settings.load(),
        await settings.history({ limit: 9 }),
        await presets.list(),
        await keys.list(),
      ],
      is: [
        { revision: 3, values: { "context.strategy": "smart" } },
        [{ revision: 3, path: "context.strategy", after: "smart", isSecret: false, by: "ada", atMs: 5 }],
        [makePreset()],
        [makeKey({ limits: { concurrent: 3 } })],
      ],
    },
  ];

describe("MIGRATIONS", () => {
  let database: Database;
  beforeEach(() => {
    database = openEmptyDatabase();
  });
  afterEach(() => database.destroy());

  it("have a fixture each", () => {
    expect(FIXTURES).toHaveLength(MIGRATIONS.length);
  });

  it.each(MIGRATIONS.map(({ name }, index) => [index + 1, name] as const))(
    "keep what was written in version %i (%s)",
    async (version) => {
      await run(version);
      const fixtures = FIXTURES.slice(0, version);
      for (const { rows } of fixtures) for (const row of rows) await row.execute(database);
      await run(MIGRATIONS.length);
      const store = makeStore({ database, nowMs: () => 0, listed });
      for (const { read, is } of fixtures) expect(await read(store)).toEqual(is);
    },
  );

  function run(version: number): Promise<void> {
    return migrate(database, { place: "store.db", migrations: MIGRATIONS.slice(0, version), nowMs: () => 0 });
  }
});
