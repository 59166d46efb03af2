import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeScannerCase, seededRandom } from "../testing/scanner-cases.ts";
import { isSlowToParse, parsePaced, stringifyPaced } from "./paced-json.ts";

const encode = (text: string) => new TextEncoder().encode(text);

async function outcomeOf(read: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await read());
  } catch {
    return "refused";
  }
}

describe("parsePaced", () => {
  it("parses and rejects every text like JSON.parse", async () => {
    const random = seededRandom(7);
    for (let count = 0; count < 5_000; count++) {
      const text = makeScannerCase(random);
      const plain = await outcomeOf(() => JSON.parse(new TextDecoder().decode(encode(text))));
      expect([text, await outcomeOf(() => parsePaced(encode(text)))]).toEqual([text, plain]);
    }
  });

  it.each([
    "",
    " ",
    "1",
    "-0",
    "01",
    "1.",
    "1e5",
    "tru",
    '"a',
    '"\t"',
    '"\\x"',
    "[1,]",
    "{,}",
    '{"a"}',
    "[",
    "]",
    "{}x",
    '"é"',
  ])("parses or rejects %j like JSON.parse", async (text) => {
    expect(await outcomeOf(() => parsePaced(encode(text)))).toBe(await outcomeOf(() => JSON.parse(text)));
  });

  it("parses long strings as a whole, whatever is at the seams", async () => {
    for (const unit of ["a", "é", "😀", "\\u00e9", "\\ud83d\\ude00", '\\"', "\\\\", "\\n"]) {
      for (const shift of [0, 1, 2, 3]) {
        const text = `{"x":"${"x".repeat(shift)}${unit.repeat(300_000)}","y":[1]}`;
        expect(JSON.stringify(await parsePaced(encode(text))) === JSON.stringify(JSON.parse(text))).toBe(true);
      }
    }
  });

  it("keeps a key named __proto__ as a plain field", async () => {
    const value = await parsePaced(encode('{"__proto__":{"a":1}}'));
    expect(Object.entries(value ?? {})).toEqual([["__proto__", { a: 1 }]]);
  });

  it("pauses for other work", async () => {
    let pauses = 0;
    const take = () => {
      pauses++;
      return undefined;
    };
    await parsePaced(encode(`[${"1,".repeat(10_000)}1]`), { take });
    expect(pauses).toBeGreaterThan(30);
  });
});

describe("stringifyPaced", () => {
  it("writes the same as JSON.stringify", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect((await stringifyPaced(plain)).toString()).toBe(JSON.stringify(plain));
      }),
    );
  });

  it("writes long strings as a whole, whatever is at the seams", async () => {
    for (const unit of ["a", "é", "😀", "\ud800", '"', "\n"]) {
      const value = { x: `x${unit.repeat(300_000)}` };
      expect((await stringifyPaced(value)).toString() === JSON.stringify(value)).toBe(true);
    }
  });
});

it("reports long texts and texts with many values as slow", () => {
  expect(isSlowToParse(encode('{"a":[1,2]}'), "a")).toBe(false);
  const many = `[${`"${"a".repeat(24)}",`.repeat(22_000)}1]`;
  expect([isSlowToParse(encode(`{"a":${many}}`), "a"), isSlowToParse(encode(many), "a")]).toEqual([true, true]);
  expect(isSlowToParse(encode(`"${"a".repeat(6_000_000)}"`), "a")).toBe(true);
});

it("refuses a body over a limit that is not UTF-8", () => {
  const invalid = Buffer.from(`{"a":["\xff",${"[".repeat(300_000)}${"]".repeat(300_000)}]}`, "latin1");
  expect(() => isSlowToParse(invalid, "a")).toThrow(expect.objectContaining({ code: "request.body-too-large" }));
});

it("reads a number of any length that the limits allow", async () => {
  expect(await parsePaced(encode(`[${"9".repeat(900_000)},${"0.".padEnd(900_000, "1")}]`))).toEqual([Infinity, 1 / 9]);
});
