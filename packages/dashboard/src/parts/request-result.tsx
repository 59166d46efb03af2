import type { RequestEventAnswer } from "@longhaul/settings";

/** How a request ended, and whether it was sent as it came. */
export function RequestResult({ request }: { readonly request: RequestEventAnswer }) {
  const { errorCode, status, origin, strategy } = request;
  if (errorCode !== "") return <span class="badge bad">{errorCode}</span>;
  if (status >= 400) return <span class="badge bad">{status}</span>;
  if (origin === "new") return <span class="badge accent">condensed by {strategy}</span>;
  if (origin === "reused") return <span class="badge">{strategy}, reused</span>;
  return <span class="badge good">as it came</span>;
}
