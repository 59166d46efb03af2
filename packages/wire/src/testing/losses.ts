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

/** One documented difference between the input of a format and its output. */
export type Loss = (conversation: Conversation) => Conversation;

/** Applies losses in order. */
export function chain(...losses: readonly Loss[]): Loss {
  return (conversation) => losses.reduce((left, loss) => loss(left), conversation);
}

/** Other thinking is dropped. */
export function thinkingOnlyIf(keeps: (block: Block) => boolean): Loss {
  const isThought = ({ type }: Block) => type === "thinking" || type === "redacted-thinking";
  return (all) => replaceBlocks(all, (block) => (isThought(block) && !keeps(block) ? [] : [block]));
}

/** Another vendor's compaction becomes text. */
export const compactionAsText: Loss = (all) =>
  replaceBlocks(all, (block) => {
    if (block.type !== "compaction") return [block];
    return block.text === null ? [] : [makeText(`Summary of the conversation so far:\n\n${block.text}`)];
  });

/** Plain-text documents become text, in results too. */
export const documentsAsText: Loss = (all) => mapMedia(all, (block) => (isTextDocument(block) ? textOf(block) : block));

/** Titles or contexts of files are dropped. */
export function withoutFields(...names: readonly ("title" | "context")[]): Loss {
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

/** Files without a name get one. */
export const withFileNames: Loss = (all) =>
  mapMedia(all, (block) => {
    const isNameless = block.type === "document" && block.source.kind === "base64" && block.title === undefined;
    return isNameless ? { ...block, title: "document.pdf" } : block;
  });

/** Opaque blocks of other formats are dropped. */
export function opaqueOnlyOf(wire: string): Loss {
  const isOwn = (block: Block) => block.type !== "opaque" || block.native.wire === wire;
  return (all) =>
    replaceBlocks(all, (block) => {
      if (block.type === "tool-result") return [{ ...block, content: block.content.filter(isOwn) }];
      return isOwn(block) ? [block] : [];
    });
}

/** A failed call is marked in its text. */
export function errorsAsText(mark: string): Loss {
  return (all) =>
    replaceBlocks(all, (block) => {
      if (block.type !== "tool-result" || !block.isError) return [block];
      return [{ ...block, isError: false, content: [makeText(mark), ...block.content] }];
    });
}

/** Attachments of results follow the last result of the round. */
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
    // A second message of results precedes the attachments of the first.
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

/** The assistant's text precedes its calls and follows its thinking. */
export const textBeforeCalls: Loss = (all) => ({
  ...all,
  messages: all.messages.map((message) => {
    if (message.role !== "assistant") return message;
    const calls = message.blocks.filter(({ type }) => type === "tool-call");
    return { ...message, blocks: [...message.blocks.filter(({ type }) => type !== "tool-call"), ...calls] };
  }),
});

/** System messages become tagged user messages. */
export const systemAsTaggedText: Loss = (all) => ({
  ...all,
  messages: all.messages.map((message) => {
    if (message.role !== "system") return message;
    const blocks = message.blocks.map((block) =>
      block.type === "text" ? makeText(`<system-reminder>\n${block.text}\n</system-reminder>`) : block,
    );
    return { role: "user", blocks };
  }),
});

/** Images lose their detail level. */
export const withoutDetail: Loss = (all) =>
  mapMedia(all, (block) => {
    if (block.type !== "image") return block;
    const { detail: _, ...rest } = block;
    return rest;
  });

/** Images always have a detail level. */
export const withDetail: Loss = (all) =>
  mapMedia(all, (block) => (block.type === "image" ? { ...block, detail: block.detail ?? "auto" } : block));

/** Every result has its tool's name. */
export const withResultNames: Loss = (all) => {
  const names = new Map(toolPairs(all.messages).pairs.map(({ callId, name }) => [callId, name]));
  return replaceBlocks(all, (block) => {
    const name = block.type === "tool-result" ? names.get(block.callId) : undefined;
    return [name === undefined ? block : { ...block, name }];
  });
};

/** No result has its tool's name. */
export const withoutResultNames: Loss = (all) =>
  replaceBlocks(all, (block) => {
    if (block.type !== "tool-result") return [block];
    const { name: _, ...rest } = block;
    return [rest];
  });

/** A result's text is joined, and its attachments follow. */
export const resultTextFirst: Loss = (all) =>
  replaceBlocks(all, (block) => {
    if (block.type !== "tool-result") return [block];
    const texts = block.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const shown = block.content.filter(({ type }) => type !== "text");
    return [{ ...block, content: [...(texts.length === 0 ? [] : [makeText(texts.join("\n"))]), ...shown] }];
  });

/** Every URL and file id gets a media type. */
export const withMediaTypes: Loss = (all) =>
  mapMedia(all, (block) => {
    if (block.source.kind === "base64" || block.source.kind === "text") return block;
    if (block.type === "image") return { ...block, source: { mediaType: "image/jpeg", ...block.source } };
    return { ...block, source: { mediaType: "application/pdf", ...block.source } };
  });

/** URLs and file ids lose their media type. */
export const withoutMediaTypes: Loss = (all) =>
  mapMedia(all, (block) => {
    if (block.source.kind === "base64" || block.source.kind === "text") return block;
    const { mediaType: _, ...source } = block.source;
    return { ...block, source };
  });

/** Replaces what formats reject: opaque user blocks, encrypted compactions and unsupported media. */
export function withoutRefused(refuses: (block: Block) => boolean): Loss {
  return (all) => {
    const replace = (block: Block): Block => {
      if (block.type === "compaction" && block.text === null)
        return { type: "compaction", text: "Sealed.", vendor: "anthropic" };
      if (!refuses(block)) return block;
      return block.type === "image" ? makeImage() : makeText("Something else.");
    };
    const replacePart = (part: ResultBlock): ResultBlock => {
      const replaced = part.type === "opaque" ? part : replace(part);
      return replaced.type === "text" ||
        replaced.type === "image" ||
        replaced.type === "document" ||
        replaced.type === "opaque"
        ? replaced
        : part;
    };
    return replaceBlocks(all, (block, { role }) => {
      if (block.type === "tool-result") return [{ ...block, content: block.content.map(replacePart) }];
      if (block.type === "opaque" && role === "user") return [makeText("Something else.")];
      return [replace(block)];
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

function textOf({ source, title, context }: DocumentBlock): ResultBlock {
  const head = [title, context].filter((line) => line !== undefined);
  const text = source.kind === "text" ? source.text : "";
  return makeText([...(head.length === 0 ? [] : [head.join("\n")]), text].join("\n\n"));
}
