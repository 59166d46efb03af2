import { GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isObject, textIn } from "../core/json.ts";
import { openSimulator, type Simulator } from "../simulator.ts";
import { ACCOUNT, makeClaims, signClaims, tokenForm } from "../testing/google-account.ts";
import { post } from "../testing/post.ts";

const MODEL = "gemini-3.5-flash";
const body = { contents: [{ role: "user", parts: [{ text: "hello" }] }] };
const at = (rest: string) => `${simulator.url}/v1/projects/p/locations/global/publishers/google/models/${rest}`;

let simulator: Simulator;
let authorization: string;
beforeAll(async () => {
  simulator = await openSimulator({ google: ACCOUNT });
  const form = tokenForm(signClaims(makeClaims(Math.floor(Date.now() / 1_000))));
  const reply = await post(`${simulator.url}/token`, form, { "content-type": "application/x-www-form-urlencoded" });
  authorization = `Bearer ${isObject(reply.body) ? textIn(reply.body.access_token) : ""}`;
});
afterAll(() => simulator.close());

describe("Google's SDK", () => {
  const open = () => {
    const authClient = { getRequestHeaders: async () => new Headers({ authorization }) };
    return new GoogleGenAI({
      vertexai: true,
      project: "p",
      location: "global",
      httpOptions: { baseUrl: simulator.url },
      googleAuthOptions: { authClient: authClient as never },
    });
  };

  it("gets a reply, streamed or not, and counts", async () => {
    const { models } = open();
    const whole = await models.generateContent({ model: MODEL, contents: "hello" });
    let text = "";
    for await (const chunk of await models.generateContentStream({ model: MODEL, contents: "hello" }))
      text += chunk.text ?? "";
    expect([whole.text, text]).toEqual(["You said: hello", "You said: hello"]);
    expect(whole.usageMetadata?.trafficType).toBe("ON_DEMAND");
    expect(whole.createTime).toMatch(/^\d{4}-/);
    expect(simulator.requests().at(-1)).toMatchObject({ api: "vertex-gemini", model: MODEL, isStream: true });
    const counted = await models.countTokens({ model: MODEL, contents: "hello" });
    expect(counted.totalTokens).toBe(whole.usageMetadata?.promptTokenCount);
  });
});

describe("access", () => {
  it("requires a token", async () => {
    for (const headers of [{}, { authorization: "Bearer made-up" }])
      expect(await post(at(`${MODEL}:generateContent`), body, headers)).toMatchObject({
        status: 401,
        body: { error: { code: 401, status: "UNAUTHENTICATED" } },
      });
  });

  it("names the full path of an unknown model", async () => {
    expect(await post(at("gemini-9:generateContent"), body, { authorization })).toMatchObject({
      status: 404,
      body: {
        error: {
          message: expect.stringMatching(
            /^Publisher Model `projects\/p\/locations\/global\/publishers\/google\/models\/gemini-9` was not found/,
          ),
        },
      },
    });
  });

  it("requires roles, and streams an array without alt=sse", async () => {
    const given = { contents: [{ parts: [{ text: "hello" }] }] };
    expect(await post(at(`${MODEL}:streamGenerateContent`), given, { authorization })).toMatchObject({
      status: 400,
      body: [{ error: { message: "Please use a valid role: user, model." } }],
    });
    const streamed = await post(at(`${MODEL}:streamGenerateContent`), body, { authorization });
    expect(streamed.body).toMatchObject([{ candidates: [{}] }, { candidates: [{ finishReason: "STOP" }] }]);
  });
});
