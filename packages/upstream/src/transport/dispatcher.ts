import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { Upstream } from "../requests/upstream.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Makes the connection pool of an upstream, with the proxies and certificates from the environment. */
export function makeDispatcher({ timeouts }: Pick<Upstream, "timeouts">, environment: Environment): Dispatcher {
  const options = {
    headersTimeout: timeouts.firstByteMs,
    bodyTimeout: timeouts.idleMs,
    connect: { timeout: timeouts.connectMs, ...extraCertificates(environment) },
    allowH2: false,
  };
  const isProxied = PROXY_VARIABLES.some((name) => environment[name]);
  return isProxied ? new EnvHttpProxyAgent({ ...options, ...proxies(environment) }) : new Agent(options);
}

const PROXY_VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] as const;

function proxies(environment: Environment): {
  httpProxy?: string;
  httpsProxy?: string;
  noProxy?: string;
} {
  const given = {
    httpProxy: environment.HTTP_PROXY ?? environment.http_proxy,
    httpsProxy: environment.HTTPS_PROXY ?? environment.https_proxy,
    noProxy: environment.NO_PROXY ?? environment.no_proxy,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
}

function extraCertificates(environment: Environment): { ca?: string[] } {
  const file = environment.NODE_EXTRA_CA_CERTS;
  return file ? { ca: [...rootCertificates, readFileSync(file, "utf8")] } : {};
}
