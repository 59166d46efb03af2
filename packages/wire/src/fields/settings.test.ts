import { anyJson } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BodyLayout,
  decodeFields,
  decodeSettings,
  encodeFields,
  encodeSettings,
  flatten,
  isNumber,
  isString,
  isStrings,
  plainSetting,
  requestFields,
  type Setting,
  STREAM_SETTING,
  settingsOf,
  unflatten,
} from "./settings.ts";

const TABLE: readonly Setting[] = [
  STREAM_SETTING,
  plainSetting("model", "model", isString),
  plainSetting("temperature", "config.temperature", isNumber),
  plainSetting("stopSequences", "stop", isStrings),
];
const DESTINATION = { model: "m" };

describe("decodeSettings", () => {
  it("decodes known fields and keeps the others, including known fields with unknown values", () => {
    const body = { model: "m", "config.temperature": "warm", stop: null, tier: "auto" };
    expect(decodeSettings(TABLE, body)).toEqual({
      settings: { stream: false, model: "m" },
      extra: { "config.temperature": "warm", tier: "auto" },
    });
  });
});

describe("encodeSettings", () => {
  it("writes an unchanged setting in the client's own form", () => {
    const native = { model: "m", stop: null, "config.temperature": 0.5, stream: false };
    const written = encodeSettings(TABLE, {
      settings: { model: "m", temperature: 0.5, stream: false },
      destination: DESTINATION,
      native,
    });
    expect(written).toEqual(native);
  });

  it("encodes a changed setting again and drops a removed one", () => {
    const native = { model: "m", stop: ["a"], "config.temperature": 0.5 };
    const settings = { model: "other", stopSequences: ["a"], stream: true };
    expect(encodeSettings(TABLE, { settings, destination: DESTINATION, native })).toEqual({
      stream: true,
      model: "other",
      stop: ["a"],
    });
  });

  it("encodes a setting again if the destination does not accept the client's form", () => {
    const row: Setting = {
      ...plainSetting("seed", "seed", isNumber),
      keeps: () => false,
      encode: () => ({ random_seed: 1 }),
    };
    expect(encodeSettings([row], { settings: { seed: 1 }, destination: DESTINATION, native: { seed: 1 } })).toEqual({
      random_seed: 1,
    });
  });
});

describe("settingsOf and requestFields", () => {
  it("flatten sampling into the settings and restore it", () => {
    const request = { model: "m", stream: true, sampling: { temperature: 0, seed: 7 }, user: "u" };
    const conversation = { system: [], tools: [], messages: [] };
    const native = { wire: "w", value: {} };
    expect(requestFields(settingsOf({ ...request, conversation, native, extra: { a: 1 } }))).toEqual(request);
  });
});

describe("flatten and unflatten", () => {
  it("undo each other", () => {
    const body = fc.dictionary(fc.constantFrom("config", "text", "a", "b"), anyJson());
    fc.assert(
      fc.property(body, (value) => {
        expect(unflatten(flatten(value, ["config", "text"]), ["config", "text"])).toEqual(value);
      }),
    );
  });

  it("keep a field with a prototype's name", () => {
    const body = JSON.parse('{"__proto__":{"model":"m"},"config":{"__proto__":{"temperature":1},"a":1}}');
    const flat = flatten(body, ["config"]);
    expect(flat.model).toBeUndefined();
    expect(flat["config.temperature"]).toBeUndefined();
    expect(JSON.stringify(unflatten(flat, ["config"]))).toBe(JSON.stringify(body));
  });

  it("open only the named objects", () => {
    expect(flatten({ config: { a: 1 }, other: { b: 2 }, text: {} }, ["config", "text"])).toEqual({
      "config.a": 1,
      other: { b: 2 },
      text: {},
    });
  });
});

const LAYOUT: BodyLayout = {
  wire: "openai-chat",
  settings: [plainSetting("model", "model", isString), plainSetting("temperature", "config.temperature", isNumber)],
  opened: ["config"],
  conversation: ["messages"],
};
const BODY = { model: "m", config: { temperature: 0.5, shade: "warm" }, messages: [1], tier: "auto" };
const CONVERSATION = { system: [], tools: [], messages: [] };

describe("decodeFields and encodeFields", () => {
  it("round-trip everything except the conversation", () => {
    const fields = decodeFields(BODY, LAYOUT);
    expect(fields).toEqual({
      model: "m",
      stream: false,
      sampling: { temperature: 0.5 },
      native: { wire: "openai-chat", value: BODY },
      extra: { config: { shade: "warm" }, tier: "auto" },
    });
    const { messages: _, ...rest } = BODY;
    expect(encodeFields({ ...fields, conversation: CONVERSATION }, LAYOUT, { model: "m" })).toEqual(rest);
  });

  it("write no fields of another format", () => {
    const request = {
      ...decodeFields(BODY, LAYOUT),
      conversation: CONVERSATION,
      native: { wire: "other", value: BODY },
    };
    expect(encodeFields(request, LAYOUT, { model: "m" })).toEqual({ model: "m", config: { temperature: 0.5 } });
  });

  it("return no extra if every field is known", () => {
    expect(decodeFields({ model: "m", messages: [] }, LAYOUT)).not.toHaveProperty("extra");
  });
});
