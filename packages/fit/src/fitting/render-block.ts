import { type Report, tokenMisfits } from "@longhaul/condense";
import type { CompactionBlock, Conversation } from "@longhaul/conversation";
import { projectionOfBlock } from "../compaction/projection-of-block.ts";
import { type Rendering, renderedTokens } from "../history/parts.ts";
import { messageSpeller } from "../history/write-slots.ts";
import type { Condensed } from "../work/work.ts";
import type { FitRequest, Form } from "./fit-request.ts";

const NOTHING: Conversation = { system: [], tools: [], messages: [] };

/** A vendor's summary in place of the first messages of a conversation. It is written without looking at any of them. */
export async function renderBlock(
  fitRequest: FitRequest,
  form: Form,
  { block, messages, costUsd }: Compacted,
): Promise<Condensed> {
  const { history, prompt, ratio, state } = fitRequest;
  const projection = projectionOfBlock(block, messages);
  const message = { role: "assistant", blocks: [block] } as const;
  const json = messageSpeller(NOTHING, prompt)(message);
  const counter = await state.counters.counterFor(prompt.tokenizer, ratio);
  const rendering: Rendering = {
    messages,
    parts: [{ kind: "written", json, tokens: counter.countMessage(message) }],
    prints: history.messages.slice(0, messages).map(({ fingerprint }) => fingerprint),
    ratio,
  };
  const tokensAfter = renderedTokens(rendering, history, ratio);
  return {
    projection,
    rendering,
    misfits: tokenMisfits(tokensAfter, fitRequest.limits),
    report: compactionReport({ tokensBefore: form.tokens, tokensAfter, costUsd }),
  };
}

/** A vendor's summary, how many messages it stands for, and what it cost apart from the request that brought it. */
export interface Compacted {
  readonly block: CompactionBlock;
  readonly messages: number;
  readonly costUsd: number;
}

/** What is reported of a compaction that a vendor made. */
export function compactionReport(figures: Pick<Report, "tokensBefore" | "tokensAfter" | "costUsd">): Report {
  const name = { strategy: "compaction", strategyName: "Compaction on the server" };
  return { ...name, ...figures, passes: [], savedUsd: 0, milliseconds: 0, fallbacks: [], warnings: [] };
}
