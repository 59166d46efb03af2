import type { MediaSource } from "./block.ts";

// Only the head is matched: a picture can have tens of megabytes of base64 behind the comma.
const DATA_URL_HEAD = /^data:([^;,]*)((?:;[^;,]*)*),/i;

/** Reads an address: a `data:` one holds the bytes themselves. */
export function sourceOfUrl(url: string): MediaSource {
  const head = DATA_URL_HEAD.exec(url.slice(0, 200));
  if (head === null || !/;base64$/i.test(head[2] ?? "")) return { kind: "url", url };
  return { kind: "base64", mediaType: head[1] ?? "", data: url.slice(head[0].length) };
}

/** The address of a source that has one. */
export function urlOfSource(source: MediaSource): string | undefined {
  switch (source.kind) {
    case "base64":
      return `data:${source.mediaType};base64,${source.data}`;
    case "url":
      return source.url;
    case "file":
      return undefined;
    default:
      return source satisfies never;
  }
}
