import { expect, it } from "vitest";
import { argumentClient } from "./argument-client.ts";

it("finds a client by its id, or says which there are", () => {
  expect(argumentClient("Claude-Code").name).toBe("Claude Code");
  expect(() => argumentClient("emacs")).toThrow('there is no client "emacs"; choose among claude-code, codex');
});
