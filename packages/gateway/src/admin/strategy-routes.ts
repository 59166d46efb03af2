import { STRATEGIES, type StrategyGuide } from "@longhaul/condense";
import { isJsonObject } from "@longhaul/conversation";
import { findSetting, strategiesSchema } from "@longhaul/settings";
import { type Route, route } from "./route.ts";

/** The ways to make a conversation smaller. */
export const STRATEGY_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/strategies",
    scope: "admin",
    summary: "Lists the strategies with what they do and what their settings may be.",
    answer: strategiesSchema,
    run: async () => ({
      strategies: STRATEGIES.map(({ schema, guide, passes: _, ...strategy }) => {
        const defaults = schema.parse({});
        return {
          ...strategy,
          ...shownOf(guide),
          schema: { ...findSetting(["context", "strategies", strategy.id])?.schema },
          defaults: isJsonObject(defaults) ? defaults : {},
          docs: `/docs/strategies/${strategy.id}.html`,
        };
      }),
    }),
  }),
];

/** What the page about strategies shows; prompts have a page of their own. */
function shownOf({ prompts: _, recommendation: __, firstSettings, ...guide }: StrategyGuide) {
  return { ...guide, ...(firstSettings && { firstSettings: [...firstSettings] }) };
}
