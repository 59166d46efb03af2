import { LonghaulError } from "@longhaul/conversation";
import type { KeyHeader } from "@longhaul/models/kinds";
import { AwsV4Signer } from "aws4fetch";
import { clientCredential, requestHeaders } from "./headers.ts";
import type { Auth, AwsCredentials, Outgoing, Prepared, Upstream } from "./upstream.ts";

export type GoogleToken = () => Promise<string>;

/** Prepares a request for the network: URL, body and headers as the deployment expects them, and the credentials. */
export async function prepare(upstream: Upstream, outgoing: Outgoing, googleToken?: GoogleToken): Promise<Prepared> {
  const { deployment, baseUrl } = upstream;
  const path = deployment.path(outgoing);
  if (path === undefined) {
    throw new LonghaulError(
      "request.unsupported",
      `upstream "${upstream.id}" does not support ${outgoing.path ?? outgoing.action}; route the request to an upstream that does`,
    );
  }
  const body = outgoing.body && (deployment.shapeBody?.(outgoing.body, outgoing) ?? outgoing.body);
  const headers = {
    ...requestHeaders(outgoing.headers, { isOwnAccount: isClients(upstream.auth, outgoing) }),
    ...upstream.headers,
    // A passed path may carry a form or a file.
    ...(body && outgoing.action !== "pass" && { "content-type": "application/json" }),
  };
  const bare: Prepared = { url: baseUrl + path, method: outgoing.method, headers, ...(body && { body }) };
  return { ...bare, headers: await authorize(bare, upstream.auth, { outgoing, googleToken }) };
}

function isClients({ kind }: Auth, { headers }: Outgoing): boolean {
  return kind === "client" && clientCredential(headers) !== undefined;
}

async function authorize(
  request: Prepared,
  auth: Auth,
  { outgoing, googleToken }: { readonly outgoing: Outgoing; readonly googleToken: GoogleToken | undefined },
): Promise<Prepared["headers"]> {
  switch (auth.kind) {
    case "key":
      return { ...request.headers, ...keyHeader(auth.header, auth.key) };
    case "client":
      return { ...request.headers, ...passOn(auth, outgoing) };
    case "basic":
      return { ...request.headers, authorization: `Basic ${auth.token}` };
    case "aws":
      return await signAws(request, auth);
    case "google":
      return { ...request.headers, authorization: `Bearer ${await googleToken?.()}` };
    default:
      return auth satisfies never;
  }
}

/** The Messages API accepts a key in `x-api-key` or as a bearer token; the client's choice is kept. */
function passOn(
  { header, otherwise }: Extract<Auth, { kind: "client" }>,
  { headers }: Outgoing,
): Record<string, string> {
  const { authorization } = headers;
  // The word `Bearer` alone is not a credential.
  const isEmpty = otherwise !== undefined && /^Bearer\s*$/i.test(authorization ?? "");
  if (header === "x-api-key" && authorization !== undefined && !isEmpty) return { authorization };
  const credential = clientCredential(headers) ?? otherwise;
  return credential === undefined ? {} : keyHeader(header, credential);
}

function keyHeader(header: KeyHeader, key: string): Record<string, string> {
  return { [header]: header === "authorization" ? `Bearer ${key}` : key };
}

export async function signAws(
  request: Prepared,
  { credentials, region }: { credentials: AwsCredentials; region: string },
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    ...credentials,
    url: request.url,
    method: request.method,
    headers: request.headers,
    service: "bedrock",
    region,
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  const { headers } = await signer.sign();
  return Object.fromEntries(headers.entries());
}
