import fc from "fast-check";

const PROSE = [
  "The build fails on the second run only.",
  "Please keep the public names as they are, and add a test for each.",
  "I looked at three files; none of them touches the cache.",
];
const CODE = [
  "export function add(a: number, b: number): number {\n  return a + b;\n}\n",
  "for (const [key, value] of Object.entries(map)) {\n\tconsole.log(key, value);\n}",
  '{"status":"ok","items":[1,2,3],"next":null}',
  "     1\timport os\n     2\t\n     3\tprint(os.getcwd())\n",
];
const FOREIGN = [
  "こんにちは、世界。",
  "请修复这个测试。",
  "안녕하세요",
  "Привет, мир",
  "שלום",
  "👩‍👩‍👧‍👦🚀",
  "é\u0301\u200b",
  "🇩🇪🇯🇵",
];

/** Text as people and models write it: prose, code, JSON, CJK, emoji, several lines. Never blank. */
export function anyText(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...PROSE) },
    { weight: 2, arbitrary: fc.constantFrom(...CODE) },
    { weight: 2, arbitrary: fc.constantFrom(...FOREIGN) },
    { weight: 2, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).map((text) => `${text}.`) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom("a", " x", "汉", "ab\n"), fc.integer({ min: 1, max: 200 })).map(repeat),
    },
  );
  return fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("\n"));
}

/** Empty or whitespace-only text. */
export function anyBlankText(): fc.Arbitrary<string> {
  return fc.constantFrom("", " ", "\n", "\t \n");
}

/** Text that ends in a lone surrogate, as if an emoji was cut in half. */
export function anyBrokenText(): fc.Arbitrary<string> {
  return fc.tuple(anyText(), fc.constantFrom("\ud83d", "\ude80")).map(([text, half]) => `${text}${half}`);
}

/** Any characters, including lone surrogates. fast-check's own `unit: "binary"` takes seconds to set up. */
export function anyCharacters(): fc.Arbitrary<string> {
  return fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)), maxLength: 300 });
}

/** Random bytes as base64. */
export function anyBase64(): fc.Arbitrary<string> {
  return fc.base64String({ minLength: 4, maxLength: 120 });
}

/** Path of a project file. */
export function anyPath(): fc.Arbitrary<string> {
  return fc.constantFrom("src/main.ts", "src/server/http.ts", "README.md", "docs/plan with spaces.md", "lib/多语言.py");
}

function repeat([text, times]: readonly [string, number]): string {
  return text.repeat(times);
}
