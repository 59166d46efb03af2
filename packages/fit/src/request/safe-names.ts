/** Longer than any model's name or session's id; a client may send anything. */
const MAX_NAME_CHARS = 200;

/** Nearly every name is printable ASCII. */
const PLAIN = /^[\x20-\x7e]*$/;

/** A name that a client made up, as it may be kept: of a bounded length, and without characters that some database refuses. */
export function cleanName(name: string): string {
  if (name.length <= MAX_NAME_CHARS && PLAIN.test(name)) return name;
  return name.slice(0, MAX_NAME_CHARS).replace(/[\p{Cc}\p{Cs}]/gu, "\uFFFD");
}

/** What keys look like: OpenAI's, Anthropic's and their imitators', our own, Google's, AWS's, and whatever is called a bearer token. */
const LOOKS_SECRET =
  /\bsk-[\w-]{8,}|\blh_[0-9A-Za-z]{43}\b|\bAIza[\w-]{20,}|\bya29\.[\w.-]+|\b(?:AKIA|ASIA)[0-9A-Z]{12,}|\bBearer\s+[\w.~+/=-]+/g;

/** Redacts whatever looks like anybody's credential. */
export function redactLookalikes(text: string): string {
  return text.replace(LOOKS_SECRET, "[redacted]");
}
