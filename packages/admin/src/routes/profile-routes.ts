import { findStrategy, INHERIT_THRESHOLD, MAX_THRESHOLD_PERCENT } from "@longhaul/condense/advanced";
import { LonghaulError } from "@longhaul/conversation";
import { destinationAt, windowOf } from "@longhaul/fit";
import { type Config, mergeContext, type ProfileConfig } from "@longhaul/settings";
import { profilesSchema, type THRESHOLD_SOURCES } from "../api/sections.ts";
import type { AdminSnapshot } from "../host/admin-host.ts";
import { type AdminContext, type Route, route } from "./route.ts";
import { changeRoutes, routesTo, sectionsOf } from "./settings-sections.ts";

export const PROFILE_ROUTES: readonly Route[] = [
  route("GET", "/profiles", {
    summary: "Lists the profiles with their effective thresholds and models.",
    answer: profilesSchema,
    run: async (_, context) => {
      const { config } = context.snapshots.current();
      return {
        profiles: sectionsOf("profiles", context.settings).map((section) => {
          const profile = config.profiles[section.name] ?? {};
          return {
            ...section,
            routes: routesTo("profiles", section.name, config),
            isSummarizer: config.context.summarizer === section.name,
            threshold: thresholdOf(profile, config),
            ...knownModel(profile, context),
          };
        }),
      };
    },
  }),
  ...changeRoutes("profiles"),
];

function knownModel(profile: ProfileConfig, { snapshots, fitting }: AdminContext) {
  const { upstream: id, model: requested } = profile;
  if (id === undefined || requested === undefined) return {};
  try {
    const destination = destinationOf(profile, { id, requested, snapshot: snapshots.current() });
    const learned = fitting.learned
      .windows()
      .filter((window) => window.upstream === id && window.model === destination.model)
      .map(({ windowTokens }) => windowTokens);
    const { model, warning } = destination.match;
    const windowTokens = windowOf(destination, learned.length === 0 ? undefined : Math.min(...learned));
    return {
      model: {
        id: model.id,
        sentAs: destination.model,
        windowTokens,
        maxOutputTokens: Math.min(model.maxOutput, windowTokens),
        ...(model.prices !== undefined && { prices: model.prices }),
        ...(warning !== undefined && { warning }),
      },
    };
  } catch (error) {
    if (error instanceof LonghaulError) return { why: error.message };
    throw error;
  }
}

function destinationOf(profile: ProfileConfig, at: { id: string; requested: string; snapshot: AdminSnapshot }) {
  const { id, requested, snapshot } = at;
  const [handle] = snapshot.handles.get(id) ?? [];
  const wire = handle?.connection.upstream.deployment.wires[0] ?? "openai-chat";
  const context = mergeContext(snapshot.config.context, profile.context);
  return destinationAt(id, { requested, wire, snapshot, isRenamed: true, context, profile });
}

export interface Threshold {
  readonly percent: number;
  readonly from: (typeof THRESHOLD_SOURCES)[number];
}

export function thresholdOf({ context: own }: ProfileConfig, { context }: Pick<Config, "context">): Threshold {
  if (own?.threshold !== undefined && own.threshold !== INHERIT_THRESHOLD) {
    return { percent: own.threshold, from: "profile" };
  }
  if (context.threshold !== undefined) return { percent: context.threshold, from: "global" };
  const { thresholdPercent } = findStrategy(own?.strategy ?? context.strategy);
  if (thresholdPercent !== undefined) return { percent: thresholdPercent, from: "strategy" };
  return { percent: MAX_THRESHOLD_PERCENT, from: "room" };
}
