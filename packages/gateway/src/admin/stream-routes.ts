import type { News } from "../news.ts";
import { type Route, route } from "./route.ts";

/** A browser that hears nothing for a minute may think that nobody is there, and proxies close what is silent. */
const PING_MS = 20_000;

/** Pieces of news that a slow reader may lag behind. */
const MAX_WAITING = 64;

/** How the dashboard learns of what is new. */
export const STREAM_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/stream",
    scope: "admin",
    summary: 'Tells of news as they happen, as server-sent events such as `{"kind":"request"}`.',
    answer: { contentType: "text/event-stream" },
    run: async ({ signal }, { news }) => {
      const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
      return new Response(streamOf(news, signal), { headers });
    },
  }),
];

function streamOf(news: News, signal: AbortSignal): ReadableStream<Uint8Array> {
  let stop = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const send = (text: string) => {
          // Who lags behind that far looks at everything again anyway.
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(Buffer.from(text));
        };
        send(": here\n\n");
        const stopListening = news.listen((kind) => send(`data: ${JSON.stringify({ kind })}\n\n`));
        const timer = setInterval(() => send(": ping\n\n"), PING_MS);
        stop = () => {
          clearInterval(timer);
          stopListening();
        };
        signal.addEventListener("abort", stop, { once: true });
      },
      cancel: () => stop(),
    },
    { highWaterMark: MAX_WAITING },
  );
}
