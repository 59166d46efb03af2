import type { Content } from "../content/content.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { planOldestFirst } from "../passes/oldest-first.ts";
import type { Operation } from "../passes/operations.ts";
import { CONTENT_TYPES, type IndividualConfig, type Selection } from "./pass-schema.ts";
import { type Candidate, candidateOf, LEVEL_OF, mediaCandidates, selector } from "./select.ts";

/** What an individual pass needs to know. */
interface IndividualPlan {
  readonly selection: Selection;
  readonly individualConfig: IndividualConfig;
  readonly preserveUserMessages: boolean;
}

/** Plans the operations on every selected content by itself, oldest first, until the target is reached. */
export function planIndividual(view: View, plan: IndividualPlan): Edit[] {
  const isSelected = selector(view, plan.selection);
  const overrides = new Map(plan.individualConfig.overrides.map((entry) => [entry.messageIndex, entry.operations]));
  const operationFor = (candidate: Candidate): Operation => {
    if (!isSelected(candidate)) return KEEP;
    const type = typeOf(candidate);
    const own = overrides.get(view.rawIndex(candidate.message))?.[type];
    return own ?? plan.individualConfig.defaults[type];
  };
  const media = mediaCandidates(view).filter((candidate) => operationFor(candidate).operation === "suppress");
  return planOldestFirst(view, {
    operationFor: (content) => (isProtected(content, view, plan) ? KEEP : operationFor(candidateOf(content))),
    dropsMedia: (message, block) => media.some((entry) => entry.message === message && entry.block === block),
  });
}

const KEEP: Operation = { operation: "keep" };

function typeOf({ level }: Candidate): (typeof CONTENT_TYPES)[number] {
  return CONTENT_TYPES.find((type) => LEVEL_OF[type] === level) ?? "messageText";
}

/** Summaries and notes of ours, what the system says, and the user's own words, always the latest ones. */
function isProtected(content: Content, view: View, { preserveUserMessages }: IndividualPlan): boolean {
  const { role, level, at } = content;
  if (role === "system" || view.isMade(at.message)) return true;
  if (level !== "text" || role !== "user") return false;
  return preserveUserMessages || at.message === view.latestUserMessage;
}
