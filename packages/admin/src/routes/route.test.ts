import { expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { route, sendFile } from "./route.ts";

it("makes a route with typed parameters", async () => {
  const options = {
    summary: "Counts.",
    query: z.object({ from: z.coerce.number() }),
    body: z.object({ by: z.number().default(1) }),
    answer: z.object({ sum: z.number() }),
  } as const;
  const made = route("POST", "/things/:id", {
    ...options,
    run: async ({ query, body }) => {
      expectTypeOf(query).toEqualTypeOf<{ from: number }>();
      expectTypeOf(body).toEqualTypeOf<{ by: number }>();
      return { sum: query.from + body.by };
    },
  });
  expect(made).toMatchObject({ ...options, method: "POST", path: "/things/:id", scope: "admin" });
});

it("makes a file name that cannot break out of its header", async () => {
  const response = sendFile('a"\r\nx: y.json', "{}");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="a-x-y.json"');
  expect(await response.text()).toBe("{}");
});
