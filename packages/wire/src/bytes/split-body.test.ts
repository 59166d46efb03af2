import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkJsonLimits, JSON_LIMITS } from "./scan-json.ts";
import { fieldNames, findField, hasLaterField, peekField, splitBody, splitPrefix } from "./split-body.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array, { from, to }: { from: number; to: number }) =>
  new TextDecoder().decode(bytes.subarray(from, to));

/** Reads a body with splitBody. Returns undefined if it gives up or a span does not parse. */
function readSplit(bytes: Uint8Array): unknown {
  const split = splitBody(bytes, "messages");
  if (split === undefined) return undefined;
  try {
    const fields = [...split.fields].map(([key, span]) => [
      key,
      key === "messages" ? [] : JSON.parse(decode(bytes, span)),
    ]);
    const messages = split.items.map((span) => JSON.parse(decode(bytes, span)));
    return { ...Object.fromEntries(fields), messages };
  } catch {
    return undefined;
  }
}

function readWhole(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** JSON with any whitespace between its tokens. */
function anyWhitespace(value: unknown): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom("", " ", "\n", "\t\r\n  "), { minLength: 8, maxLength: 8 }).map((blanks) => {
    let next = 0;
    return JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) =>
      token.startsWith('"') ? token : `${blanks[next++ % 8]}${token}${blanks[next++ % 8]}`,
    );
  });
}

const anyBody = fc.record({
  model: fc.string(),
  messages: fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 6 }),
  system: fc.oneof(fc.string({ unit: "binary" }), fc.constant('"messages":[{"role":"user"}]'), fc.jsonValue()),
  metadata: fc.dictionary(fc.constantFrom("messages", "x", "a b"), fc.jsonValue({ maxDepth: 2 })),
});

