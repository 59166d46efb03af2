/** One part of a prompt, or what of the window is free. */
interface Share {
  readonly part: string;
  readonly tokens: number;
}

/** What a prompt is made of, in the order in which it is sent. */
const PARTS: readonly string[] = ["system", "tools", "text", "calls", "results", "thinking", "media", "other"];

/** What is told more finely of a conversation that is tried out. */
const TEXTS: readonly string[] = ["user", "assistant"];

/** What a window is filled with: every token of the anatomy in one of the parts, and what is left of the window. */
export function sharesOf(anatomy: Readonly<Record<string, number>>, windowTokens: number): readonly Share[] {
  const sums = new Map(PARTS.map((part) => [part, 0]));
  for (const [name, tokens] of Object.entries(anatomy)) {
    const part = partOf(name);
    sums.set(part, (sums.get(part) ?? 0) + tokens);
  }
  const parts = [...sums].map(([part, tokens]) => ({ part, tokens })).filter(({ tokens }) => tokens > 0);
  const free = windowTokens - parts.reduce((used, { tokens }) => used + tokens, 0);
  return free > 0 ? [...parts, { part: "free", tokens: free }] : parts;
}

function partOf(name: string): string {
  if (TEXTS.includes(name)) return "text";
  return PARTS.includes(name) ? name : "other";
}
