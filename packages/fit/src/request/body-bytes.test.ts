import type { JsonValue } from "@longhaul/conversation";
import { anyJson } from "@longhaul/conversation/testing";
import { splitBody } from "@longhaul/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ByteEdit,
  countValues,
  keepScan,
  type Scan,
  scanOf,
  setField,
  spliceBytes,
  splitScanned,
} from "./body-bytes.ts";

const BODY = '{"messages":[1,2],"input":[3]}';
const split = { fields: new Map([["messages", { from: 1, to: 2 }]]), items: [{ from: 1, to: 2 }] };

function makeScan(over: Partial<Scan> = {}): Scan {
  const found = { model: undefined, stream: false, split, mentionsReasoning: false, readable: undefined };
  return { wire: "openai-chat", values: 7, ...found, ...over };
}

it("uses the scan of a body, and splits it if there is none", () => {
  const [scanned, plain] = [Buffer.from(BODY), Buffer.from(BODY)];
  keepScan(scanned, makeScan());
  expect([countValues(scanned, "messages"), splitScanned(scanned, "messages")]).toEqual([7, split]);
  expect([countValues(plain, "messages"), splitScanned(plain, "messages")?.items.length]).toEqual([3, 2]);
});

it("splits a body for another list than the scan's", () => {
  const body = Buffer.from(BODY);
  keepScan(body, makeScan());
  expect(splitScanned(body, "input")?.items.length).toBe(1);
});

it("finds the scan of a readable body, too", () => {
  const [body, readable] = [Buffer.from(BODY), Buffer.from(BODY)];
  const scan = makeScan({ readable });
  keepScan(body, scan);
  expect(scanOf(readable)).toBe(scan);
});

/** Edits that do not overlap, in any order. */
function anyEdits(length: number): fc.Arbitrary<ByteEdit[]> {
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: length }), { maxLength: 8 });
  return fc
    .tuple(cuts, fc.array(fc.uint8Array({ maxLength: 5 }), { minLength: 4, maxLength: 4 }))
    .chain(([all, texts]) => {
      const sorted = all.toSorted((a, b) => a - b);
      const edits = texts.flatMap((bytes, index) => {
        const [from, to] = [sorted[2 * index], sorted[2 * index + 1]];
        return from === undefined || to === undefined ? [] : [{ from, to, bytes }];
      });
      return fc.shuffledSubarray(edits, { minLength: edits.length });
    });
}

describe("spliceBytes", () => {
  it("changes the edited ranges and no other byte, in any order of edits", () => {
    const any = fc.uint8Array({ maxLength: 40 }).chain((body) => fc.tuple(fc.constant(body), anyEdits(body.length)));
    fc.assert(
      fc.property(any, ([body, edits]) => {
        const expected: number[] = [];
        for (let at = 0; at <= body.length; at++) {
          expected.push(...(edits.find(({ from }) => from === at)?.bytes ?? []));
          if (at < body.length && !edits.some(({ from, to }) => from <= at && at < to)) expected.push(body[at] ?? 0);
        }
        expect([...spliceBytes(body, edits)]).toEqual(expected);
      }),
    );
  });

  it("returns the identical body without edits", () => {
    const body = Buffer.from("{}");
    expect(spliceBytes(body, [])).toBe(body);
  });
});

describe("setField", () => {
  it("sets a field, new or existing, and keeps the others", () => {
    const name = fc.constantFrom("a", "b", "max_tokens");
    const any = fc.record({
      others: fc.dictionary(name, anyJson(), { noNullPrototype: true }),
      name,
      value: anyJson(),
      indent: fc.constantFrom(undefined, 2),
    });
    fc.assert(
      fc.property(any, ({ others, name: changed, value, indent }) => {
        const body: Record<string, JsonValue> = { ...others, list: [] };
        const bytes = Buffer.from(JSON.stringify(body, undefined, indent));
        const split = splitBody(bytes, "list");
        if (split === undefined) throw new Error("the body cannot be taken apart");
        const spliced = spliceBytes(bytes, [setField(bytes, split, [changed, value])]);
        const expected = { ...body, [changed]: value };
        expect(JSON.parse(Buffer.from(spliced).toString())).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });
});
