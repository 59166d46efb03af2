import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { isLoopback } from "@longhaul/settings";
import { answerDoubt, describeDoubt } from "../connect/answer-doubt.ts";
import { planKey } from "../connect/client-key.ts";
import type { Client } from "../connect/clients.ts";
import { connectedClients } from "../connect/connected.ts";
import {
  type ClientFlags,
  fillText,
  fillValue,
  fillVariables,
  type Placeholders,
  placeholdersOf,
} from "../connect/fill.ts";
import { dropHeader, withHeader } from "../connect/header-lines.ts";
import { settingAt, settingsPath } from "../connect/settings-file.ts";
import { isAnswering, requireAnswering } from "../gateway/address.ts";
import { gatewayConfig } from "../gateway/gateway-config.ts";
import { withRunKey } from "../gateway/run-key.ts";
import { withPlaceholderKey } from "../setup/describe-setup.ts";
import { findClients } from "../setup/detect.ts";
import { ExitWith } from "../terminal/exit-code.ts";
import { invalid } from "../terminal/invalid.ts";
import { isOnPath } from "../terminal/on-path.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { describeRun } from "./run-summary.ts";

/** Starts a client through the gateway without writing any settings, and exits with its exit code. */
export async function runClient(
  client: Client,
  { args, flags }: { readonly args: readonly string[]; readonly flags: ClientFlags },
  terminal: Terminal,
): Promise<void> {
  const { id, name, program } = client;
  if (program === undefined) throw invalid(`${name} must be configured manually; see \`longhaul connect ${id}\``);
  if (!isOnPath(program, terminal)) throw notInstalled(client);
  const startedAtMs = Date.now();
  const { placeholders, created } = await planKey(client, placeholdersOf(flags, terminal), terminal);
  const gateway = await gatewayFor(client, { url: placeholders.url, flags }, terminal);
  let filled: Placeholders = { ...placeholders, url: gateway.url };
  const start = () => startClient(client, { args, filled }, terminal);
  let exitCode: number;
  try {
    const doubt = await answerDoubt(client, flags, terminal);
    if (doubt?.kind === "Warning") terminal.writeError(describeDoubt(doubt));
    filled = await fillable(client, filled, { flags, terminal });
    exitCode = await outlastingSignals(terminal, () =>
      created === undefined ? start() : withRunKey(id, created, { terminal, act: start }),
    );
  } finally {
    await gateway.close();
  }
  const { isOwn } = gateway;
  terminal.writeError(await describeRun({ startedAtMs, isOwn, ...(created && { keyId: created.id }) }, terminal));
  if (exitCode !== 0) throw new ExitWith(exitCode);
}

/** Adds a word for a key, if the client needs one and the gateway pays with its own. The configuration of a gateway at `--url` is unknown. */
async function fillable(
  client: Client,
  given: Placeholders,
  { flags, terminal }: { readonly flags: ClientFlags; readonly terminal: Terminal },
): Promise<Placeholders> {
  const found = findClients(terminal).find((each) => each.client.id === client.id);
  if (found === undefined || flags.url !== undefined) return given;
  return withPlaceholderKey(found, given, await gatewayConfig(terminal));
}

/** Runs a client with the settings that point it at the gateway. Resolves to its exit code. */
async function startClient(
  client: Client,
  { args, filled }: { readonly args: readonly string[]; readonly filled: Placeholders },
  terminal: Terminal,
): Promise<number> {
  const variables = withUserHeaders(
    fillVariables({ ...client.environment, ...client.runEnvironment }, filled),
    terminal,
  );
  const own = (client.args ?? []).flatMap((text) => fillText(text, filled) ?? []);
  const given = args[0] === "--" ? args.slice(1) : args;
  const override = overrideSettings(client, filled, terminal);
  try {
    const environment = { ...terminal.environment, ...variables };
    return await runProgram(client, { args: [...own, ...override.args, ...given], environment }, terminal.folder);
  } finally {
    override.remove();
  }
}

/**
 * Writes a settings file that overrides those of a client that point at another address. A file, because other users can see arguments, and
 * these settings may contain a key.
 */
