import { describe, expect, it } from "vitest";
import { isObject, textIn } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { ACCOUNT, makeClaims, signClaims, tokenForm } from "../testing/google-account.ts";
import { makeCall } from "../testing/make.ts";
import { checkToken, issueToken, type PublishedModel, requireModel } from "./access.ts";

const clock = { seconds: 1_000_000 };
const world = makeWorld({ google: ACCOUNT, now: () => clock.seconds * 1_000 });
const ask = (form: string, given = world) => {
  const reply = issueToken(makeCall({ bytes: Buffer.from(form) }), given);
  return reply.kind === "json" && isObject(reply.body) ? reply.body : {};
};
const use = (token: string, given = world) =>
  checkToken(makeCall({ headers: { authorization: `Bearer ${token}` } }), given);
const claims = makeClaims(clock.seconds);

it("issues a token to the account, valid for an hour", () => {
  const { access_token, expires_in, token_type } = ask(tokenForm(signClaims(claims)));
  expect([expires_in, token_type]).toEqual([3_599, "Bearer"]);
  expect(use(textIn(access_token))).toBe(ACCOUNT.clientEmail);
  clock.seconds += 3_601;
  expect(() => use(textIn(access_token))).toThrow(expect.objectContaining({ status: 401 }));
  clock.seconds -= 3_601;
});

describe("refuses", () => {
  const [head, body] = signClaims(claims).split(".");
  const other = signClaims({ ...claims, sub: "x" }).split(".")[2];
  it.each([
    ["another grant", "grant_type=password", "unsupported_grant_type", "Invalid grant_type: password"],
    [
      "another account",
      tokenForm(signClaims({ ...claims, iss: "x" })),
      "invalid_grant",
      "Invalid grant: account not found",
    ],
    ["no token", tokenForm(""), "invalid_grant", "Invalid grant: account not found"],
    ["another signature", tokenForm(`${head}.${body}.${other}`), "invalid_grant", "Invalid JWT Signature."],
    ["another algorithm", tokenForm(signClaims(claims, { alg: "none" })), "invalid_grant", "Invalid JWT Signature."],
    [
      "another audience",
      tokenForm(signClaims({ ...claims, aud: "x" })),
      "invalid_grant",
      "Invalid JWT: Failed audience check.",
    ],
    [
      "another scope",
      tokenForm(signClaims({ ...claims, scope: "mail" })),
      "invalid_scope",
      "Invalid OAuth scope or ID token audience provided.",
    ],
    [
      "a long life",
      tokenForm(signClaims({ ...claims, exp: clock.seconds + 9_999 })),
      "invalid_grant",
      /^Invalid JWT: Token must be a short-lived token/,
    ],
    [
      "an old token",
      tokenForm(signClaims(makeClaims(clock.seconds - 9_999))),
      "invalid_grant",
      /^Invalid JWT: Token must be a short-lived token/,
    ],
  ])("%s", (_, form, code, message) => {
    expect(() => ask(form)).toThrow(expect.objectContaining({ status: 400, details: { code } }));
    expect(() => ask(form)).toThrow(message);
  });

  it("a made-up token", () => {
    expect(() => use("ya29.made-up")).toThrow(expect.objectContaining({ status: 401 }));
    expect(() => use("")).toThrow(expect.objectContaining({ status: 401 }));
  });
});

it("accepts every non-empty token without an account", () => {
  const open = makeWorld({});
  expect(use("anything", open)).toBe("anything");
  expect(() => checkToken(makeCall(), open)).toThrow(expect.objectContaining({ status: 401 }));
});

const find = (model: PublishedModel) => requireModel(makeCall({ params: ["p", "global"] }), model, makeWorld({}));

it("finds models by exact id and publisher", () => {
  expect(find({ publisher: "google", id: "gemini-3.5-flash" }).platform).toBe("vertex");
  expect(find({ publisher: "anthropic", id: "claude-sonnet-4-5@20250929" }).name).toBe("claude-sonnet-4-5");
});

it.each([
  { publisher: "google", id: "gemini-9" },
  { publisher: "google", id: "claude-sonnet-4-6" },
  { publisher: "anthropic", id: "gemini-3.5-flash" },
] as const)("names the whole address of what it does not have: %o", (model) => {
  const address = `projects/p/locations/global/publishers/${model.publisher}/models/${model.id}`;
  expect(() => find(model)).toThrow(
    expect.objectContaining({
      status: 404,
      message: expect.stringContaining(`Publisher Model \`${address}\` was not`),
    }),
  );
});
