import { expect, it } from "vitest";
import { countValues, keepScan, type Scan, scanOf, splitScanned } from "./scanned.ts";

const BODY = '{"messages":[1,2],"input":[3]}';
const split = { fields: new Map([["messages", { from: 1, to: 2 }]]), items: [{ from: 1, to: 2 }] };

function makeScan(over: Partial<Scan> = {}): Scan {
  const found = { model: undefined, stream: false, split, mentionsReasoning: false, readable: undefined };
  return { wire: "openai-chat", values: 7, ...found, ...over };
}

it("uses the scan of a body, and looks for itself if there is none", () => {
  const [scanned, plain] = [Buffer.from(BODY), Buffer.from(BODY)];
  keepScan(scanned, makeScan());
  expect([countValues(scanned, "messages"), splitScanned(scanned, "messages")]).toEqual([7, split]);
  expect([countValues(plain, "messages"), splitScanned(plain, "messages")?.items.length]).toEqual([3, 2]);
});

it("looks for itself for another list than the scan's", () => {
  const body = Buffer.from(BODY);
  keepScan(body, makeScan());
  expect(splitScanned(body, "input")?.items.length).toBe(1);
});

it("finds the scan by the readable body as well", () => {
  const [body, readable] = [Buffer.from(BODY), Buffer.from(BODY)];
  const scan = makeScan({ readable });
  keepScan(body, scan);
  expect(scanOf(readable)).toBe(scan);
});
