import fc from "fast-check";

/** Characters that the encodings' splitting rules distinguish, one kind per line. */
const KINDS = [
  "abcdefgz",
  "ABCDEFGZ",
  "0123456789",
  " \t\n\r\v\f",
  "'sStTrReEvVmMlLdDſ",
  '!?.,/\\-_=+*{}[]()<>|"#&;:@$%^~`',
  "éüñßøœÅÇÉЖжΩω",
  "ǅǈǋʰªºאब中文日本語한국어ไทยあア",
  "\u0301\u0300\u20dd\u0903\u093f\u200d\ufe0f",
  "½²①Ⅷ٣๕",
  "\u00a0\u2003\u3000\u0085\u2028\ufeff\u200b",
  "😀👩💻🇩🇪𝒳𐍈🀄",
  "\ud800\udc00\ud83d\ude00",
  "\0\u0001\u001b\u007f",
].map((kind) => Array.from(kind));

const RUNS = ["'s", "'LL", " 'd", "\r\n", "\n\n", "   ", "//", "<|endoftext|>", "<|fim_prefix|>", "http://", "():\n"];

/** Letters and marks of Unicode 17: the JavaScript engine knows them, tiktoken 1.0.22 treats them as unassigned. */
const NEWER_THAN_TIKTOKEN =
  /[\u088f\u0c5c\u0cdc\ua7ce-\ua7d4\ua7f1\u{10940}-\u{10959}\u{10ec5}-\u{10ec7}\u{11db0}-\u{11de9}\u{16ea0}-\u{16ed3}\u{16ff2}-\u{16ff6}\u{187f8}-\u{187ff}\u{18d09}-\u{18df2}\u{1e6c0}-\u{1e6ff}\u{2b73a}-\u{2b73f}\u{2cea2}-\u{2cead}\u{323b0}-\u{33479}]/u;

/**
 * Text that mixes few kinds of characters at a time, so that rules interact: letters and marks, spaces and line breaks, lone surrogates.
 */
export function anyUnicode(): fc.Arbitrary<string> {
  const kind = fc.constantFrom(...KINDS);
  return fc
    .tuple(kind, kind, kind)
    .chain((kinds) => {
      const character = fc.oneof(
        ...kinds.map((characters) => ({ weight: 4, arbitrary: fc.constantFrom(...characters) })),
        { weight: 1, arbitrary: fc.constantFrom(...RUNS) },
        { weight: 1, arbitrary: anyCharacter() },
      );
      return fc.array(character, { maxLength: 40 });
    })
    .map((characters) => characters.join(""));
}

function anyCharacter(): fc.Arbitrary<string> {
  return fc
    .nat(0x10ffff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => !NEWER_THAN_TIKTOKEN.test(character));
}

/** Short texts of every kind that people and tools send. */
export const SAMPLE_TEXTS: Readonly<Record<string, string>> = {
  empty: "",
  prose: "The build fails on the second run only; I've looked at three files, and none of them touches the cache.",
  contractions:
    "I'm sure they've said it'd work, she'll see we're done, DON'T, y'all'd've, it’s, 'S 'T 'sister 'llama ſ'ſ",
  typescript:
    "export function add(a: number, b: number): number {\n  return a + b; // sum\n}\n\n\tconst x = `${a}`;\r\n",
  camelCase: "getElementByIdOrNull HTTPServerError XMLHttpRequest snake_case_name SCREAMING_CASE iPhone eBay McDonald",
  json: JSON.stringify({
    id: 1234567890,
    ok: true,
    items: [null, 0.5, -1e-7],
    text: 'line\n"quoted"\t\\end',
    nested: {},
  }),
  numbers: "1 12 123 1234 12345 3.14159 1,000,000 2026-11-15T21:30:00Z 0xff ½ ² Ⅷ ٣٤٥٦",
  base64: "aGVsbG8gd29ybGQ/IFRoaXMgaXMgYSBsb25nIGJhc2U2NCBzdHJpbmcr/+AAAABBBBBccccDDDD0123456789==",
  cjk: "请修复这个测试，然后告诉我结果。こんにちは、世界。カタカナとひらがな。안녕하세요 세계",
  scripts: "Привет, мир! שלום עולם مرحبا بالعالم नमस्ते दुनिया สวัสดีชาวโลก Γειά σου Κόσμε",
  emoji: "👩‍👩‍👧‍👦🚀🇩🇪🇯🇵👍🏽✨ ok ☑️ 1️⃣",
  marks: "e\u0301 a\u0300\u0301\u0302 \u0301abc A\u0301B \u0301ABC \u0301\u0301 !\u0301? 1\u0301",
  control: "\0\u0001\u001b[31mred\u001b[0m\u007f\u0085\ufeff\u200b\u2028",
  whiteSpace: "a  b   c\t\td \n e\n\n\nf\r\n\r\ng   \n   h \u00a0\u3000i   ",
  trailingSpace: "ends with spaces    ",
  special: "<|endoftext|> <|endofprompt|><|fim_prefix|> <|im_start|>user<|im_sep|>",
  punctuation: "!!! ??? ... ---- ==== /////\n// */\n/* */ ->=> ;;;\r\n\n ()[]{}",
  paths:
    "/usr/local/lib/node_modules/@scope/name/dist/index.js:12:34 C:\\Windows\\System32 https://a.example/b?c=d&e=f#g",
  loneSurrogates: "a\ud83db \ude00\ud83d \ud800",
};
