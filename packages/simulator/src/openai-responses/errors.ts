import type { Dialect } from "../core/api.ts";
import { openaiDialect, openaiError } from "../openai/errors.ts";

/** Errors as the Responses API words them: plain ones as all of OpenAI, in streams as an `error` event. */
export const responsesDialect: Dialect = {
  error: openaiDialect.error,
  streamError: (rejection) => {
    const { message, param, code } = openaiError(rejection);
    return [{ event: "error", data: JSON.stringify({ type: "error", code, message, param, sequence_number: 0 }) }];
  },
};
