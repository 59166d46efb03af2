import { existsSync } from "node:fs";
import { loadConfig } from "@longhaul/gateway";
import { type Config, isUnconfigured } from "@longhaul/settings";
import { type StoredKey, storeLocation } from "@longhaul/store";
import { configSource } from "../config/config-source.ts";
import { sendsGatewayKey } from "../connect/answer-doubt.ts";
import {
  type ClientKey,
  describeDeleted,
  describeReleased,
  planFiles,
  planKey,
  type ReleasedKeys,
  releasedKeys,
  writeWithKeys,
} from "../connect/client-key.ts";
import { describeChange, isChange } from "../connect/describe-change.ts";
import { type Placeholders, placeholdersOf } from "../connect/fill.ts";
import { type FileChange, writeChange } from "../connect/settings-file.ts";
import { isAnswering } from "../gateway/address.ts";
import { gatewayConfig } from "../gateway/gateway-config.ts";
import { start } from "../start/start.ts";
import { invalid } from "../terminal/invalid.ts";
import { DEFAULT_MODEL } from "../terminal/options.ts";
import { styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Autostart, autostartFor, planAutostart, runAll } from "./autostart.ts";
import {
  describeFound,
  describeUpstreams,
  type SetupClient,
  withPlaceholderKey,
  withRoutes,
} from "./describe-setup.ts";
import { type FoundClient, findClients } from "./detect.ts";
import { describeLogs } from "./logs-line.ts";
import { testClients } from "./test-client.ts";
import { undoSetup } from "./undo.ts";

export interface SetupFlags {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly undo?: true;
  readonly autostart?: true;
  /** Model for clients that need one in their settings. */
  readonly model: string;
}

/** Connects the clients on this machine: shows one plan, asks once, writes it, starts the gateway and sends a test request. */
export async function setup(flags: SetupFlags, terminal: Terminal): Promise<void> {
  if (flags.undo === true) return undoSetup(flags, terminal);
  const plan = await planSetup(flags, terminal);
  await showPlan(plan, terminal);
  if (plan.usable.length === 0) terminal.write(plan.clients.length === 0 ? NO_CLIENTS : NO_CREDENTIALS);
  if (plan.usable.length === 0 && plan.autostart === undefined) return;
  if (isDone(plan)) {
    terminal.write(`Nothing is left to do: ${namesOf(plan.usable)} connected, and the gateway is running.\n${GO_BACK}`);
    return;
  }
  if (flags.dryRun === true) {
    terminal.write("Dry run: nothing was written, started or sent.\n");
    return;
  }
  if (await isConfirmed(plan, flags, terminal)) await carryOut(plan, terminal);
  else terminal.write("Nothing was written, started or sent.\n");
}

/** On the first start in a terminal without a configuration file that names upstreams, shows the plan and asks. Returns whether it was carried out. */
export async function offerSetup(terminal: Terminal): Promise<boolean> {
  const { config, file } = loadConfig(configSource({}, terminal));
  const location = storeLocation(config);
  const isConfigured = file !== undefined && !isUnconfigured(config);
  if (isConfigured || !("path" in location) || existsSync(location.path)) return false;
  const plan = await planSetup({ model: DEFAULT_MODEL }, terminal);
  if (plan.usable.length === 0 || plan.changes.length === 0) return false;
  await showPlan(plan, terminal);
  const isAgreed = await terminal.confirm(questionFor(plan));
  if (isAgreed === true) await carryOut(plan, terminal);
  else terminal.write("Nothing was written. Run `longhaul setup` to connect clients later.\n\n");
  return isAgreed === true;
}

async function showPlan(plan: SetupPlan, terminal: Terminal): Promise<void> {
  terminal.write(describePlan(plan, terminal));
  terminal.write(await describeLogs(plan.clients, terminal));
  for (const change of plan.changes) terminal.write(`\n${describeChange(change, terminal)}`);
  terminal.write(describeReleased(plan.released));
  if (plan.usable.length > 0 || plan.autostart !== undefined) terminal.write(`\n${describeSteps(plan, terminal)}`);
  for (const warning of plan.warnings) terminal.writeError(`Warning: ${warning}\n`);
}

