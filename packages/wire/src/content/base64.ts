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
