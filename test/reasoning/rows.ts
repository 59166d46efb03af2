import { isJsonObject, type JsonObject } from "@longhaul/conversation";
import { tableRows } from "../docs/read-page.ts";
import type { GatewaySettings, Rig } from "./rig.ts";

/** One row of the page's tables: the request, and what the upstream receives. */
export interface Row {
  readonly client: ClientName;
  readonly upstream: string;
  readonly model: string;
  /** Variables, and settings of profile and route: `REASONING_EFFORT=high; route.effort=low`. */
  readonly settings: string;
  /** Other fields of the request, in JSON. */
  readonly request: string;
  /** The model's name at the upstream; empty where nothing is sent. */
  readonly sentAs: string;
  /** The body without model, conversation and prompt cache, in JSON; for a rejection, its status and message. */
  readonly sent: string;
}

/** The clients, by the names that the page's headings give them. */
type ClientName = "Messages" | "Chat" | "Responses" | "Gemini";

const SECTION = /^### (Messages|Chat|Responses|Gemini) client, ([\w-]+) upstream$/m;

/** The rows of all tables under headings that name a client and an upstream. */
export function rowsIn(page: string): Row[] {
  const [, ...sections] = page.split(/^(?=##)/m);
  return sections.flatMap((section) => {
    const [, client, upstream = ""] = SECTION.exec(section) ?? [];
    if (!isClient(client)) return [];
    return tableRows(section).map((cells) => {
      const [model = "", settings = "", request = "", sentAs = "", sent = ""] = cells.map(unquoted);
      return { client, upstream, model, settings, request, sentAs, sent };
    });
  });
}

function isClient(name: string | undefined): name is ClientName {
  return name !== undefined && Object.hasOwn(CLIENTS, name);
}

function unquoted(cell: string): string {
  return /^`(.*)`$/.exec(cell)?.[1] ?? cell;
}

interface ClientShape {
  readonly path: (model: string) => string;
  readonly body: JsonObject;
}

const CLIENTS: Readonly<Record<ClientName, ClientShape>> = {
  Messages: { path: () => "/v1/messages", body: { max_tokens: 8_000, messages: [{ role: "user", content: "Hi" }] } },
  Chat: { path: () => "/v1/chat/completions", body: { messages: [{ role: "user", content: "Hi" }] } },
  Responses: { path: () => "/v1/responses", body: { input: "Hi" } },
  Gemini: {
    path: (model) => `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    body: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
  },
};

/** The result of a row's request. */
export type Outcome = Pick<Row, "sentAs" | "sent"> & {
  /** Whether the upstream took it. */
  readonly status: number;
};

/** Sends a row's request through a gateway to the simulator. */
export async function sendRow(rig: Rig, row: Row): Promise<Outcome> {
  const { url } = await rig.gateway({ ...settingsOf(row.settings), upstream: row.upstream });
  const { path, body: asked } = CLIENTS[row.client];
  const named = row.client === "Gemini" ? {} : { model: row.model };
  const before = rig.simulator.requests().length;
  const answer = await fetch(`${url}${path(row.model)}`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "client" },
    body: JSON.stringify({ ...named, ...asked, ...JSON.parse(row.request || "{}") }),
  });
  const text = await answer.text();
  const seen = rig.simulator.requests().slice(before).at(-1);
  if (seen === undefined) return { sentAs: "", sent: `${answer.status} ${messageIn(text)}`, status: answer.status };
  const body = isJsonObject(seen.body) ? seen.body : {};
  const sentAs = typeof body.model === "string" ? body.model : modelIn(seen.path);
  const said = Object.entries(body).filter(([name]) => !LEFT_OUT.has(name));
  return { sentAs, sent: JSON.stringify(Object.fromEntries(said)), status: answer.status };
}

/** Fields that the tables leave out: the model's name and the conversation, and what the gateway adds for the vendor's prompt cache. */
const LEFT_OUT = new Set(["model", "messages", "input", "contents", "cache_control", "prompt_cache_key"]);

/** Reads the settings of a row. */
function settingsOf(text: string): GatewaySettings {
  const entries = text.split(";").flatMap((part): [string, string][] => {
    const [name = "", value] = part.trim().split("=");
    return value === undefined ? [] : [[name, value]];
  });
  const under = (prefix: string) =>
    Object.fromEntries(
      entries.flatMap(([name, value]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), settingIn(value)]] : [],
      ),
    );
  const environment = Object.fromEntries(entries.filter(([name]) => name.startsWith("REASONING_")));
  return { environment, profile: under("profile."), route: under("route.") };
}

function settingIn(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return Number.isNaN(Number(text)) ? text : Number(text);
}

function modelIn(path: string): string {
  return decodeURIComponent(/\/models?\/([^/:?]+(?:(?:%3A|:)\d+)?)/i.exec(path)?.[1] ?? "");
}

function messageIn(text: string): string {
  const value: unknown = JSON.parse(text);
  const error = isJsonObject(value) ? value.error : undefined;
  return isJsonObject(error) ? `${error.message}` : text;
}
