import type { AttemptContext } from "./stages/attempt.ts";
import type { TranslateContext } from "./stages/translate.ts";

/** What serving a request takes from outside. */
export type ServeContext = AttemptContext & TranslateContext;
