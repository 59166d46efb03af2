import { LonghaulError } from "@longhaul/conversation";
import { findModel } from "@longhaul/models";
import { type RequestDetailAnswer, type RowsPage, requestDetailSchema, requestQuerySchema } from "@longhaul/settings";
import type { RequestEvent } from "@longhaul/store";
import { codecNamed } from "@longhaul/wire";
import { keptBody } from "../preview/kept-body.ts";
import type { AdminContext } from "./context.ts";
import { type Route, route } from "./route.ts";

/** More than one is rare: a request that was refused as too long is condensed again. */
const MAX_CONDENSATIONS = 20;

/** Single requests. */
export const REQUEST_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/requests/:id",
    scope: "admin",
    summary: "Tells all of one request: its figures, how it was made smaller, and both bodies where contents are kept.",
    query: requestQuerySchema,
    answer: requestDetailSchema,
    run: async ({ params: { id = "" }, query: { from, limit, row } }, context) => {
      const { events } = context.store;
      const [request, condensations] = await Promise.all([
        events.request(id),
        events.condensations({ requestId: id, limit: MAX_CONDENSATIONS }),
      ]);
      if (request === undefined) throw new LonghaulError("request.not-kept", `nothing is kept of request "${id}"`);
      const contents = await contentsOf(request, { from, limit, ...(row !== undefined && { row }) }, context);
      return { request, condensations: [...condensations], ...(contents && { contents }) };
    },
  }),
];

async function contentsOf(
  { id, sentAs, model }: RequestEvent,
  page: RowsPage,
  { store, snapshots, previews }: AdminContext,
): Promise<RequestDetailAnswer["contents"]> {
  const kept = await store.contents.find(id);
  if (kept === undefined) return undefined;
  const [{ id: wire }, { id: sentWire }] = [codecNamed(kept.wire), codecNamed(kept.sentWire)];
  const before = { text: await keptBody(kept.before), wire };
  const after = kept.after === undefined ? before : { text: await keptBody(kept.after), wire: sentWire };
  const { tokenizer } = findModel(snapshots.current().catalog, sentAs === "" ? model : sentAs).model;
  const compared = await previews.compare({ kind: "compare", before, after, tokenizer, page });
  return { wire, sentWire, isSame: kept.after === undefined, ...compared };
}
