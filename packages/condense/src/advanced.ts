export * from "./analysis/anatomy.ts";
export * from "./analysis/mark-reason.ts";
export * from "./analysis/recall.ts";
export * from "./budget/budget.ts";
export { describeMisfit, type Misfit, mediaMisfits, tokenMisfits } from "./budget/misfits.ts";
export * from "./condense.ts";
export * from "./condense-in-steps.ts";
export * from "./content/content.ts";
export * from "./content/contents.ts";
export * from "./content/cuts.ts";
export {
  bytesOf as mediaBytes,
  type LocatedMedia,
  type MediaLimits,
  mediaIn,
  mediaLimitsOf,
} from "./content/media.ts";
export { hasComposedText } from "./content/xml-tools.ts";
export { CLEARED } from "./context-editing/clear.ts";
export {
  contextEditingPasses,
  type EditedContext,
  type EditingContext,
  editContext,
  editContextInSteps,
} from "./context-editing/edit-context.ts";
export * from "./contract/options.ts";
export * from "./contract/report.ts";
export { checkWith, type Issue, type StandardSchema } from "./contract/standard-schema.ts";
export {
  type Capabilities,
  defineStrategy,
  type Pass,
  type Prompt,
  parseConfig,
  type Recommendation,
  type Strategy,
  type StrategyDefinition,
  type StrategyFigures,
  type StrategyGuide,
} from "./contract/strategy.ts";
export * from "./contract/view.ts";
export { answerOffline } from "./coverage/digest.ts";
export * from "./coverage/narrow-ask.ts";
export type { Piece } from "./edits/change.ts";
export * from "./edits/draft.ts";
export * from "./edits/edit.ts";
export * from "./engine/run.ts";
export { restoredFactsIn } from "./facts/facts.ts";
export * from "./guides.ts";
export * from "./passes/operations.ts";
export * from "./passes/references.ts";
export * from "./passes/thinking.ts";
export * from "./plan-condensation.ts";
export * from "./references/known-references.ts";
export { openReferenceIndex, type ReferenceIndex } from "./references/reference-index.ts";
export * from "./references/reply.ts";
export * from "./registry.ts";
export * from "./rewrite/apply.ts";
export * from "./rewrite/copied-marks.ts";
export * from "./rewrite/expand-conversation.ts";
export { NOTE_START } from "./rewrite/notes.ts";
export { PIN_MARKER } from "./rewrite/pins.ts";
export * from "./rewrite/projection.ts";
export { type PassConfig, type SmartConfig, smartSchema } from "./smart/config.ts";
export * from "./smart/presets.ts";
export { losslessPasses, losslessSchema } from "./strategies/lossless.ts";
export { askFor, renderAsk, renderMessages, type SummaryRequest } from "./summaries/ask.ts";
export * from "./summaries/prompts.ts";
