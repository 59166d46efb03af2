import { findModel, loadCatalog } from "@longhaul/models/catalog";
import { expect, it } from "vitest";
import { makeWorld } from "../core/world.ts";
import { billedOf, billPrompt } from "./prompt-bill.ts";

const catalog = loadCatalog();
const modelOf = (id: string) => findModel(catalog, id, "openai").model;
const text = "word ".repeat(3_000);

function open(clock = { ms: 0 }) {
  const world = makeWorld({ now: () => clock.ms });
  const pieces = [{ text, tokens: world.tokenizer.count(text), isText: true }];
  return (body = {}, id = "gpt-4o", credential = "key") =>
    billPrompt(pieces, { body, model: modelOf(id), credential }, world);
}

it("reads in steps of 128 tokens, which the total includes", () => {
  const bill = open();
  const { total, read, written } = bill();
  expect([read, written]).toEqual([0, 0]);
  expect(bill()).toEqual({ total, read: Math.floor(total / 128) * 128, written: 0 });
});

it("reports writes if they cost more than input", () => {
  const bill = open();
  const { total, written } = bill({}, "gpt-5.6");
  expect(written).toBe(Math.floor(total / 128) * 128);
});

it("separates cache keys, models and credentials", () => {
  const bill = open();
  bill({ prompt_cache_key: "a" });
  expect(bill({ prompt_cache_key: "b" }).read).toBe(0);
  expect(bill({ prompt_cache_key: "a" }, "gpt-4.1").read).toBe(0);
  expect(bill({ prompt_cache_key: "a" }, "gpt-4o", "other").read).toBe(0);
  expect(bill({ prompt_cache_key: "a" }).read).toBeGreaterThan(0);
});

it.each([
  [{}, 30],
  [{ prompt_cache_options: { ttl: "12h" } }, 12 * 60],
  [{ prompt_cache_retention: "24h" }, 24 * 60],
])("keeps %j for %d minutes", (body, minutes) => {
  const clock = { ms: 0 };
  const bill = open(clock);
  bill(body);
  clock.ms = minutes * 60_000 - 1;
  expect(bill(body).read).toBeGreaterThan(0);
  clock.ms += minutes * 60_000;
  expect(bill(body).read).toBe(0);
});

it("writes nothing in explicit mode without a breakpoint", () => {
  const bill = open();
  const body = { prompt_cache_options: { mode: "explicit" } };
  bill(body);
  expect(bill(body).read).toBe(0);
});

it("splits the bill without overlap", () => {
  expect(billedOf({ total: 100, read: 60, written: 30 }, 5)).toEqual({
    inputTokens: 10,
    cacheReadTokens: 60,
    cacheWriteTokens: 30,
    cacheWriteHourTokens: 0,
    outputTokens: 5,
  });
});
