import { types } from "pg";
import { expect, it } from "vitest";
import { TYPES } from "./types.ts";

const { BYTEA, FLOAT8, INT4, INT8, NUMERIC, TEXT } = types.builtins;

it.each([
  [INT4, "7", 7],
  [INT8, "9007199254740991", Number.MAX_SAFE_INTEGER],
  [NUMERIC, "12.50", 12.5],
  [FLOAT8, "0.30000000000000004", 0.1 + 0.2],
  [TEXT, "7", "7"],
  [BYTEA, "\\x00ff", Uint8Array.of(0, 255)],
])("reads type %i", (oid, text, value) => {
  expect(TYPES.getTypeParser(oid, "text")(text)).toStrictEqual(value);
});
