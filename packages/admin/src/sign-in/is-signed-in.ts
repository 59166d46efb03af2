import { LonghaulError } from "@longhaul/conversation";
import { isKeyForm, takeGatewayKey } from "../host/gateway-key.ts";
import { CLIENT_KEY, type SignIn } from "./sign-in.ts";

/** The parts of a request that show who makes it. */
export interface Shown {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The network address that it came from. */
  readonly address: string;
}

/**
 * Whether it is an admin's: a cookie that is known, or the admin's own token. Throws `limit.exceeded` after too many wrong tokens, and
 * `auth.missing` for a client's key in any header.
 */
export async function isSignedIn(shown: Shown, signIn: SignIn): Promise<boolean> {
  const { headers, address } = shown;
  const cookie = cookieIn(headers.cookie ?? "");
  if (cookie !== undefined && (await signIn.knowsCookie(cookie))) return true;
  if (isKeyForm(takeGatewayKey(headers).key ?? "")) throw new LonghaulError("auth.missing", CLIENT_KEY);
  const token = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  return token !== undefined && signIn.isAdminToken({ token, address });
}

/** The cookie that a signed-in browser shows. */
export const COOKIE = "longhaul";

/** Its value in a Cookie header. */
export function cookieIn(header: string): string | undefined {
  return header
    .split(";")
    .map((pair) => pair.trim().split("="))
    .find(([name]) => name === COOKIE)?.[1];
}
