import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mintAdminToken } from "@longhaul/admin";
import { isJsonObject, type JsonObject, tryParseJson } from "@longhaul/conversation/advanced";
import { isInMemory, type SignIns, type StoreLocation } from "@longhaul/store";
import { isLonghaul } from "./address.ts";

/** The addresses of a gateway that is running. */
export interface RunningGateway {
  readonly url: string;
  readonly adminUrl: string;
  /** The process that a signal ends it in; absent in records of earlier versions. */
  readonly processId?: number;
}

/** Beside the database, so that other commands find the gateway that uses it, whatever its port. */
function recordPath(location: StoreLocation): string | undefined {
  return "path" in location && !isInMemory(location) ? `${location.path}.gateway` : undefined;
}

/** Records where a gateway listens. Returns a function that removes the record. A folder without write permission gets none. */
export function recordRunning(location: StoreLocation, { url, adminUrl, processId }: RunningGateway): () => void {
  const path = recordPath(location);
  if (path === undefined) return () => {};
  const text = JSON.stringify({ url, adminUrl, processId });
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => {
    // Another gateway may have replaced it.
    if (readText(path) === text) rmSync(path, { force: true });
  };
}

/** Returns the gateway that was recorded last for a store, if it answers. */
export async function findRunning(location: StoreLocation): Promise<RunningGateway | undefined> {
  const recorded = tryParseJson(readText(recordPath(location) ?? "") ?? "");
  if (!isJsonObject(recorded)) return undefined;
  const { url, adminUrl, processId } = recorded;
  if (typeof url !== "string" || typeof adminUrl !== "string") return undefined;
  if (!(await isLonghaul(adminUrl))) return undefined;
  return { url, adminUrl, ...(typeof processId === "number" && { processId }) };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Calls the admin API of a running gateway. */
export interface AdminSession {
  call(method: "GET" | "POST", path: string, body?: JsonObject): Promise<unknown>;
  signOut(): Promise<void>;
}

/** Signs in to the gateway at a URL. Returns `undefined` if it rejects the token, because it runs on another store. */
export async function signInTo(url: string, signIns: SignIns): Promise<AdminSession | undefined> {
  const sender = (cookie: string) => (method: string, path: string, body?: JsonObject) =>
    fetch(`${url}/api${path}`, {
      method,
      headers: { "content-type": "application/json", "x-longhaul-admin": "1", cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const answer = await sender("")("POST", "/sign-in", { token: await mintAdminToken(signIns, Date.now()) });
  if (answer.status === 401) return undefined;
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  const send = sender(cookie);
  return {
    call: async (method, path, body) => (await send(method, path, body)).json(),
    signOut: async () => void (await send("POST", "/sign-out")),
  };
}
