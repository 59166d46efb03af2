import { type Gateway, type GatewayOptions, openGateway } from "../gateway.ts";

/** The admin token of test gateways. */
export const ADMIN_TOKEN = "a-long-admin-token";

/** A gateway whose admin API is called with its token. */
export interface AdminGateway {
  readonly gateway: Gateway;
  ask(method: string, path: string, body?: unknown): Promise<AdminAnswer>;
}

interface AdminAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of all shapes
  readonly body: any;
  readonly headers: Headers;
}

/** Opens a gateway; without a configuration it has a simulator that is not running. */
export async function openAdminGateway(file: object = {}, options: GatewayOptions = {}): Promise<AdminGateway> {
  const server = { port: 0, adminToken: ADMIN_TOKEN };
  const gateway = await openGateway({ file: { server, ...file } }, options);
  return { gateway, ask: (method, path, body) => askAdmin(gateway.adminUrl, { method, path, body }) };
}

async function askAdmin(url: string, { method, path, body }: { method: string; path: string; body: unknown }) {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const answer = isJson ? JSON.parse(text) : text;
  return { status: response.status, body: answer, headers: response.headers };
}
