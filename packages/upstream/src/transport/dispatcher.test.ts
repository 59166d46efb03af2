import { Agent, EnvHttpProxyAgent } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeDispatcher } from "./dispatcher.ts";

const timeouts = { connectMs: 1, firstByteMs: 1, idleMs: 1 };

function make(environment: Readonly<Record<string, string>>) {
  const dispatcher = makeDispatcher({ timeouts }, environment);
  onTestFinished(() => dispatcher.close());
  return dispatcher;
}

describe("makeDispatcher", () => {
  it("connects directly if no proxy is set", () => {
    expect(make({ NO_PROXY: "example.org" })).toBeInstanceOf(Agent);
    expect(make({ HTTPS_PROXY: "" })).toBeInstanceOf(Agent);
  });

  it.each(["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"])("uses the proxy in %s", (name) => {
    expect(make({ [name]: "http://127.0.0.1:1" })).toBeInstanceOf(EnvHttpProxyAgent);
  });

  it("throws for a certificate file that does not exist", () => {
    expect(() => make({ NODE_EXTRA_CA_CERTS: "/nowhere/ca.pem" })).toThrow("ENOENT");
  });
});
