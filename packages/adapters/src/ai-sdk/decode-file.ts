import type { LanguageModelV4FilePart } from "@ai-sdk/provider";
import type { DocumentBlock, ImageBlock, MediaSource, OpaqueBlock } from "@longhaul/conversation";
import { toBase64 } from "../to-base64.ts";
import { opaque } from "./opaque.ts";

type File = Pick<LanguageModelV4FilePart, "type" | "data" | "mediaType" | "filename">;

/** A file as a picture or a document; one that is neither (sound, video) is kept or dropped whole. */
export function decodeFile(file: File): ImageBlock | DocumentBlock | OpaqueBlock {
  const [kind] = file.mediaType.split("/");
  const title = file.filename === undefined ? {} : { title: file.filename };
  if (file.data.type === "text") return { type: "document", source: { kind: "text", text: file.data.text }, ...title };
  const source = sourceOf(file.data, file.mediaType);
  if (kind === "image") return { type: "image", source };
  if (kind === "application" || kind === "text") return { type: "document", source, ...title };
  return opaque({ type: file.type, ...source });
}

function sourceOf(data: Exclude<File["data"], { type: "text" }>, mediaType: string): MediaSource {
  switch (data.type) {
    case "data":
      return { kind: "base64", mediaType, data: typeof data.data === "string" ? data.data : toBase64(data.data) };
    case "url":
      return { kind: "url", url: data.url.toString(), mediaType };
    case "reference":
      return { kind: "file", id: JSON.stringify(data.reference), mediaType };
    default:
      return data satisfies never;
  }
}
