import { isJsonObject, type RedactedThinkingBlock, type ThinkingBlock } from "@longhaul/conversation";
import { given } from "../given.ts";
import { optionalString } from "../read.ts";
import { parseData } from "../read-reply.ts";
import { base64OfText, textOfBase64 } from "./base64.ts";

/** What a signature begins with that holds another vendor's thinking. Its length keeps what follows decodable as base64. */
const SEAL = "longhaul";

/**
 * Another vendor's thinking on its way through a Gemini client: text, signature and maker in one signature, because Google's SDK keeps the
 * pieces of a stream as contents of their own and a vendor reads its signature only beside the whole text. Some clients decode
 * signatures as bytes and encode them in base64's other alphabet.
 */
export function sealThinking(block: ThinkingBlock | RedactedThinkingBlock): string {
  const { native: _, extra: _extra, ...thinking } = block;
  return `${SEAL}${base64OfText(JSON.stringify(thinking))}`;
}

/** The thinking that a signature holds; nothing where it is a signature of its own. */
export function openThinking(signature: string | undefined): ThinkingBlock | RedactedThinkingBlock | undefined {
  if (signature === undefined || !signature.startsWith(SEAL)) return undefined;
  const sealed = parseData(textOfBase64(signature.slice(SEAL.length)) ?? "");
  if (!isJsonObject(sealed)) return undefined;
  const vendor = optionalString(sealed.vendor);
  if (sealed.type === "redacted-thinking") {
    return given({ type: "redacted-thinking", data: optionalString(sealed.data) ?? "", vendor });
  }
  const text = optionalString(sealed.text) ?? "";
  return given({
    type: "thinking",
    text,
    signature: optionalString(sealed.signature),
    id: optionalString(sealed.id),
    vendor,
  });
}
