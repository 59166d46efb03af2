import { makeUsage } from "@longhaul/conversation/testing";
import type { Store } from "@longhaul/store";
import { describe, expect, it } from "vitest";
import { record } from "../fitted/learn-from-answer.ts";
import { makeChat, makeStore, openFitBench } from "../testing/index.ts";

const WINDOW = 100_000;
/** About 60 KB, then one more exchange. */
const EARLIER = makeChat(100);
const MORE = [
  { role: "assistant", content: "You asked about harbours." },
  { role: "user", content: "And then?" },
];
const LATER = { ...EARLIER, messages: [...EARLIER.messages, ...MORE] };
const HEADERS = { "x-session-id": "one" };

/** Opens a gateway on a store and sends a turn, which the upstream counts with 50 tokens more. */
async function sendAt(store: Store, body: object) {
  const bench = await openFitBench({ store, window: WINDOW });
  const fitted = await bench.fit(body);
  record(fitted, makeUsage({ inputTokens: fitted.form.estimated + 50 }));
  await bench.state.close();
  return fitted;
}

describe("makeStoredPrefixes", () => {
  it("lets another gateway read only the new messages, with the same counts", async () => {
    const store = await makeStore();
    await sendAt(store, EARLIER);
    const other = await openFitBench({ store, window: WINDOW });
    const alone = await openFitBench({ window: WINDOW });
    const [known, unknown] = [await other.fitRequest(LATER, HEADERS), await alone.fitRequest(LATER, HEADERS)];
    expect(known.history.prefixes().filter((prefix) => prefix === "").length).toBeGreaterThan(150);
    expect(unknown.history.prefixes()).not.toContain("");
    expect([known.history.tokens, known.history.messageTokens]).toEqual([
      unknown.history.tokens,
      unknown.history.messageTokens,
    ]);
    await known.history.complete();
    expect(known.history.prefixes()).toEqual(unknown.history.prefixes());
  });

  it("shares the reported usage of a conversation", async () => {
    const store = await makeStore();
    const { form, fitRequest } = await sendAt(store, EARLIER);
    const other = await openFitBench({ store, window: WINDOW });
    const later = await other.fit(LATER);
    const before = Math.round(form.estimated * (later.fitRequest.ratio / fitRequest.ratio));
    expect(later.form.tokens - later.form.estimated).toBe(form.estimated + 50 - before);
    expect(later.form.tokens).not.toBe(later.form.estimated);
  });

  it("ignores records of another shape, and counts again", async () => {
    const store = await makeStore();
    await sendAt(store, EARLIER);
    const find: Store["prefixes"]["find"] = async (openings) =>
      (await store.prefixes.find(openings)).map(({ opening, state }, index) => ({
        opening,
        state: ["", "{}", '{"version":1,"packed":"","stops":[[1]]}', state.slice(0, -9)][index % 4] ?? "",
      }));
    const other = await openFitBench({ store: { ...store, prefixes: { ...store.prefixes, find } }, window: WINDOW });
    expect((await other.fitRequest(LATER, HEADERS)).history.prefixes()).not.toContain("");
  });

  it("stores no words of the conversation", async () => {
    const store = await makeStore();
    const rows: string[] = [];
    const put: Store["prefixes"]["put"] = async (prefixes) => {
      rows.push(...prefixes.map(({ opening, state }) => opening + state));
    };
    await sendAt({ ...store, prefixes: { ...store.prefixes, put } }, EARLIER);
    expect(rows).toHaveLength(1);
    expect(rows[0]).not.toMatch(/harbour|lantern|Question|Answer/);
    expect(rows[0]?.length).toBeLessThan(10_000);
  });
});
