import { LonghaulError, table } from "@longhaul/conversation";
import { checkConfig, type LoadedConfig, loadConfig } from "@longhaul/gateway";
import { isContextDisabled } from "@longhaul/settings";
import { storeLocation } from "@longhaul/store";
import { type ConfigFlags, configSource } from "../config/config-source.ts";
import { pluralize, printJson, styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { checkListening, checkMachine, thisMachine } from "./check-machine.ts";
import { checkStore } from "./check-store.ts";
import { checkUpstreams } from "./check-upstreams.ts";
import type { Finding } from "./finding.ts";

/** The flags of `longhaul doctor`. */
export interface DoctorFlags extends ConfigFlags {
  /** Skips the requests to upstreams. */
  readonly offline?: true;
  readonly json?: true;
}

/** Checks the setup and prints each finding with its remedy. Throws if a check failed. */
export async function doctor(flags: DoctorFlags, terminal: Terminal): Promise<void> {
  const findings = [...checkMachine(thisMachine()), ...(await checkSetup(flags, terminal))];
  const bad = findings.filter(({ state }) => state === "bad").length;
  if (flags.json === true) printJson({ findings }, terminal);
  else terminal.write(findings.map((each) => formatFinding(each, terminal)).join(""));
  if (bad > 0) throw new LonghaulError("settings.invalid", `${pluralize(bad, "check")} failed; see above`);
  if (flags.json !== true) terminal.write("All checks passed.\n");
}

/** Stops at an invalid configuration: the other checks depend on it. */
async function checkSetup(flags: DoctorFlags, terminal: Terminal): Promise<Finding[]> {
  const what = "configuration";
  let loaded: LoadedConfig;
  try {
    loaded = loadConfig(configSource(flags, terminal));
    await checkConfig(loaded.config, terminal.environment);
  } catch (error) {
    if (!(error instanceof LonghaulError)) throw error;
    const remedy = "fix the settings named above, then run `longhaul config check`";
    return [{ what, state: "bad", says: error.message, remedy }];
  }
  const { config, file, warnings } = loaded;
  const { findings, hasKeys } = await checkStore(storeLocation(config));
  const { host, port, keys } = config.server;
  return [
    { what, state: "good", says: file ?? "environment variables" },
    ...warnings.map((says): Finding => ({ what, state: "note", says })),
    ...checkContext(config.context.mode, terminal),
    ...findings,
    ...(await checkListening({ host, port, keys, hasKeys })),
    ...(await checkUpstreams(config, { environment: terminal.environment, isOffline: flags.offline === true })),
  ];
}

function checkContext(mode: string, { environment }: Terminal): Finding[] {
  const what = "context";
  if (isContextDisabled(environment)) {
    return [
      { what, state: "note", says: "DISABLE_CONTEXT_COMPRESSION is set: nothing is condensed", remedy: "unset it" },
    ];
  }
  if (mode === "on") return [{ what, state: "good", says: "conversations that outgrow the window are condensed" }];
  return [{ what, state: "note", says: `context.mode is ${mode}: nothing is condensed`, remedy: "set it to on" }];
}

const MARKS: Readonly<Record<Finding["state"], string>> = table({ good: "✓", note: "•", bad: "✗" });

function formatFinding({ what, state, says, remedy }: Finding, terminal: Terminal): string {
  const { good, bad, bold, dim } = styleOf(terminal);
  const paint = state === "good" ? good : state === "bad" ? bad : dim;
  const line = `${paint(MARKS[state])} ${bold(what)}: ${says.replaceAll("\n", "\n    ")}\n`;
  return remedy === undefined ? line : `${line}    → ${remedy}\n`;
}
