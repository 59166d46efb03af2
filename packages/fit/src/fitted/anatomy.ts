import type { MakeUp, PartKind } from "@longhaul/condense";
import type { Part } from "../history/parts.ts";
import type { Form, Turn } from "../turn/turn.ts";

/** Tokens of what is sent, by what they are. What we wrote in place of messages is text. Together they are `form.tokens`, but for rounding. */
export function anatomyOf({ history, ratio }: Turn, form: Form): Readonly<Partial<Record<PartKind, number>>> {
  const { messages, messageTokens, headTokens, toolTokens } = history;
  const head = { system: headTokens - toolTokens, tools: toolTokens };
  const sums: Record<PartKind, number> = { ...head, text: 0, calls: 0, results: 0, thinking: 0, media: 0 };
  const add = (makeUp: MakeUp, tokens: number) => {
    for (const { kind, share } of makeUp) sums[kind] += share * tokens;
  };
  const addRaw = (from: number, to: number) => {
    for (let index = from; index < to; index++) add(messages[index]?.makeUp ?? TEXT, messageTokens[index] ?? 0);
  };
  const { rendering } = form;
  const scale = rendering === undefined ? 1 : ratio / rendering.ratio;
  const addPart = (part: Part) => {
    if (part.kind === "kept") addRaw(part.from, part.to);
    else add((part.raw === undefined ? undefined : messages[part.raw]?.makeUp) ?? TEXT, part.tokens * scale);
  };
  rendering?.parts.forEach(addPart);
  addRaw(rendering?.messages ?? 0, messages.length);
  const correction = form.tokens / Math.max(1, form.estimated);
  const rounded = Object.entries(sums).map(([kind, tokens]) => [kind, Math.round(tokens * correction)] as const);
  return Object.fromEntries(rounded.filter(([, tokens]) => tokens > 0));
}

const TEXT: MakeUp = [{ kind: "text", share: 1 }];