function overrideSettings({ settingsFlag, files: [file] = [] }: Client, filled: Placeholders, terminal: Terminal) {
  if (settingsFlag === undefined || file === undefined) return NO_OVERRIDE;
  const set = file.settings.flatMap(({ path, value, isHeader }) => {
    const current = settingAt(settingsPath(file, terminal), file, path);
    const filledIn = fillValue(value, filled);
    const next = isHeader
      ? headersFor(current, `${value}`, filledIn)
      : (filledIn ?? (current === undefined ? undefined : ""));
    return next === undefined ? [] : [{ name: path.at(-1) ?? "", current, next, isAddress: value === "{url}" }];
  });
  if (!set.some(({ isAddress, current, next }) => isAddress && current !== undefined && current !== next))
    return NO_OVERRIDE;
  const folder = mkdtempSync(join(tmpdir(), "longhaul-run-"));
  const settings = join(folder, "settings.json");
  const env = Object.fromEntries(set.map(({ name, next }) => [name, next]));
  writeFileSync(settings, JSON.stringify({ env }), { mode: 0o600 });
  return { args: [settingsFlag, settings], remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Keeps the user's headers, but sends no gateway's key to another gateway. */
function headersFor(current: unknown, header: string, filledIn: unknown): string | undefined {
  const own = dropHeader(typeof current === "string" ? current : "", header);
  if (typeof filledIn === "string") return withHeader(own, filledIn);
  return current === undefined ? undefined : own;
}

const NO_OVERRIDE = { args: [], remove: () => {} };

/** Keeps this process running while the client does: the client gets Ctrl-C and the end of the terminal, too, and decides what they mean. */
async function outlastingSignals<Result>(terminal: Terminal, act: () => Promise<Result>): Promise<Result> {
  void terminal.stopped();
  const stopIgnoring = terminal.onReload(() => {});
  try {
    return await act();
  } finally {
    stopIgnoring();
  }
}

/** Adds the user's own headers for Claude Code, one per line. */
function withUserHeaders(variables: Readonly<Record<string, string>>, { environment }: Terminal) {
  const { [HEADERS]: own } = environment;
  const { [HEADERS]: ours } = variables;
  return own && ours ? { ...variables, [HEADERS]: withHeader(own, ours) } : variables;
}

const HEADERS = "ANTHROPIC_CUSTOM_HEADERS";

interface Address {
  readonly url: string;
  readonly flags: ClientFlags;
}

/**
 * Returns the gateway at `--url`, else the one that the client's settings point at, else the configured one. If none is running, one runs as
 * long as the client. It does not replace a gateway on another machine, which has other keys and upstreams.
 */
async function gatewayFor(client: Client, { url, flags }: Address, terminal: Terminal): Promise<UsedGateway> {
  if (flags.url !== undefined) return running(await requireAnswering(url, "--url"));
  const found = connectedClients(terminal).find((each) => each.client.id === client.id);
  const connected = found?.url ?? url;
  if (await isAnswering(connected)) return running(connected);
  if (connected !== url && !isLoopback(new URL(connected).hostname)) throw elsewhere(client, connected);
  const gateway = await (await import("../start/start.ts")).openOwnGateway(terminal);
  terminal.writeError(
    `No gateway is running at ${connected}: this one runs until the client exits, at ${gateway.url}.\n`,
  );
  return { ...gateway, isOwn: true };
}

interface UsedGateway {
  readonly url: string;
  /** Whether it was started for the client. */
  readonly isOwn: boolean;
  readonly close: () => Promise<void>;
}

function running(url: string): UsedGateway {
  return { url, isOwn: false, close: async () => {} };
}

function elsewhere({ id, name }: Client, url: string) {
  const remedy = `use another one with --url, or go back to this machine's with \`longhaul connect ${id} --undo\``;
  return invalid(`${name} is connected to the gateway at ${url}, which does not answer; ${remedy}`);
}

interface Started {
  readonly args: readonly string[];
  readonly environment: Terminal["environment"];
}

function runProgram(client: Client, { args, environment }: Started, folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    // On Windows, programs installed by npm are scripts, which only a shell can start.
    const shell = process.platform === "win32";
    const child = spawn(client.program ?? "", args, { stdio: "inherit", env: environment, cwd: folder, shell });
    child.once("error", (cause) => reject(notInstalled(client, cause)));
    child.once("exit", (code, signal) => resolve(code ?? SIGNAL_BASE + constants.signals[signal ?? "SIGINT"]));
  });
}

function notInstalled({ name, program }: Client, cause?: unknown) {
  return invalid(`cannot start ${program}; install ${name} and make sure that it is on the PATH`, cause);
}

/** Shells add this to the number of the signal that ended a program. */
const SIGNAL_BASE = 128;
