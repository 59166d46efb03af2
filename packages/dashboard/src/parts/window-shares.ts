import type { AnatomyPart, PartKind } from "@longhaul/settings";

/** One part of a prompt, or what of the window is free. */
interface Share {
  readonly part: string;
  readonly tokens: number;
}

/** The part of the bar for each kind of content, in the order in which they are sent; who said a text makes no difference. */
const PART_OF: Readonly<Record<AnatomyPart | PartKind, string>> = {
  system: "system",
  tools: "tools",
  text: "text",
  user: "text",
  assistant: "text",
  calls: "calls",
  results: "results",
  thinking: "thinking",
  media: "media",
  other: "other",
};
const PARTS: ReadonlyMap<string, string> = new Map(Object.entries(PART_OF));

/** What a window is filled with: every token of the anatomy in one of the parts, and what is left of the window. */
export function sharesOf(anatomy: Readonly<Record<string, number>>, windowTokens: number): readonly Share[] {
  const sums = new Map([...PARTS.values()].map((part) => [part, 0]));
  for (const [name, tokens] of Object.entries(anatomy)) {
    const part = PARTS.get(name) ?? "other";
    sums.set(part, (sums.get(part) ?? 0) + tokens);
  }
  const parts = [...sums].map(([part, tokens]) => ({ part, tokens })).filter(({ tokens }) => tokens > 0);
  const free = windowTokens - parts.reduce((used, { tokens }) => used + tokens, 0);
  return free > 0 ? [...parts, { part: "free", tokens: free }] : parts;
}
