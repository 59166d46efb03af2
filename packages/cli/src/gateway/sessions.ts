import { table } from "@longhaul/conversation/advanced";
import { formatCount, formatUsd } from "@longhaul/models/format";
import { BUILT_IN_KIND } from "@longhaul/models/kinds";
import type { SessionQuery, SessionSummary, Store } from "@longhaul/store";
import { type ConfigFlags, configuredStore, readStore } from "../config/config-source.ts";
import { invalid } from "../terminal/invalid.ts";
import type { SESSION_SORT_NAMES } from "../terminal/options.ts";
import { pluralize, printJson, styleOf } from "../terminal/output.ts";
import { formatTable } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { shortId } from "./usage-rows.ts";

export interface SessionsFlags extends ConfigFlags {
  readonly project?: string;
  readonly client?: string;
  readonly model?: string;
  readonly key?: string;
  readonly condensed?: true;
  readonly errors?: true;
  readonly since?: number;
  readonly until?: number;
  readonly sort: (typeof SESSION_SORT_NAMES)[number];
  readonly limit: number;
  readonly json?: true;
}

/** Lists sessions with their titles, the most recently used first unless sorted otherwise. Sub-agents follow their parent. */
export async function listSessions(words: readonly string[], flags: SessionsFlags, terminal: Terminal): Promise<void> {
  const result = await readStore(configuredStore(flags, terminal), (store) => readSessions(store, words, flags));
  const sessions = "read" in result ? result.read : [];
  if (flags.json === true) printJson({ sessions }, terminal);
  else if (sessions.length > 0) terminal.write(describeSessions(sessions, flags, terminal));
  else if ("read" in result) terminal.write(hasFilter(words, flags) ? "No sessions match.\n" : NO_SESSIONS);
  else
    terminal.write(
      `No sessions yet: the database ${result.missing} does not exist. Connect a client and start the gateway with \`longhaul setup\`.\n`,
    );
}

const NO_SESSIONS = "No sessions yet. Connect a client with `longhaul setup`, then use it.\n";

function hasFilter(
  words: readonly string[],
  { project, client, model, key, condensed, errors, since, until }: SessionsFlags,
) {
  const filters = [project, client, model, key, condensed, errors, since, until];
  return words.length > 0 || filters.some((value) => value !== undefined);
}

const MAX_CHILDREN = 500;

async function readSessions(store: Store, words: readonly string[], flags: SessionsFlags): Promise<SessionSummary[]> {
  const query = await queryOf(store, words, flags);
  const main = await store.events.sessions(query);
  // A search finds sub-agents by themselves.
  if (words.length > 0 || main.length === 0) return [...main];
  const parents = main.map(({ session }) => session);
  const children = await store.events.sessions({ limit: MAX_CHILDREN, parents });
  return main.flatMap((parent) => [
    parent,
    ...children.filter((child) => child.parent === parent.session && child.tenant === parent.tenant),
  ]);
}

const SORTS = table({
  last: "lastAtMs",
  started: "firstAtMs",
  cost: "costUsd",
  saved: "savedUsd",
  turns: "requests",
} as const);

async function queryOf(store: Store, words: readonly string[], flags: SessionsFlags): Promise<SessionQuery> {
  const { limit, sort, project, client, model, key, condensed, errors, since, until } = flags;
  return {
    limit,
    sort: SORTS[sort],
    ...(words.length > 0 ? { text: words.join(" ") } : { parent: "" }),
    ...(project !== undefined && { project: await projectOf(store, project) }),
    ...(client !== undefined && { client }),
    ...(model !== undefined && { model }),
    ...(key !== undefined && { keyId: await keyIdOf(store, key) }),
    ...(condensed === true && { isCondensed: true }),
    ...(errors === true && { hasFailed: true }),
    ...(since !== undefined && { sinceMs: since }),
    ...(until !== undefined && { untilMs: until }),
  };
}

/** A project may be given by its folder or by the folder's name. */
async function projectOf({ events }: Store, given: string): Promise<string> {
  const { projects } = await events.sessionValues();
  return projects.find((path) => path === given) ?? projects.find((path) => folderName(path) === given) ?? given;
}

async function keyIdOf({ keys }: Store, given: string): Promise<string> {
  const all = await keys.list();
  const found = all.find(({ id }) => id === given) ?? all.find(({ name }) => name === given);
  if (found === undefined) throw invalid(`there is no API key "${given}"; list them with \`longhaul keys list\``);
  return found.id;
}

const HEAD = ["Session", "Project", "Client", "Turns", "Cost", "Last used"];
const TITLE_CHARS = 28;
const NAME_CHARS = 12;

function describeSessions(sessions: readonly SessionSummary[], { limit }: SessionsFlags, terminal: Terminal): string {
  const titles = sessions.map(({ title }) => cut(title, TITLE_CHARS));
  const isShared = (title: string) => titles.filter((each) => each === cut(title, TITLE_CHARS)).length > 1;
  const rows = sessions.map((row) => [
    nameOf(row, isShared(row.title)),
    cut(folderName(row.project), NAME_CHARS),
    cut(row.client, NAME_CHARS),
    formatCount(row.requests),
    isSimulated(row) ? "simulated" : formatUsd(row.costUsd),
    formatTime(row.lastAtMs),
  ]);
  const main = sessions.filter(({ parent }) => parent === "").length;
  const more = main < limit ? "" : `The first ${pluralize(limit, "session")}; --limit shows more.\n`;
  return `${formatTable([HEAD, ...rows], styleOf(terminal))}${more}`;
}

/** Returns a session's title. Sessions with the same title also show a part of their name. */
function nameOf({ title, session, parent }: SessionSummary, isShared: boolean): string {
  const mark = parent === "" ? "" : "└ ";
  const id = isShared && title !== "" ? ` (${shortId(session)})` : "";
  return `${mark}${cut(title || session, TITLE_CHARS - mark.length - id.length)}${id}`;
}

/** The simulator that answers if nothing is configured costs nothing; one of a configuration file has list prices. */
export function isSimulated({ upstream, costUsd }: SessionSummary): boolean {
  return upstream === BUILT_IN_KIND && costUsd === 0;
}

/** Shortens a text for a column. */
function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars - 1)}…`;
}

function folderName(path: string): string {
  return path.split(/[\\/]+/).findLast((name) => name !== "") ?? "";
}

/** Writes a time of UTC to the minute, without its year, so that a row fits 80 columns. */
function formatTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(5, 16).replace("T", " ");
}
