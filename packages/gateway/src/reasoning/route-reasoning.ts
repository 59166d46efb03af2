import { ownValue } from "@longhaul/conversation";
import { type Config, mergeReasoning, type ReasoningConfig, type RouteConfig } from "@longhaul/settings";

/** What is set about reasoning where a route leads: the global settings, its profile's over them, and its own over those. */
export function routeReasoning(
  route: RouteConfig | undefined,
  { profiles, reasoning }: Pick<Config, "profiles" | "reasoning">,
): ReasoningConfig {
  const profile = route?.profile === undefined ? undefined : ownValue(profiles, route.profile);
  return mergeReasoning(reasoning, profile?.reasoning, route?.reasoning);
}
