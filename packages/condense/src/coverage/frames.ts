import type { Message } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";

/** What stands around the contents of texts: the tags of calls written as XML, and the announcements of their results. */
export function framesIn(contents: readonly Content[], messages: readonly Message[]): Content[] {
  const frames: Content[] = [];
  const inText = contents.filter(({ at, role }) => at.path.length === 0 && role !== "system");
  for (const [position, content] of inText.entries()) {
    const before = sameBlock(inText[position - 1], content) ? inText[position - 1]?.to : 0;
    frames.push(frame(content, messages, { from: before ?? 0, to: content.from }));
    if (sameBlock(inText[position + 1], content)) continue;
    frames.push(frame(content, messages, { from: content.to, to: Number.POSITIVE_INFINITY }));
  }
  return frames.filter(({ text }) => text.trim() !== "");
}

function sameBlock(other: Content | undefined, { at }: Content): boolean {
  return other?.at.message === at.message && other.at.block === at.block;
}

/** A frame counts as part of the call that an assistant makes, or of the answer that a user's message brings. */
function frame(content: Content, messages: readonly Message[], { from, to }: { from: number; to: number }): Content {
  const { at, role } = content;
  const block = messages[at.message]?.blocks[at.block];
  const text = block?.type === "text" ? block.text.slice(from, to) : "";
  return { at, from, to: from + text.length, text, level: role === "assistant" ? "parameters" : "result", role };
}
