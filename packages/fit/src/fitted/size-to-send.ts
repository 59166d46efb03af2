import { shouldShrink } from "../turn/fit.ts";
import { currentForm, type Turn } from "../turn/turn.ts";

/**
 * How large a conversation is sent that does not go as it came: as its epoch has it, or, where it is still to be condensed, what that would
 * aim at. Nothing where it goes as it came. Nothing is condensed or stored for it.
 */
export async function sizeToSend(turn: Turn): Promise<number | undefined> {
  const form = await currentForm(turn);
  if (shouldShrink(turn, form)) return Math.min(form.tokens, turn.limits.targetTokens);
  return form.epoch === undefined ? undefined : form.tokens;
}
