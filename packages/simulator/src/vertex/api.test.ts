import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rejection } from "../core/api.ts";
import { openSimulator, type Simulator } from "../simulator.ts";
import { ACCOUNT, makeClaims, signClaims, tokenForm } from "../testing/google-account.ts";
import { post } from "../testing/post.ts";
import { tokenDialect, vertexClaudeDialect } from "./api.ts";

const body = {
  anthropic_version: "vertex-2023-10-16",
  max_tokens: 200,
  messages: [{ role: "user", content: "hello" }],
};
const at = (rest: string) => `${simulator.url}/v1/projects/p/locations/us-east5/publishers/anthropic/models/${rest}`;

let simulator: Simulator;
let headers: Record<string, string>;
beforeAll(async () => {
  simulator = await openSimulator({ google: ACCOUNT });
  const form = tokenForm(signClaims(makeClaims(Math.floor(Date.now() / 1_000))));
  const { body: token } = await post(`${simulator.url}/token`, form, {
    "content-type": "application/x-www-form-urlencoded",
  });
  headers = { authorization: `Bearer ${(token as { access_token: string }).access_token}` };
});
afterAll(() => simulator.close());

it("accepts a token that it issued", async () => {
  const reply = await post(at("claude-sonnet-4-6:rawPredict"), body, headers);
  expect(reply).toMatchObject({ status: 200, body: { content: [{ text: "You said: hello" }] } });
  expect(simulator.requests().at(-1)).toMatchObject({ api: "vertex-claude", model: "claude-sonnet-4-6" });
});

it("streams events", async () => {
  const response = await fetch(at("claude-sonnet-4-6:streamRawPredict"), {
    method: "POST",
    headers,
    body: JSON.stringify({ ...body, stream: true }),
  });
  expect(await response.text()).toMatch(/^event: message_start\n/);
});

it("counts tokens for the model named in the body", async () => {
  const { anthropic_version, messages } = body;
  const counted = await post(
    at("count-tokens:rawPredict"),
    { anthropic_version, messages, model: "claude-sonnet-4-6" },
    headers,
  );
  const answered = await post(at("claude-sonnet-4-6:rawPredict"), body, headers);
  expect(counted.body).toEqual({
    input_tokens: (answered.body as { usage: { input_tokens: number } }).usage.input_tokens,
  });
  expect(await post(at("count-tokens:rawPredict"), { anthropic_version, messages }, headers)).toMatchObject({
    status: 400,
  });
});

describe("refuses", () => {
  it.each([
    ["no token", "claude-sonnet-4-6:rawPredict", body, {}, 401, { error: { status: "UNAUTHENTICATED" } }],
    [
      "an unknown model",
      "claude-nope:rawPredict",
      body,
      undefined,
      404,
      {
        error: {
          message: expect.stringMatching(
            /^Publisher Model `projects\/p\/locations\/us-east5\/publishers\/anthropic\/models\/claude-nope` was not found/,
          ),
        },
      },
    ],
    [
      "no version",
      "claude-sonnet-4-6:rawPredict",
      { ...body, anthropic_version: undefined },
      undefined,
      400,
      { error: { message: "anthropic_version: Field required" } },
    ],
    [
      "a model in the body",
      "claude-sonnet-4-6:rawPredict",
      { ...body, model: "x" },
      undefined,
      400,
      { error: { message: "model: Extra inputs are not permitted" } },
    ],
  ])("%s", async (_, rest, given, by, status, error) => {
    expect(await post(at(rest), given, by ?? headers)).toMatchObject({ status, body: error });
  });
});

it("returns errors of the token endpoint like OAuth", () => {
  expect(tokenDialect.error(new Rejection(400, "m", { code: "invalid_grant" }), "r").body).toEqual({
    error: "invalid_grant",
    error_description: "m",
  });
  expect(tokenDialect.error(new Rejection(500, "m"), "r").body).toMatchObject({ error: "internal_failure" });
  expect(tokenDialect.streamError(new Rejection(500, "m"))).toEqual([]);
});

it.each([401, 403, 404, 429, 503])("returns status %d as a Google error", (status) => {
  expect(vertexClaudeDialect.error(new Rejection(status, "m"), "r").body).toMatchObject({
    error: { code: status, message: "m" },
  });
});

it.each([400, 413, 500, 529])("returns status %d as an Anthropic error", (status) => {
  expect(vertexClaudeDialect.error(new Rejection(status, "m"), "r").body).toMatchObject({
    type: "error",
    error: { message: "m" },
  });
});
