import {
  type Block,
  type Conversation,
  type DocumentBlock,
  type ImageBlock,
  type Message,
  type ResultBlock,
  toolPairs,
} from "@longhaul/conversation";
import { makeImage, makeText } from "@longhaul/conversation/testing";
import { replaceBlocks } from "./normal-form.ts";

/** One documented difference between what a format was given and what it gives back. */
export type Loss = (conversation: Conversation) => Conversation;

/** All of them, one after the other. */
export function chain(...losses: readonly Loss[]): Loss {
  return (conversation) => losses.reduce((left, loss) => loss(left), conversation);
}

/** Only these thoughts are sent back. */
export function thinkingOnlyIf(keeps: (block: Block) => boolean): Loss {
  const isThought = ({ type }: Block) => type === "thinking" || type === "redacted-thinking";
  return (all) => replaceBlocks(all, (block) => (isThought(block) && !keeps(block) ? [] : [block]));
}

/** Another vendor's summary becomes text. */
export const compactionAsText: Loss = (all) =>
  replaceBlocks(all, (block) => {
    if (block.type !== "compaction") return [block];
    return block.text === null ? [] : [makeText(`Summary of the conversation so far:\n\n${block.text}`)];
  });

/** Plain-text documents become words, in results too. */
export const documentsAsText: Loss = (all) =>
  mapMedia(all, (block) => (isTextDocument(block) ? wordsOf(block) : block));

/** What is said about a file is left out. */
export function withoutWords(...names: readonly ("title" | "context")[]): Loss {
  return (all) =>
    mapMedia(all, (block) => {
      if (block.type !== "document" || block.source.kind === "text") return block;
      const { title, context, ...rest } = block;
      return {
        ...rest,
        ...(title !== undefined && !names.includes("title") && { title }),
        ...(context !== undefined && !names.includes("context") && { context }),
      };
    });
}

/** Bytes without a name get one. */
export const filesNamed: Loss = (all) =>
  mapMedia(all, (block) => {
    const isNameless = block.type === "document" && block.source.kind === "base64" && block.title === undefined;
    return isNameless ? { ...block, title: "document.pdf" } : block;
  });

/** Blocks of other formats are left out. */
export function opaqueOnlyOf(wire: string): Loss {
  const isOwn = (block: Block) => block.type !== "opaque" || block.native.wire === wire;
  return (all) =>
    replaceBlocks(all, (block) => {
      if (block.type === "tool-result") return [{ ...block, content: block.content.filter(isOwn) }];
      return isOwn(block) ? [block] : [];
    });
}

/** A failed call is said to have failed in words. */
export function errorsInWords(mark: string): Loss {
  return (all) =>
    replaceBlocks(all, (block) => {
      if (block.type !== "tool-result" || !block.isError) return [block];
      return [{ ...block, isError: false, content: [makeText(mark), ...block.content] }];
    });
}

/** What results show comes after the last result of the round. */
export const attachmentsAfterResults: Loss = (all) => {
  const messages: Message[] = [];
  for (const message of all.messages) {
    const results = message.blocks.filter((block) => block.type === "tool-result");
    const shown = results.flatMap((result): Block[] => {
      const parts = result.content.filter(({ type }) => type !== "text");
      return parts.length === 0 ? [] : [makeText(`[Attached to the result of ${result.callId}]`), ...parts];
    });
    const texts = results.map((result) => ({
      ...result,
      content: result.content.filter(({ type }) => type === "text"),
    }));
    const rest = message.blocks.filter((block) => block.type !== "tool-result");
    const before = messages.at(-1);
    // A second message of results goes before what the first one showed.
    if (results.length > 0 && before?.role === "user" && message.role === "user") {
      const at = before.blocks.findLastIndex(({ type }) => type === "tool-result") + 1;
      messages[messages.length - 1] = {
        ...before,
        blocks: [...before.blocks.slice(0, at), ...texts, ...before.blocks.slice(at), ...shown, ...rest],
      };
    } else messages.push({ ...message, blocks: [...texts, ...shown, ...rest] });
  }
  return { ...all, messages };
};

/** The assistant's words come before its calls, and after its thoughts. */
export const wordsBeforeCalls: Loss = (all) => ({
  ...all,
  messages: all.messages.map((message) => {
    if (message.role !== "assistant") return message;
    const calls = message.blocks.filter(({ type }) => type === "tool-call");
    return { ...message, blocks: [...message.blocks.filter(({ type }) => type !== "tool-call"), ...calls] };
  }),
});

