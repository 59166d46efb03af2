import { expect, it } from "vitest";
import { type CampaignOptions, runCampaign } from "./campaign.ts";
import { FUZZ_TARGETS } from "./testing-targets.ts";

function run(names: readonly string[], limits: Partial<CampaignOptions> = {}) {
  return runCampaign({
    module: new URL("./testing-targets.ts", import.meta.url).href,
    targets: FUZZ_TARGETS.filter(({ name }) => names.includes(name)),
    seed: 1,
    runs: 100 * names.length,
    from: 0,
    milliseconds: 60_000,
    threads: 2,
    hangMs: 20_000,
    ...limits,
  });
}

it("runs each target the requested number of times", async () => {
  const [report] = await run(["sound"], { runs: 5_000 });
  expect(report).toMatchObject({ name: "sound", executions: 5_000, failures: [] });
});

it("stops at the time limit", async () => {
  const [report] = await run(["sound"], { milliseconds: 0 });
  expect(report?.executions).toBe(0);
});

it("stops on an abort signal and returns the reports so far", async () => {
  const stopping = new AbortController();
  const onBatch = () => stopping.abort();
  const [report] = await run(["sound"], { runs: 1_000_000, signal: stopping.signal, onBatch });
  expect(report?.executions).toBeGreaterThan(0);
  expect(report?.executions).toBeLessThan(1_000_000);
});

it("reports an error once, with the smallest input that causes it", async () => {
  const [report] = await run(["throws"], { runs: 5_000 });
  expect(report?.executions).toBe(5_000);
  expect(report?.failures.map(({ input }) => input)).toEqual(["[7]"]);
  expect(report?.failures[0]?.error).toContain("TypeError: seven");
});

it("repeats a failure from its case number", async () => {
  const [first] = await run(["throws"]);
  const index = first?.failures[0]?.index ?? -1;
  const [again] = await run(["throws"], { from: index, runs: 1 });
  expect(again).toMatchObject({ executions: 1, failures: [{ index, input: "[7]" }] });
});

it("reports a case that hangs and a case that kills its thread, with their inputs, and continues", async () => {
  const reports = await run(["hangs", "exits", "sound"], { hangMs: 3_000 });
  const found = reports.flatMap(({ name, failures }) => failures.map(({ error, input }) => [name, error, input[1]]));
  expect(found).toContainEqual([
    "hangs",
    expect.stringMatching(/^the case runs for more than 3000 ms, \d{3,} ms of them on a processor$/),
    "3",
  ]);
  expect(found).toContainEqual(["exits", "the case ends its thread with exit code 9", "4"]);
  expect(reports.find(({ name }) => name === "sound")?.executions).toBe(100);
});

it("reports a write to Object.prototype", async () => {
  const [report] = await run(["pollutes"]);
  expect(report?.failures.map(({ signature }) => signature)).toEqual([
    "failed claim: nothing is written to Object.prototype",
  ]);
});
