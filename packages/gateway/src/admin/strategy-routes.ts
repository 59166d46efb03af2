import { STRATEGIES } from "@longhaul/condense";
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
      strategies: STRATEGIES.map(({ schema, passes: _, ...strategy }) => {
        const defaults = schema.parse({});
        return {
          ...strategy,
          schema: { ...findSetting(["context", "strategies", strategy.id])?.schema },
          defaults: isJsonObject(defaults) ? defaults : {},
          docs: `/docs/strategies/${strategy.id}.html`,
        };
      }),
    }),
  }),
];
