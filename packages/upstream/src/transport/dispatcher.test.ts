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
  it("goes straight to an upstream where no proxy is named", () => {
    expect(make({ NO_PROXY: "example.org" })).toBeInstanceOf(Agent);
    expect(make({ HTTPS_PROXY: "" })).toBeInstanceOf(Agent);
  });

  it.each(["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"])(
    "goes by way of the proxy that %s names",
    (name) => {
      expect(make({ [name]: "http://127.0.0.1:1" })).toBeInstanceOf(EnvHttpProxyAgent);
    },
  );

  it("refuses certificates that are not there", () => {
    expect(() => make({ NODE_EXTRA_CA_CERTS: "/nowhere/ca.pem" })).toThrow("ENOENT");
  });
});
