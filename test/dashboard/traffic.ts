import { setTimeout as waitFor } from "node:timers/promises";
import type { EventsAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { ADMIN_TOKEN, type Rig } from "./rig.ts";

/** A body of the Messages API. */
interface Body {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly Message[];
  readonly tools?: readonly object[];
}

interface Message {
  readonly role: string;
  readonly content: string | readonly object[];
}

/** A session that is sent turn by turn. Like real clients, each turn resends the whole conversation. */
export interface Talk {
  readonly session: string;
  /** One of the gateway's examples. */
  readonly example: "bug-hunt" | "outage" | "planning";
  readonly model?: string;
  /** The number of turns to send, spread over the whole conversation. @default all */
  readonly turns?: number;
  /** The gateway's API key. @default any */
  readonly key?: string;
}

/** Settings with small windows, a strategy for each model, and recorded content, so that a few turns show every feature. */
export const BUSY = {
  contents: { keep: "all" },
  models: {
    "claude-sonnet-4-5": { window: 16_000 },
    "claude-haiku-4-5": { window: 16_000 },
    "claude-opus-4-5": { window: 16_000 },
  },
  profiles: {
    opus: { upstream: "simulated", model: "claude-opus-4-5", context: { strategy: "native", summarizer: "cheap" } },
    cheap: { upstream: "simulated", model: "gpt-4o-mini" },
  },
  context: { strategy: "middle-out" },
  routes: [
    { match: "claude-haiku-*", upstream: "simulated", context: { strategy: "lossless" } },
    { match: "claude-opus-*", upstream: "simulated", profile: "opus" },
    { match: "*", upstream: "simulated" },
  ],
};

/** Sessions for three strategies: middle-out, references and a summary. */
export const TALKS: readonly Talk[] = [
  { session: "invoices-one-cent-off", example: "bug-hunt", turns: 6 },
  { session: "checkout-outage", example: "outage", model: "claude-haiku-4-5", turns: 5 },
  { session: "nightly-incident", example: "outage", model: "claude-opus-4-5", turns: 4 },
  { session: "library-plans", example: "planning", turns: 3 },
];

/** Sends sessions through the gateway, one after the other. Resolves when all of their events are stored. */
export async function send(rig: Rig, talks: readonly Talk[]): Promise<void> {
  for (const talk of talks) {
    const body = await bodyOf(rig, talk.example);
    for (const turn of turnsOf(body, talk.turns)) await post(rig, talk, { ...body, messages: marked(turn) });
  }
  // Events are stored shortly after their requests have ended.
  while ((await countRequests(rig)) < (posted.get(rig) ?? 0)) await waitFor(50);
}

const posted = new WeakMap<Rig, number>();

async function countRequests(rig: Rig): Promise<number> {
  const { requests } = await ask<EventsAnswer>(rig, "/events?limit=500");
  return requests.length;
}

/** Sends one request and returns its status. */
export async function post(
  rig: Rig,
  { session, key = "any", model }: Pick<Talk, "session" | "key" | "model">,
  body: Partial<Body>,
): Promise<number> {
  const response = await fetch(`${rig.gateway.url}/v1/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "x-api-key": key,
      "x-session-id": session,
    },
    body: JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 300, ...body, ...(model && { model }) }),
  });
  await response.arrayBuffer();
  posted.set(rig, (posted.get(rig) ?? 0) + 1);
  return response.status;
}

/** Gets a path of the admin API with the admin token. */
export async function ask<T>(rig: Rig, path: string): Promise<T> {
  const response = await fetch(`${rig.gateway.adminUrl}/api${path}`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${await response.text()}`);
  const answer: T = JSON.parse(await response.text());
  return answer;
}

async function bodyOf(rig: Rig, example: string): Promise<Body> {
  const { text } = await ask<{ readonly text: string }>(rig, `/examples/${example}`);
  return JSON.parse(text);
}

/** Adds a cache mark to the last message, like agents do. */
function marked(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (last === undefined) return messages;
  const blocks = typeof last.content === "string" ? [{ type: "text", text: last.content }] : last.content;
  const mark = { ...blocks.at(-1), cache_control: { type: "ephemeral" } };
  return [...messages.slice(0, -1), { ...last, content: [...blocks.slice(0, -1), mark] }];
}

/** Returns the messages of each turn: all messages up to one of the user's. */
function turnsOf({ messages }: Body, count?: number): readonly (readonly Message[])[] {
  const ends = messages.flatMap(({ role }, index) => (role === "user" ? [index + 1] : []));
  const wanted = count ?? ends.length;
  const chosen = Array.from({ length: wanted }, (_, turn) => ends[Math.ceil(((turn + 1) * ends.length) / wanted) - 1]);
  return chosen.map((end) => messages.slice(0, end));
}

/** Returns the effective value of a setting. */
export async function settingAt(rig: Rig, path: string): Promise<unknown> {
  const { settings } = await ask<SettingsAnswer>(rig, "/settings");
  return settings.find((setting) => setting.path === path)?.value;
}
