import { Rejection } from "../core/api.ts";
import { BYTE_FAULTS, type FaultKind, STEP_FAULTS } from "./fault-bytes.ts";
import { REPLY_FAULTS, rejectionFor } from "./fault-replies.ts";

const REFUSALS = {
  status: { refuse: (value) => rejectionFor(Number(value) || 500) },
} as const satisfies Readonly<Record<string, FaultKind>>;

const KINDS: ReadonlyMap<string, FaultKind> = new Map(
  Object.entries({ ...REFUSALS, ...REPLY_FAULTS, ...BYTE_FAULTS, ...STEP_FAULTS }),
);

/** Names of all faults. */
export const FAULT_NAMES: readonly string[] = [...KINDS.keys()];

export interface Fault {
  readonly name: string;
  readonly value: string;
  readonly kind: FaultKind;
}

/** Parses faults such as `status=429, retry-after=2`. */
export function parseFaults(text: string): readonly Fault[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "").map(parseFault);
}

function parseFault(part: string): Fault {
  const [name = ""] = part.split("=", 1);
  const kind = KINDS.get(name);
  if (kind !== undefined) return { name, value: part.slice(name.length + 1), kind };
  throw new Rejection(400, `unknown fault "${name}"; the simulator knows ${FAULT_NAMES.join(", ")}`);
}

/** Which requests fail, how, and how often. */
export interface FaultRule {
  /** One or more faults, as in the header: `status=429, retry-after=2`. */
  readonly fault: string;
  /** How many requests fail. @default 1 */
  readonly times?: number;
  /** Only requests to paths that contain this. @default every path */
  readonly path?: string;
}

export interface FaultPlan {
  add(rule: FaultRule): void;
  /** Takes the faults for a request; each use counts against its rule. */
  take(path: string): readonly Fault[];
  clear(): void;
}

export function openFaultPlan(rules: readonly FaultRule[]): FaultPlan {
  let waiting: { rule: FaultRule; faults: readonly Fault[]; left: number }[] = [];
  const add = (rule: FaultRule) => {
    waiting.push({ rule, faults: parseFaults(rule.fault), left: rule.times ?? 1 });
  };
  rules.forEach(add);
  return {
    add,
    take(path) {
      const next = waiting.find(({ rule, left }) => left > 0 && path.includes(rule.path ?? ""));
      if (next === undefined) return [];
      next.left -= 1;
      waiting = waiting.filter(({ left }) => left > 0);
      return next.faults;
    },
    clear: () => {
      waiting = [];
    },
  };
}
