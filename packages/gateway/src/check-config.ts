import type { Config } from "@longhaul/settings";
import { openSnapshot } from "./snapshot.ts";

/** Throws what starting with this configuration would throw. Nothing is sent anywhere. */
export async function checkConfig(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await openSnapshot(config, { environment, nowMs: () => 0, nowSeconds: () => 0 }).close();
}