describe("splitBody", () => {
  it("finds the same parts with a known prefix", () => {
    const anyEntries = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(anyBody, anyEntries, anyEntries, fc.nat(6), (body, more, others, count) => {
        const earlier = encode(JSON.stringify({ ...body, messages: [...body.messages, ...more] }));
        const split = splitBody(earlier, "messages");
        const front = split && splitPrefix(split, "messages", count);
        fc.pre(front !== undefined);
        const later = [...body.messages, ...more].slice(0, count).concat(others, ["end"]);
        const bytes = encode(JSON.stringify({ ...body, messages: later }));
        const { values: _, ...found } = splitBody(bytes, "messages") ?? {};
        expect(splitBody(bytes, "messages", front)).toEqual(found);
      }),
    );
  });

  it("returns undefined for a field that is in the known prefix and repeated after it", () => {
    const split = splitBody(encode('{"model":"a","messages":[1,2]}'), "messages");
    const front = split && splitPrefix(split, "messages", 1);
    expect(splitBody(encode('{"model":"a","messages":[1,3],"model":"b"}'), "messages", front)).toBeUndefined();
  });

  it("agrees with JSON.parse on every body, with any whitespace", () => {
    fc.assert(
      fc.property(anyBody.chain(anyWhitespace), (text) => {
        const bytes = encode(text);
        expect(readSplit(bytes)).toEqual(readWhole(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it("never accepts a body that JSON.parse rejects, and never reads it differently", () => {
    const damaged = fc.tuple(anyBody.chain(anyWhitespace), fc.nat(), fc.constantFrom(...'"\\{}[],: x1'), fc.boolean());
    fc.assert(
      fc.property(damaged, ([text, seed, character, isInsert]) => {
        const at = seed % text.length;
        const bytes = encode(text.slice(0, at) + character + text.slice(isInsert ? at : at + 1));
        const split = readSplit(bytes);
        if (split !== undefined) expect(split).toEqual(readWhole(bytes));
      }),
      { numRuns: 2_000 },
    );
  });

  it("returns the span of every field and every entry", () => {
    const text = '{ "model" : "m","messages":[ {"a":"\\"}"}, {"b":[1]} ] , "stream":true}';
    const bytes = encode(text);
    const split = splitBody(bytes, "messages");
    expect(split?.items.map((span) => decode(bytes, span))).toEqual(['{"a":"\\"}"}', '{"b":[1]}']);
    expect([...(split?.fields ?? [])].map(([key, span]) => [key, decode(bytes, span)])).toEqual([
      ["model", '"m"'],
      ["messages", '[ {"a":"\\"}"}, {"b":[1]} ]'],
      ["stream", "true"],
    ]);
  });

  it.each([
    ["a key that comes twice", '{"model":1,"messages":[],"model":2}'],
    ["a list that comes twice", '{"messages":[],"messages":[1]}'],
    ["a key with escapes", '{"mess\\u0061ges":[]}'],
    ["no list", '{"model":"m"}'],
    ["a list that is not an array", '{"messages":{}}'],
    ["an empty object", "{}"],
    ["something after the end", '{"messages":[]} x'],
    ["an unfinished string", '{"messages":["abc'],
    ["an unfinished body", '{"messages":[{"a":1}'],
    ["entries without a comma", '{"messages":[{} {}]}'],
    ["a trailing comma", '{"messages":[1,]}'],
    ["no object", "[1]"],
    ["nothing", ""],
  ])("returns undefined for %s", (_, text) => {
    expect(splitBody(encode(text), "messages")).toBeUndefined();
  });

  it("finds the end of long strings with escapes near the end of the byte-by-byte scan", () => {
    for (let length = 40; length < 60; length++) {
      for (const tail of ["\\\\", '\\"', "\\\\\\\\", '\\\\\\"']) {
        const bytes = encode(`{"messages":["${"x".repeat(length)}${tail}",2]}`);
        expect(readSplit(bytes)).toEqual(readWhole(bytes));
      }
    }
  });
});

describe("peekField", () => {
  const peek = (text: string, name = "model") => {
    const bytes = encode(text);
    const span = peekField(bytes, name, "messages");
    return span && decode(bytes, span);
  };

  it("finds a field before the list", () => {
    expect(peek('{"stream":true, "model" : "m" ,"messages":[broken')).toBe('"m"');
  });

  it.each(['{"messages":[],"model":"m"}', '{"stream":true}', "[]", "", '{"model', '{"a":1 "model":"m"}'])(
    "finds nothing in %s",
    (text) => {
      expect(peek(text)).toBeUndefined();
    },
  );
});

describe("fieldNames", () => {
  it("lists the top-level fields in order, including repeats", () => {
    expect(fieldNames(encode('{"a":{"b":1},"c":[{"a":2}], "a" : null}'))).toEqual(["a", "c", "a"]);
  });

  it.each(["", "{}", "[]", '{"a":1', '{"\\u0061":1}', '\ufeff{"a":1}'])("lists nothing for %s", (text) => {
    expect(fieldNames(encode(text))).toBeUndefined();
  });
});

describe("findField", () => {
  const find = (text: string) => {
    const bytes = encode(text);
    const span = findField(bytes, "model");
    return span && decode(bytes, span);
  };

  it("finds the same value as JSON.parse, with repeated fields and any whitespace", () => {
    const anyField = fc.tuple(fc.constantFrom("model", "m", "messages", ""), fc.jsonValue({ maxDepth: 3 }));
    const anyObject = fc.array(anyField, { minLength: 1, maxLength: 6 }).map((fields) => {
      const written = fields.map(([name, value]) => `${JSON.stringify(name)} :${JSON.stringify(value)}`);
      return `{ ${written.join(" ,")} }`;
    });
    fc.assert(
      fc.property(anyObject, (text) => {
        const found = find(text);
        expect(found === undefined ? undefined : JSON.parse(found)).toEqual(JSON.parse(text).model);
      }),
    );
  });

  it.each(['{"a":1}', "[]", "", '{"model":"m"', '{"mod\\u0065l":"m"}', '{"model":"m","mod\\u0065l":"n"}'])(
    "finds nothing in %s",
    (text) => {
      expect(find(text)).toBeUndefined();
    },
  );
});

describe("JSON_LIMITS", () => {
  const { depth, keys, elements, values, whitespace, number } = JSON_LIMITS;
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const object = (size: number) => `{${Array.from({ length: size }, (_, index) => `"k${index}":1`).join()}}`;
  const list = (size: number) => `[${"1,".repeat(size - 1)}1]`;

  it.each([
    ["depth", nested(depth), nested(depth + 1)],
    ["keys", object(keys), object(keys + 1)],
    ["elements", list(elements), list(elements + 1)],
    ["values", `[${`${list(20_000)},`.repeat(15)}0]`, `[${`${list(20_000)},`.repeat(16)}0]`],
    ["whitespace", `[${" ".repeat(whitespace)}1]${" ".repeat(whitespace)}`, `[${" ".repeat(whitespace + 1)}1]`],
    ["whitespace", `${" ".repeat(whitespace)}[]`, `${" ".repeat(whitespace + 1)}[]`],
    ["whitespace", `["${" ".repeat(whitespace + 1)}"]`, `[]${" ".repeat(whitespace + 1)}`],
    ["number", `[${"9".repeat(number)}]`, `[${"9".repeat(number + 1)}]`],
    ["number", "9".repeat(number), "9".repeat(number + 1)],
    ["number", `["${"9".repeat(number + 1)}"]`, `{"a":"",${"\u{7f}".repeat(number + 1)}`],
  ])("accepts text up to the limit of %s and rejects more", (limit, most, more) => {
    expect(checkJsonLimits(encode(most))).toBeLessThanOrEqual(values);
    const { [limit]: largest }: Record<string, number> = JSON_LIMITS;
    const named = largest?.toLocaleString("en");
    expect(() => checkJsonLimits(encode(more))).toThrow(`more than ${named} `);
  });

  it.each([
    ["a field", (json: string) => `{"x":${json},"messages":[]}`],
    ["an entry of the list", (json: string) => `{"messages":[{"x":${json}}]}`],
  ])("applies to %s of a split body", (_, around) => {
    for (const json of [nested(depth), object(keys + 1), list(elements + 1), "9".repeat(number + 1)]) {
      expect(() => splitBody(encode(around(json)), "messages")).toThrow("the gateway's limit");
      expect(() => findField(encode(around(json)), "model")).toThrow("the gateway's limit");
    }
  });

  it("applies to the body's own fields and entries", () => {
    expect(() => splitBody(encode(`${object(keys).slice(0, -1)},"messages":[]}`), "messages")).toThrow("keys");
    expect(() => splitBody(encode(`{"messages":${list(elements + 1)}}`), "messages")).toThrow("elements");
    expect(splitBody(encode(`{"messages":${list(elements)}}`), "messages")?.items).toHaveLength(elements);
  });

  it("stops at the first value over a limit", () => {
    expect(() => checkJsonLimits(encode("[".repeat(1_000_000)))).toThrow("nests");
  });

  it("does not reject invalid JSON, and reads past a byte order mark", () => {
    for (const text of ["", "x", "]", '{"a', "[\u0001 1]", "\ufeff[1]", '"abc'])
      expect(() => checkJsonLimits(encode(text))).not.toThrow();
    expect(() => checkJsonLimits(encode(`\ufeff${nested(depth + 1)}`))).toThrow("nests");
  });
});

describe("hasLaterField", () => {
  it.each([
    ['{"a":1,"x":{"b":[]},"a":2}', true],
    ['{"a":1,"x":{"a":[]}}', false],
    ['{"a":1,"x":[{"a":1}],"b":{"a":"a"},"c":"a"}', false],
    ['{"a":1,"x":{"a":1},"a" : [1]}', true],
  ])("finds out for %s whether a second top-level a follows", (text, isNamed) => {
    const from = text.indexOf('"a"', text.indexOf('"a"') + 1);
    expect(hasLaterField(encode(text), "a", from)).toBe(isNamed);
  });
});
