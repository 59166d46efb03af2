import { type DocumentBlock, table } from "@longhaul/conversation";

const MEDIA_TYPES: Readonly<Record<string, string>> = table({
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  pdf: "application/pdf",
  png: "image/png",
  txt: "text/plain",
  webp: "image/webp",
});

/** What the ending of an address says that it is. */
export function mediaTypeOfUrl(url: string): string | undefined {
  const ending = /\.([a-z]+)(?:[?#]|$)/i.exec(url)?.[1];
  return ending === undefined ? undefined : MEDIA_TYPES[ending.toLowerCase()];
}

/** A plain-text document in words, for formats whose files are binary only. */
export function documentText({ source, title, context }: DocumentBlock): string {
  const text = source.kind === "text" ? source.text : "";
  const head = [title, context].filter((line) => line !== undefined);
  return head.length === 0 ? text : `${head.join("\n")}\n\n${text}`;
}
