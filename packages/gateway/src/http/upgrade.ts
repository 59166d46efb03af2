import { LonghaulError } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import { type Endpoint, findEndpoint } from "./endpoints.ts";

/** Whether a request asks for a WebSocket. Any other upgrade (Java's clients ask for HTTP/2) is an offer that may be left alone. */
export function asksForWebSocket(headers: { readonly upgrade?: string | undefined }): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/** The endpoint that could be asked for over a WebSocket elsewhere. */
export function findSocketEndpoint(path: string): Endpoint | undefined {
  const endpoint = findEndpoint("POST", path);
  if (endpoint?.action !== "generate") return undefined;
  return codecOf(endpoint.wire).api.hasSocket ? endpoint : undefined;
}

/** Codex asks for a WebSocket first. On 426 it falls back to HTTP at once; on 404 it asks six more times. */
export function noWebSocket(): LonghaulError {
  return new LonghaulError("request.unsupported", "there is no WebSocket here; send the same request as a POST", {
    status: 426,
  });
}
