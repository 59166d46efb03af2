import {
  type DocumentBlock,
  type ImageBlock,
  type JsonObject,
  type MediaSource,
  table,
} from "@longhaul/conversation/advanced";
import { documentText, mediaTypeOfUrl, textOfBase64 } from "../content/media.ts";
import { optionalString } from "../fields/json.ts";
import { innerFields } from "./field-names.ts";

export type Media = ImageBlock | DocumentBlock;

/** Decodes a part with a file. Returns undefined if it has none, or one of a type that the canonical model does not know. */
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

/** The canonical model has no audio or video. */
function mediaOf(mediaType: string, source: MediaSource): Media | undefined {
  if (mediaType.startsWith("image/")) return { type: "image", source };
  return mediaType === "application/pdf" ? { type: "document", source } : undefined;
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}

/** Whether anyone can fetch the file: it is neither in Google's file store nor in a bucket. */
function isPublic(uri: string): boolean {
  return /^https?:/.test(uri) && !uri.startsWith("https://generativelanguage.googleapis.com/");
}

/** Encodes a file, or the text of a plain-text document. */
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

/** Used for files of unknown type, because the format requires one. */
const FALLBACK = table({ image: "image/jpeg", document: "application/pdf" } as const);
