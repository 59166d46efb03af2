import { shouldShrink } from "../fitting/fit.ts";
import { currentForm, type FitRequest } from "../fitting/fit-request.ts";

/**
 * How large a conversation is sent that does not go as it came: as its epoch has it, or, where it is still to be condensed, what that would
 * aim at. Nothing where it goes as it came. Nothing is condensed or stored for it.
 */
export async function sizeToSend(fitRequest: FitRequest): Promise<number | undefined> {
  const form = await currentForm(fitRequest);
  if (shouldShrink(fitRequest, form)) return Math.min(form.tokens, fitRequest.limits.targetTokens);
  return form.epoch === undefined ? undefined : form.tokens;
}
