export * from "./add-references.ts";
export * from "./anatomy.ts";
export * from "./answer-asks.ts";
export * from "./apply.ts";
export * from "./ask-text.ts";
export * from "./budget.ts";
export * from "./build-context.ts";
export * from "./check-prompt.ts";
export * from "./choices.ts";
export * from "./condense.ts";
export * from "./condensing.ts";
export * from "./content.ts";
export * from "./contents.ts";
export { CLEARED } from "./context-editing/clear-tool-uses.ts";
export {
  contextEditingPasses,
  type EditedContext,
  type EditingContext,
  editContext,
  editingContext,
} from "./context-editing/edit-context.ts";
export * from "./context-state.ts";
export * from "./cuts.ts";
export * from "./draft.ts";
export * from "./edit.ts";
export * from "./expand-conversation.ts";
export { putBackIn } from "./facts/put-back.ts";
export * from "./marked.ts";
export { bytesOf as mediaBytes, type MediaLimits, mediaIn, mediaLimitsOf, type PlacedMedia } from "./media.ts";
export { describeMisfit, type Misfit, mediaMisfits, tokenMisfits } from "./misfits.ts";
export * from "./narrow-ask.ts";
export * from "./offline.ts";
export * from "./operations.ts";
export { type ReferenceScope, type ReferencesOptions, referencesPass } from "./passes/references.ts";
export * from "./pay.ts";
export * from "./projection.ts";
export * from "./prompts.ts";
export * from "./recall.ts";
export * from "./references/known-markers.ts";
export { openReferenceIndex, type ReferenceIndex } from "./references/reference-index.ts";
export * from "./references/reply.ts";
export * from "./registry.ts";
export * from "./report.ts";
export * from "./run.ts";
export * from "./select-summarizer.ts";
export { type SmartConfig, smartSchema } from "./smart/config.ts";
export type { PassConfig } from "./smart/pass-schema.ts";
export * from "./smart/preset.ts";
export * from "./smart/presets.ts";
export { losslessPasses, losslessSchema } from "./strategies/lossless.ts";
export * from "./strategy.ts";
export { askFor, type SummaryWish } from "./summary-ask.ts";
export * from "./thinking.ts";
export * from "./view.ts";
export { hasComposedText } from "./xml-tools.ts";