/** Lists everything that happens after the question, beside the changed files. */
function describeSteps({ usable, keys, url, isRunning, autostart }: SetupPlan, terminal: Terminal): string {
  const programs = usable.filter(({ isOnPath }) => isOnPath).map(({ client }) => `\`${client.program}\``);
  const replacement = autostart === undefined ? "" : "; the service takes over when it stops";
  const place = autostart === undefined ? "in this terminal" : "as a service that starts at login";
  const steps = [
    ...keys.map(({ name }) => `Create the API key "${name}", because the gateway requires keys.`),
    isRunning ? `The gateway at ${url} is already running${replacement}.` : `Start the gateway at ${url}, ${place}.`,
    ...(autostart === undefined ? [] : [autostart.keysHint]),
    ...(programs.length === 0 ? [] : [`Let ${programs.join(" and ")} send one short test request.`]),
  ];
  return `${[styleOf(terminal).bold("Then"), ...steps.map((step) => `  ${step}`)].join("\n")}\n`;
}

async function carryOut(plan: SetupPlan, terminal: Terminal): Promise<void> {
  const { changes, keys: created, released } = plan;
  await writeWithKeys({ changes, created, released }, terminal, writeChange);
  for (const { path } of changes) terminal.write(`Wrote ${path}.\n`);
  terminal.write(await describeDeleted(released, terminal));
  await startAndTest(plan, terminal);
}

interface SetupPlan {
  readonly clients: readonly SetupClient[];
  /** Those that a model will answer. */
  readonly usable: readonly SetupClient[];
  readonly changes: readonly FileChange[];
  /** New API keys, for clients of a gateway that requires them. */
  readonly keys: readonly StoredKey[];
  readonly released: ReleasedKeys;
  readonly warnings: readonly string[];
  readonly autostart: Autostart | undefined;
  readonly config: Config;
  readonly url: string;
  /** Whether a gateway already answers at the URL. */
  readonly isRunning: boolean;
}

async function planSetup(flags: SetupFlags, terminal: Terminal): Promise<SetupPlan> {
  const config = await gatewayConfig(terminal);
  const placeholders = placeholdersOf({ model: flags.model }, terminal);
  const clients = withRoutes(findClients(terminal), config, flags.model);
  const usable = clients.filter(({ works }) => works);
  const autostart = flags.autostart === true ? requireAutostart(terminal) : undefined;
  const planned = await Promise.all(usable.map((found) => planClient(found, { placeholders, config }, terminal)));
  const changes = [
    ...planned.flatMap((each) => each.changes),
    ...(autostart === undefined ? [] : [planAutostart(autostart)]),
  ].filter(isChange);
  const { url } = placeholders;
  return {
    ...{ clients, usable, changes, autostart, config, url },
    keys: planned.flatMap(({ created }) => created ?? []),
    released: await releasedKeys(changes, terminal),
    warnings: planned.flatMap(({ warning }) => warning ?? []),
    isRunning: await isAnswering(url),
  };
}

async function planClient(
  found: FoundClient,
  given: { readonly placeholders: Placeholders; readonly config: Config },
  terminal: Terminal,
): Promise<PlannedClient> {
  const { client } = found;
  const planned = await planKey(client, given.placeholders, terminal);
  const key = { ...planned, placeholders: withPlaceholderKey(found, planned.placeholders, given.config) };
  return { ...key, changes: planFiles(client, key, terminal) };
}

interface PlannedClient extends ClientKey {
  readonly changes: readonly FileChange[];
}

function requireAutostart(terminal: Terminal): Autostart {
  const autostart = autostartFor(process.platform, terminal);
  if (autostart !== undefined) return autostart;
  throw invalid(
    `--autostart supports systemd (Linux) and launchd (macOS), not ${process.platform}; start the gateway with \`longhaul start\``,
  );
}

