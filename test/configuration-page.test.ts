import { listSettings } from "@longhaul/settings";
import { expect, it } from "vitest";
import { SCHEMA_MARKS } from "../scripts/between-marks.ts";
import { withReference } from "../scripts/settings-reference.ts";
import { tableRows } from "./docs/table-rows.ts";
import { readText } from "./repository.ts";

const page = readText("docs/configuration.md");

it("docs/configuration.md has the reference of today's settings; `npm run schema` writes it", () => {
  expect(page).toBe(withReference(page));
});

it("the reference has every setting that is not said for a wider place already", () => {
  const [, reference = ""] = page.split(SCHEMA_MARKS[0]);
  const told = tableRows(reference).map(([path]) => path?.replaceAll("`", ""));
  const narrower = /^(?:profiles|routes)\.\*\.(?:context|reasoning)\./;
  const wider = listSettings()
    .map(({ path }) => path)
    .filter((path) => !narrower.test(path));
  expect(told).toEqual(expect.arrayContaining(wider));
  expect(told).toContain("profiles.*.context.threshold");
});
