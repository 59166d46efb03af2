/** The sizes of bodies that are compared, with their names. */
export const SIZES = [
  ["1 KB", 1_000],
  ["40 KB", 40_000],
  ["400 KB", 400_000],
  ["4 MB", 4_000_000],
] as const;

/** A request of about this many bytes in the chat format. */
export function chatBody(bytes: number, stream: boolean): Buffer {
  return Buffer.from(JSON.stringify({ model: "gpt-4o", messages: messagesOf(bytes), stream }));
}

/** The same in the Messages format. */
export function anthropicBody(bytes: number, stream: boolean): Buffer {
  return Buffer.from(JSON.stringify({ model: "gpt-4o", max_tokens: 1_000, messages: messagesOf(bytes), stream }));
}

/** A talk of about this many bytes, in messages of up to 4 KB. */
function messagesOf(bytes: number): object[] {
  const text = 'The quick brown fox jumps over the lazy dog, "and" so on.\n';
  const each = Math.min(bytes, 4_000);
  const count = Math.max(1, Math.floor(bytes / each / 2) * 2 - 1);
  const content = text.repeat(Math.ceil(bytes / count / text.length)).slice(0, Math.floor(bytes / count));
  return Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content }));
}