/** System messages become marked user texts. */
export const systemAsMarkedText: Loss = (all) => ({
  ...all,
  messages: all.messages.map((message) => {
    if (message.role !== "system") return message;
    const blocks = message.blocks.map((block) =>
      block.type === "text" ? makeText(`<system-reminder>\n${block.text}\n</system-reminder>`) : block,
    );
    return { role: "user", blocks };
  }),
});

/** Pictures don't say how closely to look. */
export const withoutDetail: Loss = (all) =>
  mapMedia(all, (block) => {
    if (block.type !== "image") return block;
    const { detail: _, ...rest } = block;
    return rest;
  });

/** Pictures always say how closely to look. */
export const detailAlwaysSaid: Loss = (all) =>
  mapMedia(all, (block) => (block.type === "image" ? { ...block, detail: block.detail ?? "auto" } : block));

/** Every result says whose it is. */
export const resultsNamed: Loss = (all) => {
  const names = new Map(toolPairs(all.messages).pairs.map(({ callId, name }) => [callId, name]));
  return replaceBlocks(all, (block) => {
    const name = block.type === "tool-result" ? names.get(block.callId) : undefined;
    return [name === undefined ? block : { ...block, name }];
  });
};

/** No result says whose it is. */
export const resultsNameless: Loss = (all) =>
  replaceBlocks(all, (block) => {
    if (block.type !== "tool-result") return [block];
    const { name: _, ...rest } = block;
    return [rest];
  });

/** What a result says is one text, and what it shows comes after it. */
export const resultWordsFirst: Loss = (all) =>
  replaceBlocks(all, (block) => {
    if (block.type !== "tool-result") return [block];
    const texts = block.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const shown = block.content.filter(({ type }) => type !== "text");
    return [{ ...block, content: [...(texts.length === 0 ? [] : [makeText(texts.join("\n"))]), ...shown] }];
  });

/** Every file says what it is. */
export const filesTyped: Loss = (all) =>
  mapMedia(all, (block) => {
    if (block.source.kind === "base64" || block.source.kind === "text") return block;
    if (block.type === "image") return { ...block, source: { mediaType: "image/jpeg", ...block.source } };
    return { ...block, source: { mediaType: "application/pdf", ...block.source } };
  });

/** Nothing that is not sent itself says what it is. */
export const addressesUntyped: Loss = (all) =>
  mapMedia(all, (block) => {
    if (block.source.kind === "base64" || block.source.kind === "text") return block;
    const { mediaType: _, ...source } = block.source;
    return { ...block, source };
  });

/** Replaces what formats refuse: user blocks and files that only one vendor knows, sealed summaries, addresses. */
export function withoutRefused(refuses: (block: Block) => boolean): Loss {
  return (all) => {
    const stand = (block: Block): Block => {
      if (block.type === "compaction" && block.text === null)
        return { type: "compaction", text: "Sealed.", vendor: "anthropic" };
      if (!refuses(block)) return block;
      return block.type === "image" ? makeImage() : makeText("Something else.");
    };
    const standPart = (part: ResultBlock): ResultBlock => {
      const stood = part.type === "opaque" ? part : stand(part);
      return stood.type === "text" || stood.type === "image" || stood.type === "document" || stood.type === "opaque"
        ? stood
        : part;
    };
    return replaceBlocks(all, (block, { role }) => {
      if (block.type === "tool-result") return [{ ...block, content: block.content.map(standPart) }];
      if (block.type === "opaque" && role === "user") return [makeText("Something else.")];
      return [stand(block)];
    });
  };
}

function mapMedia(all: Conversation, change: (block: ImageBlock | DocumentBlock) => ResultBlock): Conversation {
  const isMedia = (block: Block) => block.type === "image" || block.type === "document";
  return replaceBlocks(all, (block) => {
    if (block.type === "tool-result") {
      return [{ ...block, content: block.content.map((part) => (isMedia(part) ? change(part) : part)) }];
    }
    return [isMedia(block) ? change(block) : block];
  });
}

function isTextDocument(block: Block): block is DocumentBlock {
  return block.type === "document" && block.source.kind === "text";
}

function wordsOf({ source, title, context }: DocumentBlock): ResultBlock {
  const head = [title, context].filter((line) => line !== undefined);
  const text = source.kind === "text" ? source.text : "";
  return makeText([...(head.length === 0 ? [] : [head.join("\n")]), text].join("\n\n"));
}
