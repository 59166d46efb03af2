import { answerHeaders } from "@longhaul/upstream";
import type { Codec } from "@longhaul/wire";
import type { Outcome } from "../http/outcome.ts";
import type { Note } from "../record.ts";
import { endsFull, type UsageWatch, watchStream, wholeUsage } from "../sending/usage-watch.ts";
import type { StreamAnswer, WholeAnswer } from "./attempt.ts";
import { asError } from "./translate-error.ts";
import { spellEvents } from "./translator.ts";

/** What of an answer is passed on. */
type Passed<Answer extends StreamAnswer | WholeAnswer> = Pick<Answer, "status" | "headers" | "body" | "isStream">;

/** Passes on an answer that is already what the client asked for: its bytes and headers stay, and only its usage is looked for. */
export function passOn(answer: Passed<StreamAnswer> | Passed<WholeAnswer>, codec: Codec, note: Note): Outcome {
  const { status, body, isStream } = answer;
  const headers = answerHeaders(answer.headers);
  if (!isStream) {
    note({ usage: () => wholeUsage(body, codec), isWindowExceeded: () => endsFull(body) });
    return { status, headers, body, isStream };
  }
  const watch = watchStream(codec);
  note({ usage: watch.usage, isWindowExceeded: watch.isWindowExceeded });
  return { status, headers, body: watched(body, { codec, watch, note }), isStream };
}

interface Watching {
  readonly codec: Codec;
  readonly watch: UsageWatch;
  readonly note: Note;
}

/** Once bytes have reached the client, a failure can only be told as an event in its stream. */
async function* watched(body: AsyncIterable<Uint8Array>, { codec, watch, note }: Watching): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      watch.see(chunk);
      yield chunk;
    }
  } catch (cause) {
    const error = asError(cause);
    note({ error });
    const [, events] = codec.encodeStream.step(codec.encodeStream.start(), { type: "error", error });
    yield spellEvents(events);
  }
}
