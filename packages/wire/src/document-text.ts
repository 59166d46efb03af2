import type { DocumentBlock } from "@longhaul/conversation";

/** A plain-text document in words, for formats whose files are binary only. */
export function documentText({ source, title, context }: DocumentBlock): string {
  const text = source.kind === "text" ? source.text : "";
  const head = [title, context].filter((line) => line !== undefined);
  return head.length === 0 ? text : `${head.join("\n")}\n\n${text}`;
}
