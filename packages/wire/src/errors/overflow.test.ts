import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OVERFLOW_WORDINGS, recognizeOverflow } from "./overflow.ts";

describe("recognizeOverflow", () => {
  it.each([
    ["prompt is too long: 204826 tokens > 200000 maximum", { actualTokens: 204_826, limitTokens: 200_000 }],
    [
      "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 290114 tokens. Please reduce the length of the messages.",
      { actualTokens: 290_114, limitTokens: 272_000 },
    ],
    [
      "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
      { actualTokens: 188_240, outputTokens: 21_333, limitTokens: 200_000 },
    ],
    [
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 202868 tokens (202767 in the messages, 101 in the functions). Please reduce the length of the messages or functions.",
      { actualTokens: 202_868, limitTokens: 128_000 },
    ],
    [
      "This model's maximum context length is 8192 tokens. However, you requested 9500 tokens (8500 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
      { actualTokens: 8_500, outputTokens: 1_000, limitTokens: 8_192 },
    ],
    [
      'This endpoint\'s maximum context length is 200000 tokens. However, you requested about 260321 tokens (258000 of text input, 2321 in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
      { actualTokens: 260_321, limitTokens: 200_000 },
    ],
    ["Your input exceeds the context window of this model. Please adjust your input and try again.", {}],
    [
      "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
      { actualTokens: 1_200_293, limitTokens: 1_048_576 },
    ],
    ["Input is too long for requested model.", {}],
    [
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      { actualTokens: 537_812, limitTokens: 131_072 },
    ],
    [
      "Your request exceeded model token limit: 262144 (requested: 291351)",
      { actualTokens: 291_351, limitTokens: 262_144 },
    ],
    ["prompt token count of 140,231 exceeds the limit of 128,000", { actualTokens: 140_231, limitTokens: 128_000 }],
    ["Range of input length should be [1, 30720]", { limitTokens: 30_720 }],
  ])("reads %s", (message, overflow) => {
    expect(recognizeOverflow({ status: 400, message })).toEqual(overflow);
  });

  it("has a sample above every row that this row is the first to match", () => {
    const source = readFileSync(new URL("overflow.ts", import.meta.url), "utf8");
    const samples = [...source.slice(source.indexOf("OVERFLOW_WORDINGS: ")).matchAll(/^ {2}\/\/ (.+)$/gm)];
    expect(samples).toHaveLength(OVERFLOW_WORDINGS.length);
    const firstMatches = samples.map(([, sample]) =>
      OVERFLOW_WORDINGS.findIndex(({ pattern }) => pattern.test(sample ?? "")),
    );
    expect(firstMatches).toEqual(samples.map((_, row) => row));
  });

  it.each([
    { status: 429, message: "Too many tokens, please wait before trying again." },
    { message: "Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Requested 40021." },
    { status: 429, message: "prompt is too long for your current tier" },
    { message: "ThrottlingException: Input is too long for requested model." },
    { message: "You exceeded your current quota" },
    { status: 400, code: "string_above_max_length", message: "Expected a string with maximum length 1048576" },
    { status: 400, message: "messages.0: expected a role" },
  ])("does not treat $message as an overflow", (refusal) => {
    expect(recognizeOverflow(refusal)).toBeUndefined();
  });

  it.each(["context_length_exceeded", "model_max_prompt_tokens_exceeded", "request_too_large", "1261"])(
    "recognizes the code %s if the message is unknown",
    (code) => {
      expect(recognizeOverflow({ status: 400, message: "too big, sorry", code })).toEqual({});
    },
  );
});
