import type { FuzzTarget } from "./target.ts";
import { BYTE_TARGETS } from "./targets/byte-targets.ts";
import { TEXT_TARGETS } from "./targets/text-targets.ts";
import { WIRE_TARGETS } from "./targets/wire-targets.ts";

/** Everything that reads what comes from outside. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [...BYTE_TARGETS, ...TEXT_TARGETS, ...WIRE_TARGETS];
