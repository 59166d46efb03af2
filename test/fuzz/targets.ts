import type { FuzzTarget } from "./target.ts";
import { BYTE_TARGETS } from "./targets/byte-targets.ts";
import { TEXT_TARGETS } from "./targets/text-targets.ts";
import { WIRE_TARGETS } from "./targets/wire-targets.ts";

/** All readers of external input. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [...BYTE_TARGETS, ...TEXT_TARGETS, ...WIRE_TARGETS];
