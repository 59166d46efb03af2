import type { WireId } from "@longhaul/conversation";
import type { Tokenizer } from "@longhaul/models";
import type { RequestLine } from "@longhaul/wire";

/** A request in its bytes, and how its tokens are counted. Plain data: it may be handed to another thread. */
export interface Prompt {
  readonly body: Uint8Array;
  readonly wire: WireId;
  readonly line: RequestLine;
  /** Who made the messages' signatures. */
  readonly vendor: string;
  readonly tokenizer: Tokenizer;
  readonly ratio: number;
  /** Whether the model takes system messages in mid-conversation. */
  readonly takesSystemMessages: boolean;
}
