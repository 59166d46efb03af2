import type { FaultKind } from "./fault-kind.ts";
import type { Step } from "./steps.ts";

const DEFAULT_DELAY_MS = 1_000;

/** Faults on the connection. */
export const STEP_FAULTS = {
  "slow-first-byte": { steps: (steps, value) => [wait(value), ...steps] },
  "slow-first-event": { steps: (steps, value) => insertAfterHead(steps, [wait(value)]) },
  silence: { steps: (steps, value) => insertMiddle(steps, [wait(value)]) },
  stall: { steps: (steps) => [...untilMiddle(steps), { kind: "hang" }] },
  hang: { steps: () => [{ kind: "hang" }] },
  "reset-before-headers": { steps: () => [{ kind: "reset" }] },
  "reset-after-headers": { steps: (steps) => [...untilHead(steps), { kind: "reset" }] },
  "reset-mid-stream": { steps: (steps) => [...untilMiddle(steps), { kind: "reset" }] },
  "reset-mid-event": { steps: (steps) => [...untilMiddle(steps, halfOf), { kind: "reset" }] },
  "reset-mid-character": { steps: (steps) => [...untilCharacter(steps), { kind: "reset" }] },
  "close-mid-stream": { steps: (steps) => [...untilMiddle(steps), { kind: "close" }] },
} as const satisfies Readonly<Record<string, FaultKind>>;

function wait(value: string): Step {
  return { kind: "wait", ms: Number(value) || DEFAULT_DELAY_MS };
}

function headAt(steps: readonly Step[]): number {
  return steps.findIndex(({ kind }) => kind === "head");
}

function untilHead(steps: readonly Step[]): readonly Step[] {
  return steps.slice(0, headAt(steps) + 1);
}

function insertAfterHead(steps: readonly Step[], added: readonly Step[]): readonly Step[] {
  return [...untilHead(steps), ...added, ...steps.slice(headAt(steps) + 1)];
}

/** Index of the write in the middle: of a plain answer, its only one. */
function middleAt(steps: readonly Step[]): number {
  const writes = steps.flatMap(({ kind }, at) => (kind === "write" ? [at] : []));
  return writes[Math.floor(writes.length / 2)] ?? steps.length;
}

/** Everything before the write in the middle; of a plain answer, half of its bytes. */
function untilMiddle(steps: readonly Step[], partOf?: (bytes: Uint8Array) => Uint8Array): readonly Step[] {
  const at = middleAt(steps);
  const before = steps.slice(0, at);
  const step = steps[at];
  const isOnly = !before.some(({ kind }) => kind === "write");
  const part = partOf ?? (isOnly ? halfOf : undefined);
  return step?.kind === "write" && part !== undefined ? [...before, { ...step, bytes: part(step.bytes) }] : before;
}

function insertMiddle(steps: readonly Step[], added: readonly Step[]): readonly Step[] {
  const at = middleAt(steps);
  return [...steps.slice(0, at), ...added, ...steps.slice(at)];
}

function halfOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

/** Up to the first byte of the first character that has several; without one, up to the middle. */
function untilCharacter(steps: readonly Step[]): readonly Step[] {
  const isLead = (byte: number) => byte >= 0xc0;
  const at = steps.findIndex((step) => step.kind === "write" && step.bytes.some(isLead));
  const step = steps[at];
  if (step?.kind !== "write") return untilMiddle(steps, halfOf);
  return [...steps.slice(0, at), { ...step, bytes: step.bytes.subarray(0, step.bytes.findIndex(isLead) + 1) }];
}
