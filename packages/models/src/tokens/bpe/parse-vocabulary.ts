import { appendBase64 } from "../base64.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Reads tokens in base64 in the order of their ranks, as tiktoken's npm package has them: `! 0 IQ== Ig== Iw==`, where 0 is the first rank. */
export function parseVocabulary(ranks: string): Vocabulary {
  const tokens = ranks.split(" ").slice(2);
  const starts = new Uint32Array(tokens.length + 1);
  const sink = { bytes: new Uint8Array(ranks.length), end: 0 };
  for (const [rank, token] of tokens.entries()) {
    appendBase64(token, sink);
    starts[rank + 1] = sink.end;
  }
  return new Vocabulary(sink.bytes.slice(0, sink.end), starts);
}
