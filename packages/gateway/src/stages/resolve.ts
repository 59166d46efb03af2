import { LonghaulError, type WireId } from "@longhaul/conversation";
import { matchesModel, mergeContext, type RouteConfig } from "@longhaul/settings";
import type { Snapshot } from "../snapshot.ts";
import type { Target } from "../target.ts";
import { targetAt } from "../target-at.ts";

/** What a client asks for. */
export interface Wish {
  readonly model: string;
  readonly wire: WireId;
}

/** The targets for a model, in the order in which they are tried. No route, or none that leads anywhere, throws `route.unknown`. */
export function resolve(wish: Wish, snapshot: Snapshot): readonly Target[] {
  const known = knownTargets.get(snapshot) ?? new Map<string, readonly Target[]>();
  knownTargets.set(snapshot, known);
  const key = `${wish.wire} ${wish.model}`;
  const targets = known.get(key) ?? findTargets(wish, snapshot);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, targets);
  return targets;
}

/** What a snapshot says of a name never changes, and a few names make up nearly all requests. */
const knownTargets = new WeakMap<Snapshot, Map<string, readonly Target[]>>();
const MAX_KNOWN = 1_000;

function findTargets({ model, wire }: Wish, snapshot: Snapshot): Target[] {
  const route = snapshot.config.routes.find(({ match }) => matchesModel(match, model));
  if (route === undefined) throw unknownRoute(model, snapshot.config.routes);
  const profile = route.profile === undefined ? undefined : snapshot.config.profiles[route.profile];
  const set = mergeContext(mergeContext(snapshot.config.context, profile?.context), route.context);
  const context = snapshot.isContextDisabled ? { ...set, mode: "off" as const } : set;
  const wish = { wished: route.model ?? model, wire, snapshot, isRenamed: route.model !== undefined, context };
  return [route.upstream].flat().map((id) => targetAt(id, wish));
}

function unknownRoute(model: string, routes: readonly RouteConfig[]): LonghaulError {
  const known = routes.map(({ match }) => match).join(", ") || "none";
  return new LonghaulError(
    "route.unknown",
    `no route serves the model "${model}" (routes: ${known}); add one under routes in the configuration`,
  );
}
