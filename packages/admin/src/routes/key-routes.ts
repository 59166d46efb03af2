import { isJsonObject, type JsonObject, LonghaulError, parseJsonText } from "@longhaul/conversation/advanced";
import { type ContextOverrides, keyChangeSchema, newKeySchema } from "@longhaul/settings";
import type { StoredKey } from "@longhaul/store";
import { keySchema, keysSchema, newKeyAnswerSchema } from "../api/keys.ts";
import { makeKey, type ShownKey, showKeys } from "../host/gateway-key.ts";
import { type AdminContext, type Route, route } from "./route.ts";

export const KEY_ROUTES: readonly Route[] = [
  route("GET", "/keys", {
    summary: "Lists the gateway's keys with their limits and usage.",
    answer: keysSchema,
    run: async (_, context) => {
      const { store, nowMs } = context;
      return { keys: await showKeys(await store.keys.list(), store, nowMs()) };
    },
  }),
  route("POST", "/keys", {
    summary: "Creates a key and returns it. It is never shown again.",
    body: newKeySchema,
    answer: newKeyAnswerSchema,
    run: async ({ body }, context) => {
      const { key, stored } = makeKey({ ...body, context: asJson(body.context), createdAtMs: context.nowMs() });
      await context.store.keys.create(stored);
      await context.store.changes.poll();
      return { key, created: await shown(stored, context) };
    },
  }),
  route("PATCH", "/keys/:id", {
    summary: "Changes a key's name, models, limits or context settings.",
    body: keyChangeSchema,
    answer: keySchema,
    run: async ({ params: { id = "" }, body: { context: chosen, ...change } }, context) => {
      const changes = { ...change, ...(chosen !== undefined && { context: asJson(chosen) }) };
      await context.store.keys.change(id, changes);
      return changed(id, context);
    },
  }),
  route("DELETE", "/keys/:id", {
    summary: "Revokes a key at once.",
    answer: keySchema,
    run: async ({ params: { id = "" } }, context) => {
      await context.store.keys.revoke(id, context.nowMs());
      return changed(id, context);
    },
  }),
];

/** Returns a changed key once this gateway applies the change. */
async function changed(id: string, context: AdminContext) {
  await context.store.changes.poll();
  const key = (await context.store.keys.list()).find((each) => each.id === id);
  if (key === undefined) throw new LonghaulError("request.not-kept", `key "${id}" not found`);
  return shown(key, context);
}

async function shown(key: StoredKey, { store, nowMs }: AdminContext): Promise<ShownKey> {
  const [only] = await showKeys([key], store, nowMs());
  if (only === undefined) throw new LonghaulError("internal.bug", "a key is not shown");
  return only;
}

/** Removes undefined fields, which cannot be stored. */
function asJson(overrides: ContextOverrides): JsonObject {
  const json: unknown = parseJsonText(JSON.stringify(overrides));
  return isJsonObject(json) ? json : {};
}
