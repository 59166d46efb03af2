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

// Part of every JavaScript runtime that Longhaul runs on, but of none of the ECMAScript libraries that pure code is compiled with.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const atob: (base64: string) => string;
declare const btoa: (binary: string) => string;

/** The text that base64 of UTF-8 spells, in either of its alphabets; nothing where it is no base64. */
export function textOfBase64(data: string): string | undefined {
  try {
    const binary = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** Base64 of a text's UTF-8. */
export function base64OfText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
