import type { Route } from "./route.ts";
import { SIGN_IN_ROUTES } from "./sign-in-routes.ts";

/** Everything that the admin API does. */
export const ROUTES: readonly Route[] = [...SIGN_IN_ROUTES];
