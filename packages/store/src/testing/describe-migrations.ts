import { type RawBuilder, sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Store } from "../contract/store.ts";
import type { Engine } from "../sql/engine.ts";
import { makeStore } from "../sql/make-store.ts";
import { MIGRATIONS, migrate } from "../sql/migrations/migrate.ts";
import type { Database } from "../sql/tables.ts";
import {
  makeCalibration,
  makeCondensationEvent,
  makeContent,
  makeEpoch,
  makeFront,
  makeKey,
  makeLease,
  makePreset,
  makeRequestEvent,
  makeSession,
  makeTotals,
  makeWindow,
} from "./make.ts";

/** The shared suite for migrations; `openEmpty` returns a database without tables each time. */
export function describeMigrations(name: string, openEmpty: () => Promise<Engine>): void {
  describe(`migrations on ${name}`, () => {
    it("have one fixture each", () => {
      expect(MIGRATION_FIXTURES).toHaveLength(MIGRATIONS.length);
    });

    it.each(MIGRATIONS.map((migration, index) => [index + 1, migration.name] as const))(
      "keep data written in version %i (%s)",
      async (version) => {
        const engine = await openEmpty();
        const fixtures = MIGRATION_FIXTURES.slice(0, version);
        for (const [index, { rows }] of fixtures.entries()) {
          await run(engine.database, index + 1);
          for (const row of rows) await row.execute(engine.database);
        }
        await run(engine.database, MIGRATIONS.length);
        const store = makeStore(engine);
        for (const { read, expected } of fixtures) expect(await read(store)).toEqual(expected);
        await engine.database.destroy();
      },
    );
  });
}

function run(database: Database, version: number): Promise<void> {
  return migrate(database, { label: "store.db", migrations: MIGRATIONS.slice(0, version), nowMs: () => 0 });
}

/** Rows that a Longhaul of one version may have written to its new tables, and how they are read now. */
interface MigrationFixture {
  readonly rows: readonly RawBuilder<unknown>[];
  read(store: Omit<Store, "close" | "changes" | "notices">): Promise<readonly unknown[]>;
  readonly expected: readonly unknown[];
}

const PROVEN = makeEpoch({
  prefix: "proven",
  bound: "bound",
  evidence: { head: "h", through: 12, messages: ["a|b"] },
});

