import type { AdmitContext } from "./stages/admit.ts";
import type { AttemptContext } from "./stages/attempt.ts";
import type { AuthenticateContext } from "./stages/authenticate.ts";
import type { TranslateContext } from "./stages/translate.ts";

/** What serving a request takes from outside. */
export type ServeContext = AuthenticateContext & AdmitContext & AttemptContext & TranslateContext;
