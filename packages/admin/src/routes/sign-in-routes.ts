import { signedInSchema, signInBodySchema } from "../api/status.ts";
import { COOKIE, COOKIE_LIFETIME_MS, cookieIn } from "../host/sign-in.ts";
import { type Route, route } from "./route.ts";

export const SIGN_IN_ROUTES: readonly Route[] = [
  route("POST", "/sign-in", {
    scope: "open",
    summary: "Exchanges a one-time token or the admin token for a cookie.",
    body: signInBodySchema,
    answer: signedInSchema,
    run: async ({ body, request, address }, { signIn }) => {
      const cookie = await signIn.exchange({ token: body.token, address });
      const seconds = COOKIE_LIFETIME_MS / 1_000;
      return Response.json({ signedIn: true }, { headers: { "set-cookie": setCookie(request, cookie, seconds) } });
    },
  }),
  route("POST", "/sign-out", {
    summary: "Invalidates the request's cookie.",
    answer: signedInSchema,
    run: async ({ request }, { signIn }) => {
      const cookie = cookieIn(request.headers.get("cookie") ?? "");
      if (cookie !== undefined) await signIn.signOut(cookie);
      return Response.json({ signedIn: false }, { headers: { "set-cookie": setCookie(request, "", 0) } });
    },
  }),
];

/** Adds `Secure` behind an HTTPS proxy; plain HTTP is only for loopback. */
function setCookie(request: Request, value: string, seconds: number): string {
  const isSecure = request.headers.get("x-forwarded-proto") === "https";
  return `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
}
