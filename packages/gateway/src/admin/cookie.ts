/** The cookie that a signed-in browser shows. */
export const COOKIE = "longhaul";

/** Its value in a Cookie header. */
export function cookieIn(header: string): string | undefined {
  return header
    .split(";")
    .map((pair) => pair.trim().split("="))
    .find(([name]) => name === COOKIE)?.[1];
}
