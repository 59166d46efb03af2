import { LonghaulError } from "@longhaul/conversation";
import { redactLookalikes } from "@longhaul/fit";
import { encodeSegment } from "@longhaul/upstream";
import { codecNamed } from "@longhaul/wire";
import { repeatSchema } from "../api/events.ts";
import { unzipBody } from "../previews/preview-thread.ts";
import { type Route, route } from "./route.ts";

export const REPEAT_ROUTES: readonly Route[] = [
  route("GET", "/requests/:id/repeat", {
    summary: "Returns what a client must send to repeat a request, without credentials. Needs recorded content.",
    answer: repeatSchema,
    run: async ({ params: { id = "" } }, { store, snapshots }) => {
      const [request, kept] = await Promise.all([store.events.request(id), store.contents.find(id)]);
      if (request === undefined || kept === undefined)
        throw new LonghaulError("request.not-kept", `the content of request "${id}" is not recorded`);
      const { api } = codecNamed(kept.wire);
      const body = redactLookalikes(snapshots.current().redact(await unzipBody(kept.before)));
      const session = request.session === "" ? {} : { "x-session-id": request.session };
      return {
        path: api.generatePath.replace("{model}", encodeSegment(request.model)),
        headers: { "content-type": "application/json", ...api.headers, ...session },
        body,
      };
    },
  }),
];
