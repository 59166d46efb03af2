import { type DocumentBlock, type ImageBlock, type JsonObject, type MediaSource, table } from "@longhaul/conversation";
import { documentText, mediaTypeOfUrl, textOfBase64 } from "../content/media.ts";
import { optionalString } from "../fields/json.ts";
import { innerFields } from "./field-names.ts";

/** An image or a document, still without what it came from. */
export type Media = ImageBlock | DocumentBlock;

/** Reads a part that holds a file; nothing where it holds none, or one of a kind that the canonical model has no name for. */
export function decodeMedia({ inlineData, fileData }: JsonObject): Media | undefined {
  const blob = innerFields(inlineData);
  if (typeof blob.data === "string") return decodeBytes(optionalString(blob.mimeType) ?? "", blob.data);
  const file = innerFields(fileData);
  return typeof file.fileUri === "string" ? decodeFile(file.fileUri, optionalString(file.mimeType)) : undefined;
}

function decodeBytes(mediaType: string, data: string): Media | undefined {
  if (isText(mediaType)) {
    const text = textOfBase64(data);
    return text === undefined ? undefined : { type: "document", source: { kind: "text", text } };
  }
  return mediaOf(mediaType, { kind: "base64", mediaType, data });
}

function decodeFile(uri: string, given: string | undefined): Media | undefined {
  const mediaType = given ?? mediaTypeOfUrl(uri);
  if (mediaType === undefined) return undefined;
  const source: MediaSource = isPublic(uri)
    ? { kind: "url", url: uri, mediaType }
    : { kind: "file", id: uri, mediaType };
  return isText(mediaType) ? { type: "document", source } : mediaOf(mediaType, source);
}

/** Sound and video have no canonical name. */
function mediaOf(mediaType: string, source: MediaSource): Media | undefined {
  if (mediaType.startsWith("image/")) return { type: "image", source };
  return mediaType === "application/pdf" ? { type: "document", source } : undefined;
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}

/** Anybody can fetch it: neither a file of Google's store nor one of a bucket. */
function isPublic(uri: string): boolean {
  return /^https?:/.test(uri) && !uri.startsWith("https://generativelanguage.googleapis.com/");
}

/** Writes a file, or the words of a plain-text document. */
export function encodeMedia(block: Media): JsonObject {
  const { source } = block;
  switch (source.kind) {
    case "text":
      return { text: block.type === "document" ? documentText(block) : source.text };
    case "base64":
      return { inlineData: { mimeType: source.mediaType, data: source.data } };
    case "url":
      return {
        fileData: {
          mimeType: source.mediaType ?? mediaTypeOfUrl(source.url) ?? FALLBACK[block.type],
          fileUri: source.url,
        },
      };
    case "file":
      return { fileData: { mimeType: source.mediaType ?? FALLBACK[block.type], fileUri: source.id } };
    default:
      return source satisfies never;
  }
}

/** What is written where nobody says what a file is; the format demands a type. */
const FALLBACK = table({ image: "image/jpeg", document: "application/pdf" } as const);
