import { type Block, type Conversation, isJsonObject } from "@longhaul/conversation";

const MIN_RATIO = 0.5;
const MAX_RATIO = 2.5;
/** Maximum change of the ratio per reply. */
const MAX_STEP = 0.15;
/**
 * A report that differs from the estimate by this factor is about something else: another prompt, or a vendor with other counting rules.
 */
const PLAUSIBLE = 2;
/** In shorter prompts the vendor's markup is too large a share. */
const MIN_TOKENS = 500;
/** Samples beyond this many tokens are gradually replaced by newer ones. */
const MEMORY_TOKENS = 100_000;

/** The calibration for one model at one upstream. Plain data, to be stored and read back. */
export interface Calibration {
  /** Tokens of the model per token of its family's encoding: the whole ratio, not a factor on the family's. */
  readonly ratio: number;
  /** Weight of the samples so far: the larger, the less one reply moves the ratio. */
  readonly tokens: number;
  /** Number of reports used. */
  readonly learnt: number;
  /** Number of reports too far from the estimate to use. */
  readonly ignored: number;
}

/** Reads a stored calibration. One with an unknown shape counts as absent. */
export function readCalibration(value: unknown): Calibration | undefined {
  if (!isJsonObject(value)) return undefined;
  const { ratio, tokens = 0, learnt, ignored } = value;
  if (typeof ratio !== "number" || !(ratio >= MIN_RATIO && ratio <= MAX_RATIO)) return undefined;
  if (!isCount(tokens) || tokens > MEMORY_TOKENS || !isCount(learnt) || !isCount(ignored)) return undefined;
  return { ratio, tokens, learnt, ignored };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** A sample from one reply: a whole prompt, or the part added since an earlier report. */
export interface CalibrationSample {
  /** The estimate, with the calibration's ratio. */
  readonly estimated: number;
  /** The vendor's count. */
  readonly reported: number;
  readonly hasMedia: boolean;
}

/** Returns an initial calibration with the family's ratio. */
export function startCalibration(ratio: number): Calibration {
  return { ratio: clamp(ratio, MIN_RATIO, MAX_RATIO), tokens: 0, learnt: 0, ignored: 0 };
}

/**
 * Moves the ratio toward a reported count: it is the mean of all samples, weighted by tokens. Prompts with images or documents are skipped,
 * because those are counted by other rules, and so are short ones. Implausible reports are only counted. Returns the identical object if
 * there was nothing to judge.
 */
export function calibrate(calibration: Calibration, { estimated, reported, hasMedia }: CalibrationSample): Calibration {
  if (hasMedia || Math.max(estimated, reported) < MIN_TOKENS) return calibration;
  const error = reported / estimated;
  if (!(error >= 1 / PLAUSIBLE && error <= PLAUSIBLE)) return { ...calibration, ignored: calibration.ignored + 1 };
  const { ratio, tokens, learnt } = calibration;
  const wanted = 1 + (error - 1) * (estimated / (tokens + estimated));
  const step = clamp(wanted, 1 - MAX_STEP, 1 + MAX_STEP);
  // A report further off than one step shows that the ratio is unreliable: it does not gain weight.
  const weight = step === wanted ? Math.min(MEMORY_TOKENS, Math.round(tokens + estimated)) : tokens;
  return { ...calibration, ratio: clamp(ratio * step, MIN_RATIO, MAX_RATIO), tokens: weight, learnt: learnt + 1 };
}

/** Whether a conversation has images or documents. */
export function hasMedia({ system, messages }: Conversation): boolean {
  return system.some(isMedia) || messages.some(({ blocks }) => blocks.some(isMedia));
}

function isMedia(block: Block): boolean {
  if (block.type === "tool-result") return block.content.some(isMedia);
  return block.type === "image" || block.type === "document";
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
