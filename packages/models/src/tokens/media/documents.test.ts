import { expect, it } from "vitest";
import { base64Bytes, documentPages } from "./documents.ts";

function makePdf(body: string, padding = 0): { kind: "base64"; mediaType: string; data: string } {
  const bytes = Buffer.concat([Buffer.from(`%PDF-1.4\n${body}\n`), Buffer.alloc(padding)]);
  return { kind: "base64", mediaType: "application/pdf", data: bytes.toString("base64") };
}

it("reads the page count at the root of the page tree", () => {
  const tree =
    "1 0 obj <</Type/Pages/Count 12/Kids[2 0 R]>> 2 0 obj <</Type /Pages /Count 7>> 3 0 obj <</CountX 99 /Co>>";
  expect(documentPages(makePdf(tree, 1024))).toBe(12);
});

it("estimates by size if the page tree is compressed", () => {
  expect(documentPages(makePdf("stream", 100 * 1024))).toBe(3);
  expect(documentPages(makePdf("stream"))).toBe(1);
});

it("estimates by size if the tree claims more pages than the file can hold", () => {
  expect(documentPages(makePdf(`/Count ${"9".repeat(400)}`))).toBe(1);
  expect(documentPages(makePdf("/Count 100000", 50 * 1024))).toBe(2);
});

it("does not search a very large file", () => {
  expect(documentPages(makePdf("/Count 2", 5 * 1024 * 1024))).toBe(129);
});

it("assumes a page count if only a URL is known", () => {
  expect(documentPages({ kind: "url", url: "https://files.example/a.pdf" })).toBe(10);
});

it("returns the number of encoded bytes", () => {
  expect(base64Bytes("AAAA")).toBe(3);
});
