import { type CustomTypesConfig, types } from "pg";

const { BYTEA, INT8, NUMERIC } = types.builtins;

/** How values come back: counts and sums as numbers and bytes as plain ones, as they do from SQLite. */
export const TYPES: CustomTypesConfig = {
  getTypeParser(oid, format) {
    const read = types.getTypeParser(oid, format);
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === BYTEA) return (text: string) => Uint8Array.from(read(text));
    return read;
  },
};