function describePlan(plan: SetupPlan, terminal: Terminal): string {
  const style = styleOf(terminal);
  return [
    style.bold("Clients"),
    ...describeFound(plan.clients),
    style.bold("Upstreams"),
    ...describeUpstreams(plan.clients, plan.config),
    "",
  ].join("\n");
}

const NO_CLIENTS = `
No client was found. Longhaul connects Claude Code, Codex, opencode, Gemini CLI and Qwen Code by itself.
Settings of other clients: \`longhaul connect\`
See what Longhaul does: \`longhaul demo --fast\`
`;

const NO_CREDENTIALS = `
No client is connected: without a login or an API key, only the built-in simulator would answer.
Log in to a client (for example: claude /login) or set its API key, then run \`longhaul setup\` again.
See what Longhaul does without one: \`longhaul demo --fast\`
`;

/** Returns whether all clients are connected to a gateway that runs, and none of them can be tested. */
function isDone({ changes, isRunning, usable }: SetupPlan): boolean {
  return changes.length === 0 && isRunning && !usable.some(({ isOnPath }) => isOnPath);
}

function namesOf(clients: readonly FoundClient[]): string {
  const names = clients.map(({ client }) => client.name);
  return names.length === 1 ? `${names[0]} is` : `${names.join(", ")} are`;
}

function questionFor({ changes, isRunning }: SetupPlan): string {
  if (changes.length === 0) return isRunning ? "Test the connected clients?" : "Start the gateway?";
  return isRunning ? "Write these changes?" : "Write these changes and start the gateway?";
}

async function isConfirmed(plan: SetupPlan, { yes }: SetupFlags, terminal: Terminal): Promise<boolean> {
  if (yes === true) return true;
  const answer = await terminal.confirm(questionFor(plan));
  if (answer !== undefined) return answer;
  throw invalid("standard input is not a terminal; use --yes to write without asking, or --dry-run to only look");
}

/** Uses a running gateway; otherwise starts one, as a service with `--autostart` and in this terminal without. */
async function startAndTest(plan: SetupPlan, terminal: Terminal): Promise<void> {
  const fault = plan.autostart && runAll(plan.autostart.enable, terminal);
  const instead = plan.isRunning
    ? "The gateway does not start at login"
    : "The gateway starts in this terminal instead";
  if (fault !== undefined) terminal.writeError(`Warning: ${fault}. ${instead}.\n`);
  const isService = plan.autostart !== undefined && fault === undefined;
  const isRunning = isService ? await answersWithin(plan.url, SERVICE_START_MS) : await isAnswering(plan.url);
  if (isRunning) return finish(plan, terminal, "");
  let stopped = Promise.resolve();
  const isReady = await new Promise<boolean>((resolve, reject) => {
    stopped = start({}, terminal, () => resolve(true));
    stopped.then(() => resolve(false), reject);
  });
  if (isReady) await finish(plan, terminal, " in another terminal");
  await stopped;
}

async function finish(plan: SetupPlan, terminal: Terminal, where: string): Promise<void> {
  const answered = await testClients(plan.usable, terminal);
  const [first] = answered;
  const isTested = plan.usable.some(({ isOnPath }) => isOnPath);
  if (first !== undefined) terminal.write(`Done. Try${where}: ${first.client.program}\n${keyHint(first)}${GO_BACK}`);
  else if (isTested) terminal.write(`The clients are connected, but no model answered; see above.\n${GO_BACK}`);
  else terminal.write(`Done.\n${GO_BACK}`);
}

/** The key of this terminal is not written to the settings of a client that sends its own. */
function keyHint({ client, hasLogin, variables }: FoundClient): string {
  if (hasLogin || variables.length === 0 || sendsGatewayKey(client)) return "";
  return `${client.name} needs ${variables.join(" or ")} in that terminal, too, because you are not logged in to it.\n`;
}

const GO_BACK = "Go back at any time: `longhaul setup --undo`\n";
const SERVICE_START_MS = 20_000;
const POLL_MS = 100;

async function answersWithin(url: string, timeoutMs: number): Promise<boolean> {
  const endMs = Date.now() + timeoutMs;
  while (Date.now() < endMs) {
    if (await isAnswering(url)) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}
