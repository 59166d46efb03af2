import { PIXEL_PNG } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decodeMedia, encodeMedia, type Media } from "./media.ts";

describe("decodeMedia and encodeMedia", () => {
  const rows: [string, object, Media][] = [
    [
      "images as bytes",
      { inlineData: { mimeType: "image/png", data: PIXEL_PNG } },
      { type: "image", source: { kind: "base64", mediaType: "image/png", data: PIXEL_PNG } },
    ],
    [
      "PDFs as bytes",
      { inlineData: { mimeType: "application/pdf", data: "JVBERg==" } },
      { type: "document", source: { kind: "base64", mediaType: "application/pdf", data: "JVBERg==" } },
    ],
    [
      "public URLs",
      { fileData: { mimeType: "image/webp", fileUri: "https://files.example/1" } },
      { type: "image", source: { kind: "url", url: "https://files.example/1", mediaType: "image/webp" } },
    ],
    [
      "files stored at Google",
      { fileData: { mimeType: "image/png", fileUri: "https://generativelanguage.googleapis.com/v1beta/files/1" } },
      {
        type: "image",
        source: {
          kind: "file",
          id: "https://generativelanguage.googleapis.com/v1beta/files/1",
          mediaType: "image/png",
        },
      },
    ],
    [
      "files in a bucket",
      { fileData: { mimeType: "text/csv", fileUri: "gs://bucket/table" } },
      { type: "document", source: { kind: "file", id: "gs://bucket/table", mediaType: "text/csv" } },
    ],
  ];

  it.each(rows)("decode and encode %s", (_, part, media) => {
    expect(decodeMedia({ ...part })).toEqual(media);
    expect(encodeMedia(media)).toEqual(part);
  });
});

describe("decodeMedia", () => {
  it("decodes plain text, also from bytes", () => {
    const data = Buffer.from("Grüße, 世界").toString("base64");
    const text = { type: "document", source: { kind: "text", text: "Grüße, 世界" } };
    expect(decodeMedia({ inlineData: { mimeType: "text/markdown", data } })).toEqual(text);
    expect(decodeMedia({ inlineData: { mimeType: "application/json", data } })).toEqual(text);
    expect(decodeMedia({ inlineData: { mimeType: "text/plain", data: "§" } })).toBeUndefined();
  });

  it("derives the type of a URL from its file extension", () => {
    const source = { kind: "url", url: "https://files.example/a.pdf?x=1", mediaType: "application/pdf" };
    expect(decodeMedia({ fileData: { fileUri: "https://files.example/a.pdf?x=1" } })).toEqual({
      type: "document",
      source,
    });
  });

  it("returns undefined for audio, video, unknown files and missing files", () => {
    const parts = [
      { inlineData: { mimeType: "audio/wav", data: "AAAA" } },
      { fileData: { mimeType: "video/mp4", fileUri: "gs://bucket/film" } },
      { fileData: { fileUri: "gs://bucket/something" } },
      { executableCode: {} },
    ];
    expect(parts.map((part) => decodeMedia(part))).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("encodeMedia", () => {
  it("writes a type even if it is unknown", () => {
    expect(encodeMedia({ type: "image", source: { kind: "url", url: "https://a.example/x" } })).toEqual({
      fileData: { mimeType: "image/jpeg", fileUri: "https://a.example/x" },
    });
    expect(encodeMedia({ type: "image", source: { kind: "url", url: "https://a.example/x.gif" } })).toEqual({
      fileData: { mimeType: "image/gif", fileUri: "https://a.example/x.gif" },
    });
    expect(encodeMedia({ type: "document", source: { kind: "file", id: "files/1" } })).toEqual({
      fileData: { mimeType: "application/pdf", fileUri: "files/1" },
    });
  });

  it("writes a plain-text document as text, title first", () => {
    expect(encodeMedia({ type: "document", source: { kind: "text", text: "One." }, title: "Plan" })).toEqual({
      text: "Plan\n\nOne.",
    });
  });
});
