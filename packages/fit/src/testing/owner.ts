import { hash } from "node:crypto";
import type { Owner } from "../request/naming.ts";

/** An owner identified only by a request's headers. */
export function makeOwner(headers: Readonly<Record<string, string>> = {}): Owner {
  const { authorization = "", "x-api-key": key = "" } = headers;
  const credential = hash("sha256", JSON.stringify([authorization, key]));
  return { tenant: "", credential, ownerOf: () => credential, bindingOf: ({ conversation }) => conversation };
}
