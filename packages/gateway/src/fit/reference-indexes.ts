import type { ReferenceIndex } from "@longhaul/condense";
import { Latest } from "../latest.ts";

/** What references can point to in conversations under way. */
export type ReferenceIndexes = Latest<ReferenceIndex>;

const MAX_INDEXES = 200;

/** Opens an empty memory. */
export function makeReferenceIndexes(): ReferenceIndexes {
  return new Latest(MAX_INDEXES);
}
