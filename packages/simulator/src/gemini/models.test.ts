import { expect, it } from "vitest";
import { isObject, objectsIn } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeCall } from "../testing/make.ts";
import { listModels, requireModel, retrieveModel } from "./models.ts";

const world = makeWorld({});
const wish = (id: string) => ({ version: "v1beta", id, method: "generateContent" });

it("finds models by their exact id", () => {
  expect(requireModel(wish("gemini-2.5-flash"), world).id).toBe("gemini-2.5-flash");
  for (const id of ["gemini-9", "claude-opus-4-6"])
    expect(() => requireModel(wish(id), world)).toThrow(
      expect.objectContaining({
        status: 404,
        message: `models/${id} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
      }),
    );
});

it("lists models page by page", () => {
  const page = (query: string) => {
    const reply = listModels(makeCall({ query: new URLSearchParams(query) }), world);
    const body = reply.kind === "json" && isObject(reply.body) ? reply.body : {};
    return { names: objectsIn(body.models).map(({ name }) => name), next: body.nextPageToken };
  };
  const all = page("pageSize=1000");
  expect(all.names).toContain("models/gemini-3.5-flash");
  expect(all.next).toBeUndefined();
  const first = page("pageSize=3");
  expect([first.names, first.next]).toEqual([all.names.slice(0, 3), "3"]);
  expect(page(`pageSize=3&pageToken=${first.next}`).names).toEqual(all.names.slice(3, 6));
});

it("describes a model", () => {
  expect(retrieveModel(makeCall({ params: ["v1beta", "gemini-2.5-flash"] }), world)).toMatchObject({
    body: {
      name: "models/gemini-2.5-flash",
      version: "2.5",
      displayName: "Gemini 2.5 Flash",
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ["generateContent", "countTokens"],
      thinking: true,
    },
  });
});
