import type { AdminContext } from "./context.ts";
import { cookieIn } from "./cookie.ts";

/** The headers by which a request shows who makes it. */
export interface Shown {
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
}

/** Whether they are an admin's: a cookie that is known, or the admin's own token. Throws `limit.exceeded` after too many wrong tokens. */
export async function isSignedIn(shown: Shown, { signIn }: Pick<AdminContext, "signIn">): Promise<boolean> {
  const cookie = cookieIn(shown.cookie ?? "");
  if (cookie !== undefined && (await signIn.knowsCookie(cookie))) return true;
  const bearer = /^Bearer (.+)$/i.exec(shown.authorization ?? "")?.[1];
  return bearer !== undefined && signIn.isAdminToken(bearer);
}
