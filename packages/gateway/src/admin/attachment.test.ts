import { expect, it } from "vitest";
import { sendFile } from "./attachment.ts";

it("is saved under a name that cannot break out of its header", async () => {
  const response = sendFile('a"\r\nx: y.json', "{}");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="a-x-y.json"');
  expect(await response.text()).toBe("{}");
});
