import { AwsV4Signer } from "aws4fetch";
import type { AwsCredentials, Prepared } from "./upstream.ts";

/** The headers that prove to AWS who sends a request. */
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
