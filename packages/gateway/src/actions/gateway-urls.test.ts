import { describe, expect, it } from "vitest";
import { withGatewayUrls } from "./pass.ts";

const HEADERS = { host: "127.0.0.1:4141", "anthropic-version": "2023-06-01" };
const RESULTS = "/v1/messages/batches/msgbatch_1/results";

describe("withGatewayUrls", () => {
  it("rewrites URLs whose path it serves, and keeps every other byte", () => {
    const json = `{ "id":"msgbatch_1",\n "results_url": "https://api.anthropic.com${RESULTS}?a=1", "docs":"https://docs.example/v1/other" }`;
    expect(withGatewayUrls(json, HEADERS)).toBe(json.replace("https://api.anthropic.com", "http://127.0.0.1:4141"));
  });

  it("rewrites URLs with escaped slashes and with a path before the version", () => {
    const escaped = `{"results_url":"https:\\/\\/proxy.example\\/team\\/v1\\/messages\\/batches\\/b\\/results"}`;
    const expected = { results_url: "http://127.0.0.1:4141/v1/messages/batches/b/results" };
    expect(JSON.parse(withGatewayUrls(escaped, HEADERS))).toEqual(expected);
  });

  it("uses https if a proxy before the gateway did", () => {
    const json = JSON.stringify({ results_url: `https://api.anthropic.com${RESULTS}` });
    const proxied = withGatewayUrls(json, { ...HEADERS, host: "llm.example", "x-forwarded-proto": "https, http" });
    expect(JSON.parse(proxied)).toEqual({ results_url: `https://llm.example${RESULTS}` });
  });

  it.each([
    ["a path that is not served", '{"results_url":"https://api.anthropic.com/v1/organizations/keys"}'],
    ["a broken encoding", '{"results_url":"https://api.anthropic.com/v1/files/%zz"}'],
    ["an invalid URL", '{"results_url":"https://"}'],
    ["a citation", '{"type":"url_citation","url":"https://example.com/files/report.pdf"}'],
    ["an image", '{"type":"input_image","image_url":"https://cdn.example/v1/files/a/content"}'],
    ["text around a URL", `{"text":"see https://api.anthropic.com${RESULTS} for more"}`],
  ])("does not change %s", (_, json) => {
    expect(withGatewayUrls(json, HEADERS)).toBe(json);
  });

  it("changes nothing without a host", () => {
    const json = JSON.stringify({ results_url: `https://api.anthropic.com${RESULTS}` });
    expect(withGatewayUrls(json, {})).toBe(json);
  });
});
