import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { SEED_VARIABLE } from "../property-seed.ts";
import { ROOT } from "../repository.ts";

const SAMPLE = `
  import fc from "fast-check";
  import { anyConversation } from "@longhaul/conversation/testing";
  import "./test/property-seed.ts";
  console.log(JSON.stringify([fc.sample(anyConversation(), 3), fc.sample(fc.string(), 50)]));
`;

/** Returns the cases that a new process tries. */
async function casesOf(environment: Readonly<Record<string, string>>): Promise<string> {
  const { [SEED_VARIABLE]: _, ...outer } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", SAMPLE], {
    cwd: ROOT,
    env: { ...outer, ...environment },
  });
  return stdout;
}

it("tries the same cases in every process, and others if a seed is given", async () => {
  const [first, second, other] = await Promise.all([casesOf({}), casesOf({}), casesOf({ [SEED_VARIABLE]: "7" })]);
  expect(first.length).toBeGreaterThan(500);
  expect(second).toBe(first);
  expect(other).not.toBe(first);
});

it("sets the seed of every property in this process", () => {
  const seeds = [1, 2].map(() => fc.check(fc.property(fc.nat(), () => true)).seed);
  expect(new Set([...seeds, fc.readConfigureGlobal().seed]).size).toBe(1);
});
