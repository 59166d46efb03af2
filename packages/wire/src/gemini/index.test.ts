import type { Block, Conversation, Reply, ResultBlock } from "@longhaul/conversation";
import { toolPairs } from "@longhaul/conversation";
import { makeText } from "@longhaul/conversation/testing";
import { anyGeminiBody } from "../testing/any-gemini-body.ts";
import { describeCodec } from "../testing/describe-codec.ts";
import {
  compactionAsText,
  documentsAsText,
  inTurn,
  opaqueOnlyOf,
  systemAsMarkedText,
  thinkingOnlyIf,
  withoutDetail,
  withoutRefused,
  withoutWords,
} from "../testing/losses.ts";
import { replaceBlocks } from "../testing/normal-form.ts";
import { gemini } from "./index.ts";

describeCodec(gemini, {
  anyBody: anyGeminiBody,
  target: { model: "gemini-3.5-flash", maxOutputTokens: 65_536 },
  line: { model: "gemini-3.5-flash", stream: false },
  vendor: "google",
  prepare: withoutRefused(() => false),
  survives: inTurn(
    thinkingOnlyIf(() => false),
    compactionAsText,
    documentsAsText,
    withoutWords("title", "context"),
    withoutDetail,
    opaqueOnlyOf("gemini"),
    systemAsMarkedText,
    resultsNamed,
    (all) => replaceBlocks(all, (block) => [typed(block.type === "tool-result" ? wordsFirst(block) : block)]),
  ),
  replySurvives: cacheWritesAsInput,
  brokenReply: { candidates: [{ content: { parts: [{ functionCall: {} }] }, finishReason: "STOP" }] },
});

/** Every result says whose it is. */
function resultsNamed(all: Conversation): Conversation {
  const names = new Map(toolPairs(all.messages).pairs.map(({ callId, name }) => [callId, name]));
  return replaceBlocks(all, (block) => {
    const name = block.type === "tool-result" ? names.get(block.callId) : undefined;
    return [name === undefined ? block : { ...block, name }];
  });
}

/** What a result says is one text, and what it shows comes after it. */
function wordsFirst(block: Extract<Block, { type: "tool-result" }>): Block {
  const texts = block.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const rest = block.content.filter(({ type }) => type !== "text").map(typedPart);
  return { ...block, content: [...(texts.length === 0 ? [] : [makeText(texts.join("\n"))]), ...rest] };
}

/** Every file says what it is. */
function typed(block: Block): Block {
  return block.type === "image" || block.type === "document" ? typedPart(block) : block;
}

function typedPart(part: ResultBlock): ResultBlock {
  if (part.type === "image" && part.source.kind !== "base64") {
    return { ...part, source: { mediaType: "image/jpeg", ...part.source } };
  }
  if (part.type !== "document" || part.source.kind === "base64" || part.source.kind === "text") return part;
  return { ...part, source: { mediaType: "application/pdf", ...part.source } };
}

/** The format does not tell what was written to the cache. */
function cacheWritesAsInput(reply: Reply): Reply {
  const { inputTokens, cacheWriteTokens } = reply.usage;
  return { ...reply, usage: { ...reply.usage, inputTokens: inputTokens + cacheWriteTokens, cacheWriteTokens: 0 } };
}
