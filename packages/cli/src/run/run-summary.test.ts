import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RequestEvent } from "@longhaul/store";
import { makeRequestEvent } from "@longhaul/store/testing";
import { afterAll, expect, it } from "vitest";
import { writeEvents } from "../testing/events.ts";
import { makeTerminal } from "../testing/terminal.ts";
import { describeRun, type EndedRun } from "./run-summary.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-run-"));
afterAll(() => rmSync(root, { recursive: true }));

const STARTED_MS = 1_000_000;

/** Describes a run that started at a fixed time, in a store with requests of sessions in these folders. */
async function describeAmong(
  requests: readonly (Partial<RequestEvent> & { readonly project?: string })[],
  run: Partial<EndedRun> = {},
): Promise<string> {
  const home = mkdtempSync(join(root, "h"));
  const data = join(home, ".local", "share", "longhaul");
  mkdirSync(data, { recursive: true });
  const known = { tenant: "", title: "", branch: "", client: "", clientVersion: "" };
  await writeEvents(
    join(data, "longhaul.db"),
    requests.map(({ project: _, ...fields }, index) =>
      makeRequestEvent({
        ...{ id: `r${index}`, session: `s${index}`, tenant: "", atMs: STARTED_MS, keyId: "" },
        ...{ costUsd: 0, savedUsd: 0, errorCode: "", ...fields },
      }),
    ),
    [],
    requests.map(({ project = "" }, index) => ({
      ...known,
      session: `s${index}`,
      project: project === "." ? home : project,
    })),
  );
  return describeRun({ startedAtMs: STARTED_MS, isOwn: true, ...run }, makeTerminal(home));
}

it("sums up the sessions of the folder since the start of the run", async () => {
  const requests = [
    { project: ".", costUsd: 1.5, savedUsd: 0.75 },
    { costUsd: 0.5, savedUsd: 0.25, errorCode: "upstream.refused" },
    { project: "/another/folder", costUsd: 10 },
    { project: ".", costUsd: 10, atMs: STARTED_MS - 1 },
  ];
  expect(await describeAmong(requests)).toBe(
    "Longhaul: 2 requests (1 failed), $2.00 at list prices, $1.00 saved. Details: `longhaul sessions`\n",
  );
});

it("counts only requests with the run's own key, if it has one", async () => {
  const requests = [{ costUsd: 1, keyId: "k" }, { costUsd: 10 }];
  expect(await describeAmong(requests, { keyId: "k" })).toContain("1 request, $1.00 at list prices");
});

it.each([
  [0, "nothing saved yet"],
  [-0.5, "$0.5000 more than without Longhaul so far"],
])("does not call %d a saving", async (savedUsd, said) => {
  expect(await describeAmong([{ costUsd: 1, savedUsd }])).toContain(`$1.00 at list prices, ${said}.`);
});

it("is empty without requests and without a store", async () => {
  expect(await describeAmong([{ atMs: 1 }])).toBe("");
  expect(await describeRun({ startedAtMs: 0, isOwn: true }, makeTerminal(mkdtempSync(join(root, "e"))))).toBe("");
});
