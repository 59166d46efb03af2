import { expect, it } from "vitest";
import { Rejection } from "../core/api.ts";
import { makeCall } from "../testing/make.ts";
import { openRecords } from "./records.ts";

const billed = { inputTokens: 10, cacheReadTokens: 5, cacheWriteTokens: 3, cacheWriteHourTokens: 2, outputTokens: 1 };

it("describes a request and its outcome", () => {
  const records = openRecords(10);
  const call = makeCall({
    method: "POST",
    path: "/v1/messages",
    headers: { a: "b" },
    body: { x: 1 },
    bytes: Buffer.from("{}"),
  });
  const progress = records.add(call, 7);
  Object.assign(call.record, { model: "m", isStream: true, billed, costUsd: 0.5, thinkingTokens: 4, compactions: 1 });
  progress.api = "anthropic";
  progress.faults = ["crlf"];
  progress.isClosedEarly = true;
  progress.rejection = new Rejection(400, "no", { code: "c" });
  expect(records.list()).toEqual([
    {
      number: 1,
      atMs: 7,
      api: "anthropic",
      method: "POST",
      path: "/v1/messages",
      headers: { a: "b" },
      body: { x: 1 },
      bytes: 2,
      model: "m",
      isStream: true,
      ...billed,
      thinkingTokens: 4,
      costUsd: 0.5,
      compactions: 1,
      rejected: { status: 400, message: "no", code: "c" },
      faults: ["crlf"],
      isClosedEarly: true,
    },
  ]);
});

it("keeps only the latest bodies", () => {
  const records = openRecords(2);
  for (const body of ["a", "b", "c"]) records.add(makeCall({ body }), 0);
  expect(records.list().map(({ body }) => body)).toEqual([undefined, "b", "c"]);
});

it("adds up and resets", () => {
  const records = openRecords(2);
  records.add(makeCall({ record: { billed, costUsd: 0.5 } }), 0);
  records.add(makeCall({ record: { billed, costUsd: 0.25 } }), 0).rejection = new Rejection(400, "no");
  expect(records.totals()).toEqual({
    requests: 2,
    rejected: 1,
    closedEarly: 0,
    compactions: 0,
    inputTokens: 20,
    cacheReadTokens: 10,
    cacheWriteTokens: 6,
    cacheWriteHourTokens: 4,
    outputTokens: 2,
    costUsd: 0.75,
  });
  records.clear();
  expect(records.totals().requests).toBe(0);
});
