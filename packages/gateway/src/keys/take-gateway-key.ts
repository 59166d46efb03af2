import type { Call } from "../call.ts";
import { isKeyForm } from "./make-key.ts";

/** A client's headers, apart from the gateway's own key. */
export interface Taken {
  /** Absent where the client showed none. */
  readonly key?: string;
  /** What is left, which may hold the client's own credential for an upstream. */
  readonly headers: Call["headers"];
}

/** Where a client can show a gateway key and keep the usual header for a vendor's. */
const OWN_HEADER = "x-longhaul-key";
const KEY_HEADERS = [OWN_HEADER, "authorization", "x-api-key", "x-goog-api-key"] as const;

/** Takes the gateway's key out of a client's headers, wherever it stands: it is nobody else's business. */
export function takeGatewayKey(headers: Call["headers"]): Taken {
  const shown = KEY_HEADERS.filter((name) => headers[name] !== undefined);
  const found = shown.flatMap((name) =>
    tokensIn(headers[name] ?? "")
      .filter(isKeyForm)
      .map((key) => ({ name, key })),
  );
  const own = headers[OWN_HEADER];
  if (own === undefined && found.length === 0) return { headers };
  const taken = new Set<string>([OWN_HEADER, ...found.map(({ name }) => name)]);
  const left = Object.entries(headers).filter(([name]) => !taken.has(name));
  return { key: own?.trim() ?? found[0]?.key ?? "", headers: Object.fromEntries(left) };
}

/** A scheme stands before a bearer token, and a comma between two headers of one name. */
function tokensIn(text: string): string[] {
  return text.split(/[\s,]+/);
}
