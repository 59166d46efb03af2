import { LonghaulError, table } from "@longhaul/conversation/advanced";
import { checkConfig, type LoadedConfig, loadConfig, requiresKeys } from "@longhaul/gateway";
import { isContextDisabled } from "@longhaul/settings";
import { storeLocation } from "@longhaul/store";
import { type ConfigFlags, configSource } from "../config/config-source.ts";
import { NO_FILE } from "../config/describe-config.ts";
import { invalid } from "../terminal/invalid.ts";
import { pluralize, printJson, styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { checkClients } from "./check-clients.ts";
import { checkGateway } from "./check-gateway.ts";
import { checkAccess, checkMachine, checkPort, thisMachine } from "./check-machine.ts";
import { checkStore } from "./check-store.ts";
import { checkUpstreams } from "./check-upstreams.ts";
import { bad, type Finding, good, note } from "./finding.ts";

export interface DoctorFlags extends ConfigFlags {
  readonly offline?: true;
  readonly json?: true;
}

/** Checks the setup and prints each finding with its remedy. Throws if a check failed. */
export async function doctor(flags: DoctorFlags, terminal: Terminal): Promise<void> {
  const setup = await checkSetup(flags, terminal);
  const findings = [...checkMachine(thisMachine()), ...setup.findings];
  const failed = findings.filter(({ state }) => state === "bad").length;
  if (flags.json === true) printJson({ findings }, terminal);
  else terminal.write(findings.map((each) => formatFinding(each, terminal)).join(""));
  if (failed > 0) throw invalid(`${pluralize(failed, "check")} failed; see above`);
  if (flags.json !== true) terminal.write(setup.isRunning ? "All checks passed.\n" : NOT_RUNNING);
}

const NOT_RUNNING = "No check failed, but no gateway is running. Start it with `longhaul start`.\n";

interface SetupCheck {
  readonly findings: readonly Finding[];
  readonly isRunning: boolean;
}

/** Stops at an invalid configuration: the other checks depend on it. */
async function checkSetup(flags: DoctorFlags, terminal: Terminal): Promise<SetupCheck> {
  const what = "configuration";
  let loaded: LoadedConfig;
  try {
    loaded = loadConfig(configSource(flags, terminal));
    await checkConfig(loaded.config, terminal.environment);
  } catch (error) {
    if (!(error instanceof LonghaulError)) throw error;
    const finding = bad(what, error.message, "fix the configuration, then run `longhaul config check`");
    return { findings: [finding], isRunning: false };
  }
  const { config, file, warnings } = loaded;
  const location = storeLocation(config);
  const { findings, rejections, keys: all } = await checkStore(location);
  const isOffline = flags.offline === true;
  const gateway = findings.some(({ state }) => state === "bad")
    ? undefined
    : await checkGateway(config, location, isOffline);
  const { host, port, keys } = config.server;
  const local = async () => [
    checkContext(config.context.mode, terminal),
    ...(await checkUpstreams(loaded, { environment: terminal.environment, isOffline })),
  ];
  return {
    findings: [
      good(what, file ?? NO_FILE),
      ...warnings.map((warning) => note(what, warning)),
      ...findings,
      ...(gateway === undefined ? [await checkPort({ host, port })] : gateway.findings),
      await checkAccess({ host, keys, all }),
      ...(gateway?.isAsked === true ? [] : await local()),
      ...rejections,
      ...(await checkClients(
        (await requiresKeys(config.server, { hasKeys: async () => all.length > 0 })) ? all : undefined,
        terminal,
      )),
    ],
    isRunning: gateway !== undefined,
  };
}

function checkContext(mode: string, { environment }: Terminal): Finding {
  const what = "context";
  if (isContextDisabled(environment))
    return note(what, "DISABLE_CONTEXT_COMPRESSION is set: nothing is condensed", "unset it");
  if (mode === "on") return good(what, "conversations that outgrow the window are condensed");
  return note(what, `context.mode is ${mode}: nothing is condensed`, "set it to on");
}

const MARKS: Readonly<Record<Finding["state"], string>> = table({ good: "✓", note: "•", bad: "✗" });

function formatFinding({ what, state, message, remedy }: Finding, terminal: Terminal): string {
  const style = styleOf(terminal);
  const paint = state === "note" ? style.dim : style[state];
  const line = `${paint(MARKS[state])} ${style.bold(what)}: ${message.replaceAll("\n", "\n    ")}\n`;
  return remedy === undefined ? line : `${line}    → ${remedy}\n`;
}
