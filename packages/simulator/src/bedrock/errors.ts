import type { Dialect } from "../core/api.ts";
import type { Rejection } from "../core/rejection.ts";

const TYPES: Readonly<Record<number, string>> = {
  400: "ValidationException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  408: "ModelTimeoutException",
  413: "ValidationException",
  424: "ModelErrorException",
  429: "ThrottlingException",
  500: "InternalServerException",
  503: "ServiceUnavailableException",
};

/** Errors as Bedrock words them: the type in a header, the message in the body; inside a stream as exceptions. */
export const bedrockDialect: Dialect = {
  error: (rejection, requestId) => ({
    kind: "json",
    status: rejection.status === 413 ? 400 : rejection.status,
    headers: { "x-amzn-requestid": requestId, "x-amzn-errortype": typeOf(rejection), ...rejection.details.headers },
    body: { message: messageOf(rejection) },
  }),
  streamError: (rejection) => {
    const type = typeOf(rejection);
    const event = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
    return [{ event, data: JSON.stringify({ message: messageOf(rejection) }) }];
  },
};

function typeOf({ status, details }: Rejection): string {
  return details.type ?? TYPES[status] ?? (status < 500 ? "ValidationException" : "InternalServerException");
}

/** Of a prompt that is too long, Bedrock says neither how long it is nor how long it may be. */
function messageOf({ status, message }: Rejection): string {
  if (message.startsWith("prompt is too long:")) return "Input is too long for requested model.";
  if (status === 429) return "Too many tokens, please wait before trying again.";
  return message;
}
