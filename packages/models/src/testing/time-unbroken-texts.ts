/**
 * Counts texts without breaks in o200k and prints the bytes, tokens and processor time of each. A separate program, because coverage
 * measurement makes the counter ten times slower.
 */
import { loadTextCounter } from "../tokens/encodings.ts";

const BASE64 = "TG9uZ2hhdWwga2VlcHMgTExNIHNlc3Npb25zIGFsaXZl/9yJ8Kp2cXQ0b2+HZ3FhMXo5";

const UNBROKEN_TEXTS: Readonly<Record<string, string>> = {
  "one letter": "a",
  spaces: " ",
  base64: BASE64,
  CJK: "请修复这个测试然后告诉我结果",
  emoji: "😀",
  capitals: "A",
  "line breaks": "\n",
  "one sign": "=",
  "one digit": "7",
  "small letters": BASE64.replaceAll(/[^a-z]/g, ""),
  marks: "\u0301",
  "capitals between marks": "\u0301AA",
  "lone surrogates": "\ud83d",
};

const BYTES = 1e6;
const countText = await loadTextCounter("o200k");
const timed = Object.entries(UNBROKEN_TEXTS).map(([kind, unit]) => {
  const text = unit.repeat(Math.ceil(BYTES / Buffer.byteLength(unit)));
  const start = process.threadCpuUsage();
  const tokens = countText(text);
  const { user, system } = process.threadCpuUsage(start);
  return { kind, tokens, ms: (user + system) / 1000 };
});
process.stdout.write(JSON.stringify({ bytes: BYTES, timed }));
