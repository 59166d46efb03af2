import { sentMessages } from "../turn/condense.ts";
import type { Fitted } from "../turn/fit.ts";
import type { Turn } from "../turn/turn.ts";
import { wasSentLately } from "../turn/worth.ts";
import { anatomyOf } from "./anatomy.ts";
import type { SizedNote } from "./notes.ts";

/** What is to be told of a request's size when it is over. */
export function sizedNote({ turn, form, originalTokens, origin }: Fitted): SizedNote {
  return {
    session: turn.session,
    parent: turn.parent,
    windowTokens: turn.limits.windowTokens,
    originalTokens,
    sentTokens: form.tokens,
    // Later turns go by what their own cache says.
    warmTokens: origin === "new" ? warmTokens(turn) : 0,
    anatomy: () => anatomyOf(turn, form),
  };
}

/** How much of a conversation as it came was sent lately, in whatever form: had it been sent as it came, that would be cached. */
function warmTokens(turn: Turn): number {
  const { state, history } = turn;
  const forms = [undefined, ...state.shelf.known(turn)];
  const sent = forms.map((epoch) => {
    const form = { estimated: 0, tokens: 0, ...(epoch === undefined ? {} : { epoch }) };
    return wasSentLately(turn, form) ? sentMessages(turn, form) : 0;
  });
  const messages = Math.max(...sent);
  if (messages === 0) return 0;
  return history.messageTokens.slice(0, messages).reduce((sum, tokens) => sum + tokens, history.headTokens);
}
