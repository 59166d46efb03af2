import type { LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import { type ResultBlock, type ToolResultBlock, textBlock } from "@longhaul/conversation";
import { decodeFile } from "./decode-file.ts";
import { opaque } from "./opaque.ts";

/** What a tool gave back, as a result's content. */
export function decodeOutput(output: LanguageModelV4ToolResultOutput): Pick<ToolResultBlock, "content" | "isError"> {
  switch (output.type) {
    case "text":
    case "error-text":
      return { content: [textBlock(output.value)], isError: output.type === "error-text" };
    case "json":
    case "error-json":
      return { content: [textBlock(JSON.stringify(output.value))], isError: output.type === "error-json" };
    case "execution-denied":
      return { content: [textBlock(output.reason ?? "")], isError: true };
    case "content":
      return { content: output.value.map(decodeEntry), isError: false };
    default:
      return output satisfies never;
  }
}

type Entry = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>["value"][number];

function decodeEntry(entry: Entry): ResultBlock {
  if (entry.type === "text") return textBlock(entry.text);
  return entry.type === "file" ? decodeFile(entry) : opaque(entry);
}
