import { LonghaulError } from "@longhaul/conversation";
import { isKeyForm } from "../keys/make-key.ts";
import { takeGatewayKey } from "../keys/take-gateway-key.ts";
import type { AdminContext } from "./context.ts";
import { cookieIn } from "./cookie.ts";
import { CLIENT_KEY } from "./sign-in.ts";

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
export async function isSignedIn(shown: Shown, { signIn }: Pick<AdminContext, "signIn">): Promise<boolean> {
  const { headers, address } = shown;
  const cookie = cookieIn(headers.cookie ?? "");
  if (cookie !== undefined && (await signIn.knowsCookie(cookie))) return true;
  if (isKeyForm(takeGatewayKey(headers).key ?? "")) throw new LonghaulError("auth.missing", CLIENT_KEY);
  const token = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  return token !== undefined && signIn.isAdminToken({ token, address });
}
