import { expect, it } from "vitest";
import { decodeFile } from "./decode-file.ts";

const bytes = Uint8Array.from([1, 2, 3]);

it.each([
  [
    "a picture",
    { mediaType: "image/png", data: { type: "data", data: bytes } },
    { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AQID" } },
  ],
  [
    "a picture elsewhere",
    { mediaType: "image/*", data: { type: "url", url: new URL("https://example.com/a.png") } },
    { type: "image", source: { kind: "url", url: "https://example.com/a.png", mediaType: "image/*" } },
  ],
  [
    "a document",
    { mediaType: "application/pdf", filename: "a.pdf", data: { type: "data", data: "AQID" } },
    { type: "document", source: { kind: "base64", mediaType: "application/pdf", data: "AQID" }, title: "a.pdf" },
  ],
  [
    "a document of the vendor's",
    { mediaType: "application/pdf", data: { type: "reference", reference: { openai: "file-1" } } },
    { type: "document", source: { kind: "file", id: '{"openai":"file-1"}', mediaType: "application/pdf" } },
  ],
  [
    "a text",
    { mediaType: "text/plain", data: { type: "text", text: "Words." } },
    { type: "document", source: { kind: "text", text: "Words." } },
  ],
] as const)("reads %s", (_, file, block) => {
  expect(decodeFile({ type: "file", ...file })).toEqual(block);
});

it("keeps a sound whole", () => {
  const sound = decodeFile({ type: "file", mediaType: "audio/wav", data: { type: "data", data: "AQID" } });
  expect(sound).toMatchObject({ type: "opaque", kind: "file", native: { value: { data: "AQID" } } });
});
