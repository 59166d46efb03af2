import type { AdmitContext } from "./stages/admit.ts";
import type { AuthenticateContext } from "./stages/authenticate.ts";
import type { FitStageContext } from "./stages/fit.ts";
import type { TranslateContext } from "./stages/translate.ts";

/** What serving a request takes from outside. */
export type ServeContext = AuthenticateContext & AdmitContext & FitStageContext & TranslateContext;
