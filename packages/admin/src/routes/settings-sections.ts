import { isJsonObject, type JsonObject, LonghaulError } from "@longhaul/conversation";
import {
  type Config,
  formatPath,
  isWithin,
  ORIGINS,
  parsePath,
  type SettingEntry,
  valueAt,
  withValue,
} from "@longhaul/settings";
import { sectionChangeSchema } from "../api/sections.ts";
import { settingsChangedSchema } from "../api/settings.ts";
import type { LiveSettings } from "../host/live-settings.ts";
import { type Route, route } from "./route.ts";
import { changeAsAdmin } from "./settings-routes.ts";

export type SectionKind = "upstreams" | "profiles";

/** Returns the sections of a kind: their settings without secrets, and the names of the secrets that are set. */
export function sectionsOf(kind: SectionKind, settings: LiveSettings) {
  const all = settings.effective().map((each) => ({ ...each, place: parsePath(each.path) }));
  return Object.keys(settings.layered.config[kind]).map((name) => {
    const within = all.filter(({ place, isSet }) => isSet && isWithin(place, [kind, name]));
    const origins = ORIGINS.filter((origin) => origin !== "default" && within.some((each) => each.origin === origin));
    const open = within.filter(({ setting }) => !setting.isSecret);
    const tree = open.reduce<unknown>((built, { place, value }) => withValue(built, place.slice(2), value), {});
    return {
      name,
      settings: isJsonObject(tree) ? tree : {},
      secrets: within
        .filter(({ setting, path }) => setting.isSecret && !isEmpty(valueAt(settings.layered.config, parsePath(path))))
        .map(({ place }) => formatPath(place.slice(2))),
      origins,
      canRemove: origins.every((origin) => origin === "stored"),
    };
  });
}

function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

export function sectionEntries(kind: SectionKind, name: string, fields: JsonObject): SettingEntry[] {
  return Object.entries(fields).map(([field, value]) => {
    const path = formatPath([kind, name, field]);
    return value === null ? { path } : { path, value };
  });
}

/** Returns the change that removes a section. Throws `store.conflict` if another source sets something in it. */
export function removalOf(kind: SectionKind, name: string, settings: LiveSettings): SettingEntry {
  const section = sectionsOf(kind, settings).find((each) => each.name === name);
  const what = `${kind.replace(/s$/, "")} "${name}"`;
  if (section === undefined) throw new LonghaulError("request.not-kept", `${what} not found`);
  if (!section.canRemove) {
    const where = section.origins.filter((origin) => origin !== "stored").join(" and the ");
    throw new LonghaulError("store.conflict", `the ${what} is set in the ${where}; remove it there`);
  }
  return { path: formatPath([kind, name]) };
}

export function routesTo(kind: SectionKind, name: string, { routes }: Config): string[] {
  const leads = (route: Config["routes"][number]) =>
    kind === "profiles" ? route.profile === name : [route.upstream].flat().includes(name);
  return routes
    .filter(leads)
    .map(({ match, credential }) => (credential === undefined ? match : `${match} with a credential of ${credential}`));
}

export function changeRoutes(kind: SectionKind): readonly Route[] {
  const one = kind.replace(/s$/, "");
  return [
    route("PATCH", `/${kind}/:name`, {
      summary: `Creates or changes ${one === "upstream" ? "an" : "a"} ${one}: sets the given fields, and removes the stored values of those that are null.`,
      body: sectionChangeSchema,
      answer: settingsChangedSchema,
      run: ({ params: { name = "" }, body }, context) =>
        changeAsAdmin(context, { entries: sectionEntries(kind, name, body) }),
    }),
    route("DELETE", `/${kind}/:name`, {
      summary: `Removes a stored ${one}.`,
      answer: settingsChangedSchema,
      run: async ({ params: { name = "" } }, context) =>
        changeAsAdmin(context, { entries: [removalOf(kind, name, context.settings)] }),
    }),
  ];
}
