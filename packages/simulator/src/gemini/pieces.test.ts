import { expect, it } from "vitest";
import { makeWorld } from "../core/make-world.ts";
import { piecesOf } from "./pieces.ts";

const world = makeWorld({ skew: 1 });
const pieces = (body: object) => piecesOf({ ...body }, world);
const content = (...parts: object[]) => ({ contents: [{ role: "user", parts }] });

it("goes from system over tools to contents", () => {
  const body = {
    ...content({ text: "hello" }),
    systemInstruction: { parts: [{ text: "be brief" }] },
    tools: [{ functionDeclarations: [{ name: "f" }] }],
  };
  expect(pieces(body).map(({ text }) => text)).toEqual([
    "be brief",
    "",
    '{"functionDeclarations":[{"name":"f"}]}',
    "\nuser:",
    "hello",
  ]);
});

it("counts media by their kind", () => {
  const part = (mimeType: string) => ({ inlineData: { mimeType, data: "AA==" } });
  const media = pieces(
    content(part("image/png"), part("application/pdf"), part("audio/wav"), part("video/mp4"), part("text/plain")),
  ).slice(1);
  expect(media.map(({ modality, tokens }) => [modality, tokens])).toEqual([
    ["IMAGE", 258],
    ["DOCUMENT", 1_000],
    ["AUDIO", 1_000],
    ["VIDEO", 1_000],
    ["TEXT", 1_000],
  ]);
});

it("reads calls and results with what is in them", () => {
  const call = { functionCall: { id: "i", name: "f", args: { a: 1 } } };
  const response = { id: "i", name: "f", response: { output: "x" }, parts: [{ fileData: { mimeType: "image/png" } }] };
  const read = pieces(content(call, { functionResponse: response }, { executableCode: { code: "1" } })).slice(1);
  expect(read.map(({ text, modality }) => [text, modality])).toEqual([
    ["i", "TEXT"],
    ['f{"a":1}', "TEXT"],
    ["i", "TEXT"],
    ['f{"output":"x"}', "TEXT"],
    ['{"mimeType":"image/png"}', "IMAGE"],
    ['{"executableCode":{"code":"1"}}', "TEXT"],
  ]);
});
