import { type DocumentBlock, table } from "@longhaul/conversation/advanced";

const MEDIA_TYPES: Readonly<Record<string, string>> = table({
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  pdf: "application/pdf",
  png: "image/png",
  txt: "text/plain",
  webp: "image/webp",
});

/** Returns the media type for a URL's file extension, if known. */
export function mediaTypeOfUrl(url: string): string | undefined {
  const ending = /\.([a-z]+)(?:[?#]|$)/i.exec(url)?.[1];
  return ending === undefined ? undefined : MEDIA_TYPES[ending.toLowerCase()];
}

/** Returns a plain-text document as text, for formats whose files must be binary. */
export function documentText({ source, title, context }: DocumentBlock): string {
  const text = source.kind === "text" ? source.text : "";
  const head = [title, context].filter((line) => line !== undefined);
  return head.length === 0 ? text : `${head.join("\n")}\n\n${text}`;
}

// Every JavaScript runtime has these, but the ECMAScript type library does not.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const atob: (base64: string) => string;
declare const btoa: (binary: string) => string;

/** Decodes base64 or base64url as UTF-8 text. Returns undefined for invalid base64. */
export function textOfBase64(data: string): string | undefined {
  try {
    const binary = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** Encodes text as base64 of its UTF-8 bytes. */
export function base64OfText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
