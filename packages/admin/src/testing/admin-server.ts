import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { LonghaulError } from "@longhaul/conversation";
import { destinationAt, makeKnownMessages, openFitState, openHandles, sha256, tolerantStore } from "@longhaul/fit";
import { loadCatalog, makeTokenCounters, parseOverrides } from "@longhaul/models/advanced";
import {
  type Config,
  type LayeredSettings,
  layerSettings,
  matchesModel,
  mergeContext,
  parseConfig,
  type SettingLayers,
} from "@longhaul/settings";
import { openStore, storeLocation } from "@longhaul/store";
import type { AdminHost, AdminSnapshot } from "../host/admin-host.ts";
import { openChangeFeed } from "../host/change-feed.ts";
import { LiveSettings } from "../host/live-settings.ts";
import { ALL_ROUTES } from "../http/all-routes.ts";
import { type Admin, openAdmin } from "../open-admin.ts";

export const ADMIN_TOKEN = "a-long-admin-token";

/** The admin API over a host without a model API. Every answer to `ask` is checked against its route's schema. */
export interface AdminServer {
  readonly url: string;
  readonly admin: Admin;
  readonly settings: LiveSettings;
  ask(method: string, path: string, body?: unknown): Promise<AdminAnswer>;
  close(): Promise<void>;
}

interface AdminAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of all shapes
  readonly body: any;
  readonly headers: Headers;
}

export interface AdminServerOptions {
  readonly simulatorUrl?: string;
  readonly dashboardFolder?: string;
  readonly home?: string;
}

/** Opens a server with a configuration as it would be in a file. */
export async function openAdminServer(file: object = {}, options: AdminServerOptions = {}): Promise<AdminServer> {
  const layers = { file: { server: { port: 0, adminToken: ADMIN_TOKEN }, ...file } };
  const { host, close } = await openHost(layers, options);
  const admin = openAdmin(host, options.dashboardFolder);
  const server = createServer((request, response) => {
    if (!admin.answer(request, response, request.url?.split("?")[0] ?? "")) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    admin,
    settings: host.settings,
    ask: (method, path, body) => askAdmin(url, { method, path, body }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await admin.close();
      await close();
    },
  };
}

async function openHost(layers: SettingLayers, options: AdminServerOptions) {
  const nowMs = Date.now;
  const store = await openStore({ ...storeLocation(layerSettings(layers).config), nowMs });
  const apply = ({ config }: LayeredSettings) => {
    snapshot = makeSnapshot(config, options);
  };
  const settings = await LiveSettings.open(layers, { stored: store.settings, nowMs, check: () => {}, apply });
  let snapshot = makeSnapshot(settings.layered.config, options);
  const changes = openChangeFeed(store.changes);
  const counters = makeTokenCounters({ hash: sha256 });
  const fitting = await openFitState({ store: tolerantStore(store), counters, known: makeKnownMessages(), nowMs });
  const snapshots = { current: () => snapshot, enter: () => ({ snapshot, leave: () => {} }) };
  const gate = { inside: 0, isClosing: false };
  const { home } = options;
  const alerts = { failure: () => undefined };
  const shared = { store, settings, changes, snapshots, fitting, gate, nowMs, home, alerts };
  const host: AdminHost = { ...shared, findRoute, resolve };
  const close = async () => {
    changes.close();
    await fitting.close();
    await store.close();
  };
  return { host, close };
}

/** A snapshot of a configuration, whose connections are closed with the process. */
function makeSnapshot(config: Config, { simulatorUrl }: AdminServerOptions = {}): AdminSnapshot {
  const context = { nowMs: () => 0, nowSeconds: () => 0, environment: {}, ...(simulatorUrl && { simulatorUrl }) };
  return {
    config,
    catalog: loadCatalog(parseOverrides(config.models)),
    handles: openHandles(config, context),
    isContextDisabled: false,
    redact: (text) => text.replaceAll("hush-hush-hush", "[redacted]"),
    log: { bug: () => {}, warned: () => {} },
  };
}

export function snapshotOf(file: unknown): AdminSnapshot {
  return makeSnapshot(parseConfig(file, {}));
}

/** Returns the first route that matches. */
const findRoute: AdminHost["findRoute"] = ({ model }, snapshot) => {
  const route = snapshot.config.routes.find(({ match }) => matchesModel(match, model));
  if (route === undefined) throw new LonghaulError("route.unknown", `no route serves the model "${model}"`);
  return { route, name: model };
};

/** Returns the destinations of the first route that matches. */
export const resolve: AdminHost["resolve"] = ({ model, wire, ofRequest }, snapshot) => {
  const { route } = findRoute({ model }, snapshot);
  const context = mergeContext(snapshot.config.context, route.context, ofRequest);
  const at = { requested: route.model ?? model, isRenamed: route.model !== undefined, wire, snapshot, context };
  return [route.upstream].flat().map((id) => destinationAt(id, at));
};

async function askAdmin(url: string, { method, path, body }: { method: string; path: string; body: unknown }) {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const answer = isJson ? JSON.parse(text) : text;
  if (response.ok) checkAnswer({ method, path }, answer);
  return { status: response.status, body: answer, headers: response.headers };
}

function checkAnswer({ method, path }: { method: string; path: string }, answer: unknown): void {
  const [plain = ""] = path.split("?");
  const route = ALL_ROUTES.find((each) => each.method === method && matches(each.path, plain));
  if (route === undefined) throw new Error(`no route is ${method} ${plain}`);
  if (!("contentType" in route.answer)) route.answer.parse(answer);
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`).test(path);
}
