import type { Block, Conversation } from "@longhaul/conversation";
import { z } from "zod";

const MIN_RATIO = 0.5;
const MAX_RATIO = 2.5;
/** How far one reply may move the ratio, either way. */
const MAX_STEP = 0.15;
/** A report this many times over or under the estimate is about something else: another prompt, or a vendor that counts otherwise. */
const PLAUSIBLE = 2;
/** Of what is shorter than this, the vendor's markup is too large a part. */
const MIN_TOKENS = 500;
/** What was learnt from more tokens than these gives way to what is newer. */
const MEMORY_TOKENS = 100_000;

/** What the replies of one model at one upstream have taught. Plain data, to be stored and read back as it is. */
export const calibrationSchema = z
  .strictObject({
    /** Tokens of the model for one of its family's encoding: the whole ratio, not a factor on the family's. */
    ratio: z.number().min(MIN_RATIO).max(MAX_RATIO),
    /** How much it was learnt from, as far as that still counts: the more, the less one reply moves the ratio. */
    tokens: z.int().min(0).max(MEMORY_TOKENS).default(0),
    /** Reports that it was learnt from. */
    learnt: z.int().nonnegative(),
    /** Reports that were too far from the estimate to learn from. */
    ignored: z.int().nonnegative(),
  })
  .readonly();

/** What the replies of one model at one upstream have taught. */
export type Calibration = z.infer<typeof calibrationSchema>;

/** What one reply can teach: of a whole prompt, or of what came to a prompt since an earlier report. */
export interface CalibrationSample {
  /** As counted before, with the calibration's ratio. */
  readonly estimated: number;
  /** The same as the vendor counted it. */
  readonly reported: number;
  readonly hasMedia: boolean;
}

/** A calibration that has learnt nothing: it starts from the family's ratio. */
export function startCalibration(ratio: number): Calibration {
  return { ratio: clamp(ratio, MIN_RATIO, MAX_RATIO), tokens: 0, learnt: 0, ignored: 0 };
}

/**
 * Moves the ratio towards what a reply reports: it is the mean over what it was learnt from, every token counting the same. Images and
 * documents teach nothing, because those are counted by other rules; nor does what is short. What is too far off is only counted. The same
 * object where there was nothing to judge.
 */
export function calibrate(calibration: Calibration, { estimated, reported, hasMedia }: CalibrationSample): Calibration {
  if (hasMedia || Math.max(estimated, reported) < MIN_TOKENS) return calibration;
  const error = reported / estimated;
  if (!(error >= 1 / PLAUSIBLE && error <= PLAUSIBLE)) return { ...calibration, ignored: calibration.ignored + 1 };
  const { ratio, tokens, learnt } = calibration;
  const wanted = 1 + (error - 1) * (estimated / (tokens + estimated));
  const step = clamp(wanted, 1 - MAX_STEP, 1 + MAX_STEP);
  // A report that is further off than one step goes shows that what is known is little worth: it gains no weight.
  const weight = step === wanted ? Math.min(MEMORY_TOKENS, Math.round(tokens + estimated)) : tokens;
  return { ...calibration, ratio: clamp(ratio * step, MIN_RATIO, MAX_RATIO), tokens: weight, learnt: learnt + 1 };
}

/** Whether there are images or documents anywhere in a conversation. */
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
