import type { Draft } from "./draft.ts";

/** Where requests go, and as which model where that is another. */
export interface Target {
  readonly upstream: string;
  readonly model?: string;
}

/** Adds a route to these targets, in their order. A route names each upstream once; what is left out is told, with where it stood. */
export function addTargets(match: string, targets: readonly Target[], { draft, place }: TargetsContext): void {
  const once = targets.filter(
    (target, index) => targets.findIndex((each) => each.upstream === target.upstream) === index,
  );
  const left = targets.filter(({ upstream, model }) =>
    once.some((each) => each.upstream === upstream && each.model !== model),
  );
  for (const { model = "*", upstream } of left)
    draft.note(`${place}: "${model}" is left out, because ${upstream} serves it already with another model`);
  const [first] = once;
  if (first === undefined) return;
  const named = once.flatMap(({ upstream, model }) => (model === undefined ? [] : [[upstream, model] as const]));
  if (once.length === 1)
    draft.addRoute({ match, upstream: first.upstream, ...(first.model !== undefined && { model: first.model }) });
  else draft.addRoute({ match, upstream: once.map(({ upstream }) => upstream), models: Object.fromEntries(named) });
}

interface TargetsContext {
  readonly draft: Draft;
  /** Where the targets stand in the file. */
  readonly place: string;
}
