/** What encryption adds to a thought, in characters of base64. */
const SEAL_CHARACTERS = 240;
/** Bytes of a thought for one token of an encoding. */
const BYTES_PER_TOKEN = 4.6;

/**
 * How many tokens of text an encrypted thought holds, by its length. A vendor charges for the whole thought even where it shows a summary
 * or nothing of it. Fitted to the signatures and output tokens of one Claude Opus 4.5 session, where it is mostly within a quarter.
 */
export function sealedTextTokens(base64: string): number {
  const bytes = (Math.max(0, base64.length - SEAL_CHARACTERS) * 3) / 4;
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
