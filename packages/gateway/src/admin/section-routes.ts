import { sectionChangeSchema, settingsChangedSchema } from "@longhaul/settings";
import { changedBy } from "./change.ts";
import { type Route, route } from "./route.ts";
import { removalOf, type SectionKind, sectionEntries } from "./sections.ts";

/** How what stands under a name is changed. */
export function changeRoutes(kind: SectionKind): readonly Route[] {
  const one = kind.replace(/s$/, "");
  return [
    route({
      method: "PATCH",
      path: `/${kind}/:name`,
      scope: "admin",
      summary: `Makes or changes one ${one}: sets the fields that are given, and takes back those that are null.`,
      body: sectionChangeSchema,
      answer: settingsChangedSchema,
      run: ({ params: { name = "" }, body }, context) =>
        changedBy(context, { entries: sectionEntries(kind, name, body) }),
    }),
    route({
      method: "DELETE",
      path: `/${kind}/:name`,
      scope: "admin",
      summary: `Removes one ${one} that was made here.`,
      answer: settingsChangedSchema,
      run: async ({ params: { name = "" } }, context) =>
        changedBy(context, { entries: [removalOf(kind, name, context.settings)] }),
    }),
  ];
}
