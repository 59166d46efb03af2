import { createRequire } from "node:module";
import { workerData } from "node:worker_threads";
import { registerStrategy, type Strategy } from "@longhaul/condense/advanced";
import { isJsonObject, LonghaulError } from "@longhaul/conversation";

const require = createRequire(import.meta.url);
const loaded = new Set<string>();

/** Data that every thread of the process starts with. */
export interface ThreadData {
  readonly strategyModules: readonly string[];
}

/** Returns the data for a new thread: the modules of this one. */
export function threadData(): ThreadData {
  return { strategyModules: [...loaded] };
}

/** Loads the strategies of the thread that started this one. */
export function loadStrategiesOfThread(): void {
  const { strategyModules } = isThreadData(workerData) ? workerData : { strategyModules: [] };
  loadStrategyModules(strategyModules);
}

function isThreadData(value: unknown): value is ThreadData {
  return isJsonObject(value) && Array.isArray(value.strategyModules);
}

/**
 * Loads modules, given by absolute path, and registers the strategies that they export; each module is loaded once. Throws
 * `settings.invalid` for a module that cannot be loaded or exports no strategy.
 */
export function loadStrategyModules(files: readonly string[]): void {
  for (const file of files) {
    if (loaded.has(file)) continue;
    const strategies = Object.values(exportsOf(file)).filter(isStrategy);
    if (strategies.length === 0) {
      throw new LonghaulError(
        "settings.invalid",
        `strategyModules: ${file} exports no strategy; export the result of defineStrategy() from @longhaul/condense`,
      );
    }
    for (const strategy of strategies) registerStrategy(strategy);
    loaded.add(file);
  }
}

function exportsOf(file: string): object {
  try {
    const value: unknown = require(file);
    return typeof value === "object" && value !== null ? value : {};
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new LonghaulError("settings.invalid", `strategyModules: ${file} cannot be loaded: ${why}`, { cause });
  }
}

function isStrategy(value: unknown): value is Strategy {
  if (!isJsonObject(value)) return false;
  const { id, name, version, passes, schema, guide = {}, capabilities }: Record<string, unknown> = value;
  const areTexts = [id, name, version].every((text) => typeof text === "string" && text !== "");
  return areTexts && typeof passes === "function" && [schema, guide, capabilities].every(isJsonObject);
}
