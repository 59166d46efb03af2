import { LonghaulError } from "@longhaul/conversation";
import { isKeyForm, takeGatewayKey } from "../host/gateway-key.ts";
import { CLIENT_KEY, type SignIn } from "./sign-in.ts";

/** The parts of a request that identify its sender. */
export interface RequestIdentity {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The peer's network address. */
  readonly address: string;
}

/**
 * Returns whether a request carries a valid cookie or the admin token. Throws `limit.exceeded` after too many wrong tokens, and `auth.missing`
 * for a gateway key in any header.
 */
export async function isSignedIn(shown: RequestIdentity, signIn: SignIn): Promise<boolean> {
  const { headers, address } = shown;
  const cookie = cookieIn(headers.cookie ?? "");
  if (cookie !== undefined && (await signIn.knowsCookie(cookie))) return true;
  if (isKeyForm(takeGatewayKey(headers).key ?? "")) throw new LonghaulError("auth.missing", CLIENT_KEY);
  const token = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  return token !== undefined && signIn.isAdminToken({ token, address });
}

/** The name of the sign-in cookie. */
export const COOKIE = "longhaul";

/** Returns the sign-in cookie's value in a Cookie header. */
export function cookieIn(header: string): string | undefined {
  return header
    .split(";")
    .map((pair) => pair.trim().split("="))
    .find(([name]) => name === COOKIE)?.[1];
}
