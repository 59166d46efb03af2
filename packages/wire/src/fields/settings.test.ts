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
  it("reads what it knows and keeps the rest, also fields that hold something it does not understand", () => {
    const body = { model: "m", "config.temperature": "warm", stop: null, tier: "auto" };
    expect(decodeSettings(TABLE, body)).toEqual({
      settings: { stream: false, model: "m" },
      extra: { "config.temperature": "warm", tier: "auto" },
    });
  });
});

describe("encodeSettings", () => {
  it("writes a setting as the client spelled it while it still says the same", () => {
    const native = { model: "m", stop: null, "config.temperature": 0.5, stream: false };
    const written = encodeSettings(TABLE, {
      settings: { model: "m", temperature: 0.5, stream: false },
      destination: DESTINATION,
      native,
    });
    expect(written).toEqual(native);
  });

  it("writes a setting anew once it says something else, and leaves a removed one out", () => {
    const native = { model: "m", stop: ["a"], "config.temperature": 0.5 };
    const settings = { model: "other", stopSequences: ["a"], stream: true };
    expect(encodeSettings(TABLE, { settings, destination: DESTINATION, native })).toEqual({
      stream: true,
      model: "other",
      stop: ["a"],
    });
  });

  it("writes anew what the target does not take as it is spelled", () => {
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
  it("lay sampling beside the other settings and back", () => {
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

  it("keep a field named like a prototype a field", () => {
    const body = JSON.parse('{"__proto__":{"model":"m"},"config":{"__proto__":{"temperature":1},"a":1}}');
    const flat = flatten(body, ["config"]);
    expect(flat.model).toBeUndefined();
    expect(flat["config.temperature"]).toBeUndefined();
    expect(JSON.stringify(unflatten(flat, ["config"]))).toBe(JSON.stringify(body));
  });

  it("open only the objects that are named", () => {
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
  it("read all but the conversation, and write it back", () => {
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

  it("write no fields that came from another format", () => {
    const request = {
      ...decodeFields(BODY, LAYOUT),
      conversation: CONVERSATION,
      native: { wire: "other", value: BODY },
    };
    expect(encodeFields(request, LAYOUT, { model: "m" })).toEqual({ model: "m", config: { temperature: 0.5 } });
  });

  it("have no extra where everything is known", () => {
    expect(decodeFields({ model: "m", messages: [] }, LAYOUT)).not.toHaveProperty("extra");
  });
});
