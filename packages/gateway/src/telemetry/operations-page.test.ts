import { readFileSync } from "node:fs";
import { makeCondensationEvent } from "@longhaul/store/testing";
import { describe, expect, it } from "vitest";
import { makeFinished } from "../testing/events.ts";
import { METRICS } from "./metrics.ts";
import { condensationSpan, requestSpan } from "./spans.ts";

const page = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
const rowsUnder = (heading: string) => {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) => row.slice(2, -2).split(" | "));
};

describe("docs/operations.md", () => {
  it("lists every metric with its current properties", () => {
    const expected = Object.values(METRICS).map(({ name, kind, labels, otel, unit, help }) => {
      const written = labels.map((label) => `\`${label}\``).join(", ") || "—";
      return [`\`${name}\``, kind, written, `\`${otel}\``, unit, help];
    });
    expect(rowsUnder("Metrics")).toEqual(expected);
  });

  it("lists every span attribute, and whether requests, condensations or both have it", () => {
    const context = { traceId: "t", spanId: "s", isSampled: true };
    const full = makeFinished({ status: 500, errorCode: "x", keyId: "k", strategy: "native", origin: "new" });
    const request = Object.keys(requestSpan(full, context).attributes);
    const condensation = new Set(Object.keys(condensationSpan(makeCondensationEvent(), context).attributes));
    const rows = rowsUnder("OpenTelemetry").filter((row) => row.length === 3);
    expect(rows.map(([name, whose]) => [name, whose])).toEqual(
      request.map((name) => [`\`${name}\``, condensation.has(name) ? "both" : "request"]),
    );
    expect([...condensation].filter((name) => !request.includes(name))).toEqual([]);
  });
});