/** One for each migration, in order. Never change them. */
const MIGRATION_FIXTURES: readonly MigrationFixture[] = [
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
    expected: [
      // Migration 7 deletes epochs without evidence.
      [],
      [makeWindow()],
      [makeCalibration({ state: { ratio: 1.25, tokens: 0, learnt: 1, ignored: 0 } })],
    ],
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
      await keys.find("hash"),
    ],
    expected: [
      { revision: 3, values: { "context.strategy": "smart" } },
      [{ revision: 3, path: "context.strategy", after: "smart", isSecret: false, by: "ada", atMs: 5 }],
      [makePreset()],
      makeKey({ limits: { concurrent: 3 } }),
    ],
  },
  {
    rows: [
      sql`insert into limit_turns values ('key', 2)`,
      sql`insert into limit_entries values ('key', 'request', 60000)`,
      sql`insert into limit_minutes values ('key', 0, 2)`,
      sql`insert into limit_spending values ('key', 0, 0.5)`,
      sql`insert into leases values ('summary', 'holder', 1000)`,
      sql`insert into sign_ins values ('hash', 1000)`,
    ],
    read: async ({ limits, leases, signIns }) => [
      await limits.used("key", 0),
      await leases.take(makeLease({ holder: "other" })),
      await signIns.find("hash", 0),
    ],
    expected: [{ requestsThisMinute: 2, underWay: 1, usdToday: 0.5, usdThisMonth: 0.5 }, false, 1_000],
  },
  {
    rows: [
      sql`insert into contents values ('request', 'tenant', 'session', 1760000000000, 'anthropic-messages', 'openai-chat', 4,
        ${makeContent().before}, null)`,
    ],
    read: async ({ contents }) => [await contents.find("request")],
    expected: [makeContent()],
  },
  {
    rows: [
      sql`insert into requests values ('request', 1760000000000, 'tenant', 'key', 'session', 'anthropic-messages', 'generate', 'opus',
        'claude-opus-4-6', 'claude', 200, '', 0, 2150.5, 640.25, 3.5, 1, 12, 9000, 400, 350, 120, 200000, 9412, 9412, '', '', 0.25, 0, 0,
        '[]', '{"system":400,"text":9012}')`,
      sql`insert into condensations values ('condensation', 'request', 1760000000000, 'tenant', 'key', 'session', 'claude', 'opus', 'native',
        180000, 21300, 0.125, 0.1, 4000.5, '{"edits":2,"passes":[{"id":"summary"}]}')`,
      sql`insert into sessions values ('tenant', 'session', 1760000000000, 1760000000000, 1, 0, 1, 0.375, -0.125, 'opus', 'claude', '', 200000,
        9412, 9412)`,
      sql`insert into session_hours values (1759996800000, 'session', 'tenant', 1)`,
      sql`insert into totals values ('day', 1759968000000, 'tenant', 'key', 'claude', 'opus', '', 1, 0, 0, 0, 12, 9000, 400, 350, 0, 0.25, 0,
        3.5, 0, 0)`,
    ],
    read: async ({ events }) => [
      await events.requests({ limit: 9 }),
      await events.condensations({ limit: 9 }),
      await events.sessions({ limit: 9 }),
      await events.countSessions({ sinceMs: 1_760_000_000_000, untilMs: 1_760_000_000_001 }),
      await events.totals({ bucket: "day", sinceMs: 1_759_968_000_000, untilMs: 1_760_000_000_000, by: "model" }),
    ],
    expected: [
      [makeRequestEvent()],
      [makeCondensationEvent()],
      [makeSession({ keyId: "" })],
      { all: 1, keptAlive: 1 },
      [makeTotals({ atMs: 1_759_968_000_000, group: "opus" })],
    ],
  },
  {
    // It adds columns: earlier sessions are main threads.
    rows: [],
    read: async ({ events }) => [
      await events.sessions({ limit: 9, parent: "" }),
      await events.sessions({ limit: 9, parent: "session" }),
    ],
    expected: [[makeSession({ keyId: "" })], []],
  },
  {
    rows: [
      sql`insert into epochs (scope, prefix, version, is_stand_in, "from", messages, used_at_ms, made_at_ms, tokens_before, tokens_after,
        target_tokens, cost_usd, tenant, session, upstream, model, strategy, projection, bound, evidence)
        values ('scope', 'proven', 1, 0, 0, 10, 5, 1760000000000, 180000, 21300, 100000, 0.0123, 'tenant', 'session', 'claude',
        'claude-opus-4-6', 'native', ${JSON.stringify(makeEpoch().projection)}, 'bound', '{"head":"h","through":12,"messages":["a|b"]}')`,
    ],
    read: async ({ epochs }) => [await epochs.find("scope", ["proven"]), await epochs.find("scope", [], ["bound"])],
    expected: [[PROVEN], [PROVEN]],
  },
  {
    // It adds a column: nothing was counted before.
    rows: [],
    read: async ({ events }) => (await events.requests({ limit: 9 })).map(({ copiedMarks }) => copiedMarks),
    expected: [0],
  },
  {
    // It adds columns: earlier sessions have no title and no key, earlier errors no message.
    rows: [],
    read: async ({ events }) => [
      (await events.sessions({ limit: 9 })).map(({ title, project, keyId }) => [title, project, keyId]),
      (await events.requests({ limit: 9 })).map(({ errorMessage }) => errorMessage),
    ],
    expected: [[["", "", ""]], [""]],
  },
  {
    rows: [
      sql`insert into keys values ('limited', 'ci', 'limited', 'lh-3f9a', 'tenant', null, null, null, null, 1750000000000, null, '{}',
        '["claude-*","gpt-5"]')`,
    ],
    read: async ({ keys }) => (await keys.list()).map(({ id, models }) => [id, models]),
    expected: [
      ["id", []],
      ["limited", ["claude-*", "gpt-5"]],
    ],
  },
  {
    // It adds columns: nothing was attributed before.
    rows: [],
    read: async ({ events }) => [
      (await events.requests({ limit: 9 })).map(({ deduplicatedUsd, cachedUsd }) => [deduplicatedUsd, cachedUsd]),
      (await events.totals({ bucket: "day", sinceMs: 1_759_968_000_000, untilMs: 1_760_000_000_000 })).map(
        ({ deduplicatedUsd, cachedUsd }) => [deduplicatedUsd, cachedUsd],
      ),
    ],
    expected: [[[0, 0]], [[0, 0]]],
  },
  {
    rows: [sql`insert into fronts values ('key', 'rest', 70000, 0, ${new Uint8Array([1, 2])})`],
    read: async ({ fronts }) => [await fronts.find(["key"]), await fronts.read(makeFront())],
    expected: [[makeFront()], new Uint8Array([1, 2])],
  },
];
